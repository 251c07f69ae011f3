package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Contenders that are compared.
const (
	schemaOnly    = "declarative schema"
	withRules     = "declarative schema+CEL"
	unchanged     = "declarative no-op update"
	referenceOnly = "reference schema"
	referenceCEL  = "reference CEL"
	santhoshOnly  = "santhosh schema"
	deepCopy      = "DeepCopyJSON"
	decode        = "JSON decode"
	compiling     = "declarative compile"
	refCompiling  = "reference compile"
	typed         = "declarative typed"
	handWritten   = "hand-written"
	prunes        = "prune"
	defaultFill   = "default"
)

// comparison is how many times faster one contender is to be than another. A goal
// is what the design wishes for, a floor what is asked at least.
type comparison struct {
	name        string
	slow, fast  string
	without     string // a part of fast that is not counted: rules are run after the schema
	floor, goal float64
}

func comparisons() []comparison {
	return []comparison{
		{"schema: reference / declarative", referenceOnly, schemaOnly, "", 25, 40},
		{"schema: santhosh / declarative", santhoshOnly, schemaOnly, "", 3, 5},
		{"CEL: reference / declarative", referenceCEL, withRules, schemaOnly, 8, 20},
		{"create / no-op update", withRules, unchanged, "", 1, 1},
		{"compile: reference / declarative", refCompiling, compiling, "", 3, 3},
		{"DeepCopyJSON / declarative schema", deepCopy, schemaOnly, "", 0, 1},
		{"JSON decode / declarative schema", decode, schemaOnly, "", 0, 1},
		{"DeepCopyJSON / prune", deepCopy, prunes, "", 0, 4},
		{"DeepCopyJSON / default", deepCopy, defaultFill, "", 0, 4},
		{"hand-written / declarative typed", handWritten, typed, "", 0, 1},
	}
}

// ratio is what came out of a comparison.
type ratio struct {
	Subject string  `json:"subject"`
	Name    string  `json:"name"`
	Ratio   float64 `json:"ratio"`
	Floor   float64 `json:"floor,omitempty"`
	Goal    float64 `json:"goal,omitempty"`
}

func ratios(s subject, results []result) []ratio {
	times := map[string]float64{}
	for _, r := range results {
		times[r.Contender] = r.Nanoseconds
	}
	var all []ratio
	for _, c := range comparisons() {
		slow, fast := times[c.slow], times[c.fast]-times[c.without]
		if slow == 0 || times[c.fast] == 0 {
			continue
		}
		// A part that vanishes in the noise of the whole has no ratio.
		if fast <= times[c.fast]/50 {
			continue
		}
		all = append(all, ratio{Subject: s.name, Name: c.name, Ratio: slow / fast, Floor: c.floor, Goal: c.goal})
	}
	return all
}

func (all report) table(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "subject\tcontender\tµs\tfastest\tallocs\tbytes\theld KiB\t")
	for _, r := range all.Results {
		kept := ""
		if r.Held > 0 {
			kept = fmt.Sprint(r.Held >> 10)
		}
		fmt.Fprintf(w, "%s\t%s\t%.1f\t%.1f\t%.0f\t%.0f\t%s\t\n",
			r.Subject, r.Contender, r.Nanoseconds/1e3, r.Fastest/1e3, r.Allocations, r.Allocated, kept)
	}
	fmt.Fprintln(w, "\t\t\t\t\t\t\t")
	fmt.Fprintln(w, "subject\tratio\ttimes\tat least\tgoal\t\t\t")
	for _, r := range all.Ratios {
		fmt.Fprintf(w, "%s\t%s\t%.2f\t%s\t%s\t%s\t\t\n", r.Subject, r.Name, r.Ratio, bar(r.Floor), bar(r.Goal), judge(r))
	}
	w.Flush()
	for _, note := range all.Notes {
		fmt.Fprintln(out, note)
	}
}

func bar(x float64) string {
	if x == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f", x)
}

func judge(r ratio) string {
	switch {
	case r.Ratio >= r.Goal:
		return "goal"
	case r.Ratio < r.Floor:
		return "MISSED"
	case r.Floor == 0:
		return "below the goal"
	}
	return "ok"
}
