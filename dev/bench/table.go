package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/diffrun/diffrun/reports"
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
	bareCompiling = "declarative compile of a schema without rules"
	refBare       = "reference compile of a schema without rules"
	typed         = "declarative typed"
	typedSchema   = "declarative typed schema"
	typedSame     = "declarative typed no-op update"
	typedChanged  = "declarative typed spec update"
	handWritten   = "hand-written"
	handSame      = "hand-written no-op update"
	handChanged   = "hand-written spec update"
	prunes        = "prune"
	defaultFill   = "default"
	withShadow    = "hand-written with a shadow"
	plainRun      = "run"
	countedRun    = "run with coverage"
	writes        = "write " // and a format
)

// comparison is how many times faster one contender is to be than another. A goal
// is what the design wishes for, a floor what is asked at least.
type comparison struct {
	name        string
	slow, fast  string
	floor, goal float64

	// Rules are run after the schema, so that what they take is a difference. Where
	// that is no more than the noise of the whole, the wholes are compared.
	without, slowWithout string
	whole                string // the name of the comparison then
}

// update is the least ratio of a create to an update: an update may take 1.1 times as long. Typed
// objects miss it since a new one is visited once: an update is visited twice and compared with the old
// object, and 17 rules of a Pod run on updates alone. Hand-written updates of Pods take longer still.
const update = 1 / 1.1

// counted is the least ratio of a run to a run with coverage, which may take 1.3 times as long.
const counted = 1 / 1.3

// bare is the least ratio of compiling a schema without rules. The API server only converts such a
// schema: its patterns are compiled, and its mistakes are found, when an object is validated.
// Compiling Certificates and PrometheusRules was never 3 times as fast: it was 1.4 and 1.0 times
// when the goal was set for all schemas, and takes half a millisecond at most.
const bare = 0.9

// ruled is the least ratio of hand-written code to a schema with all rules. It is 1.0 to 1.1 on a quiet
// machine, and half of that where other programs use the caches: rules are many small closures. A third
// of what hand-written code takes is its garbage; to someone who waits for a single call, while another
// processor collects it, the ratio is 0.75. A typed Pod of 1 KB meets 186 rules, and 50 KB of containers
// meet 3,260.
const ruled = 0.4

// beside is the ratio of hand-written code to the same code in a server that holds a schema beside
// it, for 5 % of its time: a request may take a tenth longer. What each request pays by itself, 0.3 µs,
// is 3 % of a Pod of 1 KB, which is why the floor is lower.
const (
	beside      = 1 / 1.1
	besideSmall = 0.85
)

// transitions is the least ratio of a typed create to a typed update that changes the spec. 17 rules
// of a Pod have an oldSelf, so that they run on updates alone. They compare both Pods field by field:
// two fifths of what all rules take in an update of 1 KB.
const transitions = 0.5

func comparisons() []comparison {
	return append(writerComparisons(), []comparison{
		{name: "schema: reference / declarative", slow: referenceOnly, fast: schemaOnly, floor: 25, goal: 40},
		{name: "schema: santhosh / declarative", slow: santhoshOnly, fast: schemaOnly, floor: 3, goal: 5},
		{
			name: "CEL: reference / declarative", slow: referenceCEL, fast: withRules, floor: 8, goal: 20,
			without: schemaOnly, slowWithout: referenceOnly, whole: "schema+CEL: reference / declarative",
		},
		{name: "create / no-op update", slow: withRules, fast: unchanged, floor: update, goal: update},
		{name: "create / status update", slow: withRules, fast: statusChanged, floor: update, goal: update},
		{name: "create / spec update", slow: withRules, fast: specChanged, floor: update, goal: update},
		{name: "compile: reference / declarative", slow: refCompiling, fast: compiling, floor: 3, goal: 3},
		{name: "compile without rules: reference / declarative", slow: refBare, fast: bareCompiling, floor: bare, goal: bare},
		{name: "DeepCopyJSON / declarative schema", slow: deepCopy, fast: schemaOnly, goal: 1},
		{name: "JSON decode / declarative schema", slow: decode, fast: schemaOnly, goal: 1},
		{name: "DeepCopyJSON / prune", slow: deepCopy, fast: prunes, goal: 4},
		{name: "DeepCopyJSON / default", slow: deepCopy, fast: defaultFill, goal: 4},
		{name: "hand-written / declarative typed", slow: handWritten, fast: typed, floor: ruled, goal: 1},
		{name: "hand-written / typed, no-op update", slow: handSame, fast: typedSame, goal: 1},
		{name: "hand-written / typed, spec update", slow: handChanged, fast: typedChanged, goal: 1},
		{name: "hand-written / typed schema alone", slow: handWritten, fast: typedSchema, goal: 1},
		{name: "hand-written / with a shadow", slow: handWritten, fast: withShadow, floor: besideSmall, goal: beside},
		{name: "typed create / typed no-op update", slow: typed, fast: typedSame, floor: update, goal: update},
		{name: "run / run with coverage", slow: plainRun, fast: countedRun, floor: counted, goal: counted},
		{name: "typed create / typed spec update", slow: typed, fast: typedChanged, floor: transitions, goal: transitions},
	}...)
}

// written is the least ratio of JSON lines, which have everything and are written as they come,
// to another format.
const written = 1. / 3

// writerComparisons compare what each format costs.
func writerComparisons() []comparison {
	var all []comparison
	for _, format := range reports.Formats() {
		if format != "jsonl" {
			all = append(all, comparison{name: "jsonl / " + format, slow: writes + "jsonl", fast: writes + format, goal: written})
		}
	}
	return all
}

// ratio is what came out of a comparison.
type ratio struct {
	Subject string  `json:"subject"`
	Name    string  `json:"name"`
	Ratio   float64 `json:"ratio"`  // of the fastest rounds: what disturbs a round only makes it slower
	Median  float64 `json:"median"` // of the medians
	Floor   float64 `json:"floor,omitempty"`
	Goal    float64 `json:"goal,omitempty"`
}

func ratios(s subject, results []result) []ratio {
	fastest, median := map[string]float64{}, map[string]float64{}
	for _, r := range results {
		fastest[r.Contender], median[r.Contender] = r.Fastest, r.Nanoseconds
	}
	var all []ratio
	for _, c := range comparisons() {
		if fastest[c.slow] == 0 || fastest[c.fast] == 0 {
			continue
		}
		const noise = 0.1 // of a whole
		rules := func(times map[string]float64) float64 { return 1 - times[c.without]/times[c.fast] }
		if c.without != "" && min(rules(fastest), rules(median)) < noise {
			c.name = c.whole
			for _, times := range []map[string]float64{fastest, median} {
				times[c.slow] += times[c.slowWithout]
			}
			c.without = ""
		}
		of := func(times map[string]float64) float64 { return times[c.slow] / (times[c.fast] - times[c.without]) }
		all = append(all, ratio{Subject: s.name, Name: c.name, Ratio: of(fastest), Median: of(median), Floor: c.floor, Goal: c.goal})
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
	fmt.Fprintln(w, "subject\tratio\tfastest\tmedian\tat least\tgoal\t\t")
	for _, r := range all.Ratios {
		fmt.Fprintf(w, "%s\t%s\t%.2f\t%.2f\t%s\t%s\t%s\t\n", r.Subject, r.Name, r.Ratio, r.Median, bar(r.Floor), bar(r.Goal), judge(r))
	}
	w.Flush()
	if len(all.Gains) > 0 {
		gainTable(out, all.Gains)
	}
	for _, note := range all.Notes {
		fmt.Fprintln(out, note)
	}
}

func bar(x float64) string {
	if x == 0 {
		return ""
	}
	return fmt.Sprintf("%.2g", x)
}

// judge says what came out of a comparison. A busy machine disturbs each round of a long
// call and not of a short one, so both ratios must be good. A create and an update take
// about as long as each other and are compared by their fastest rounds alone.
func judge(r ratio) string {
	got := min(r.Ratio, r.Median)
	if r.Floor == update {
		got = r.Ratio
	}
	switch {
	case got >= r.Goal:
		return "goal"
	case got < r.Floor:
		return "MISSED"
	case r.Floor == 0:
		return "below the goal"
	}
	return "ok"
}
