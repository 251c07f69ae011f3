package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"text/tabwriter"

	"github.com/diffrun/diffrun/internal/fastpath"
)

// fastPath is a fast path of the engine and the goal that it serves.
type fastPath struct {
	path  fastpath.Path
	name  string
	files string // a pattern, below engine
	goal  string // the contender that is slower without it
}

const engine = "backends/declarative/internal"

func fastPaths() []fastPath {
	return []fastPath{
		{fastpath.Parser, "CEL parser", "cel/parse/*.go", compiling},
		{fastpath.Check, "CEL types without an environment", "cel/check.go", compiling},
		{fastpath.Share, "one node for equal schemas", "graph/share.go", compiling},
		{fastpath.Plans, "plans of rules", "cel/plan/*.go", withRules},
		{fastpath.Plans, "plans of rules, typed", "cel/plan/*.go", typed},
		{fastpath.Join, "joined rules", "cel/plan/join.go", typed},
		{fastpath.Tables, "tables of patterns", "pattern/table.go", schemaOnly},
		{fastpath.Formats, "patterns of formats", "pattern/format.go", schemaOnly},
		{fastpath.Memory, "Go objects in memory", "view/[mt]*.go", typedSchema},
		{fastpath.Known, "quantities, times, int-or-strings", "view/converter.go", typedChanged},
		{fastpath.Equality, "equality of whole values", "cel/decl/equality.go", typedChanged},
	}
}

// withoutFastPath is the name of a contender that runs with a path switched off.
func (p fastPath) without() string { return p.goal + " without " + p.name }

// slower is a goal with one of its fast paths switched off. make compiles what it runs.
type slower struct {
	fastPath
	make func() func()
	with contender // the goal itself
}

// addWithout adds a goal with each of its fast paths switched off.
func (s *subject) addWithout(goal string, make func() func()) {
	for _, p := range fastPaths() {
		if p.goal == goal && s.verbose {
			s.slower = append(s.slower, slower{fastPath: p, make: make})
		}
	}
}

// pairs returns the goals without a fast path that are wanted, each with the goal itself.
func (s *subject) pairs(wanted *regexp.Regexp) (all []slower) {
	for _, p := range s.slower {
		i := slices.IndexFunc(s.contenders, func(c contender) bool { return c.name == p.goal })
		if i >= 0 && wanted.MatchString(p.without()) {
			p.with = s.contenders[i]
			all = append(all, p)
		}
	}
	return all
}

// measure measures a goal without a fast path, in turn with the goal itself. What it runs is made here
// and lives no longer: where more lives, garbage is collected less often, and making it looks cheap.
func (p slower) measure(s *subject, e effort) result {
	both := subject{name: s.name, bytes: s.bytes, contenders: []contender{p.with}}
	p.add(&both)
	pair := both.measure(e)
	pair[1].With = pair[0].Fastest
	return pair[1]
}

// add makes what runs without the fast path and adds it as a contender.
func (p slower) add(s *subject) {
	var do func()
	fastpath.Without(p.path, func() { do = p.make() })
	s.add(p.without(), func() { fastpath.Without(p.path, do) })
}

// gain is what a fast path gains: how many times longer its goal takes without it, for the
// subject where that is most.
type gain struct {
	Path    string  `json:"path"`
	Lines   int     `json:"lines"`
	Goal    string  `json:"goal"`
	Subject string  `json:"subject"`
	Times   float64 `json:"times"`
}

func (all report) gains() ([]gain, error) {
	var gains []gain
	for _, p := range fastPaths() {
		lines, err := linesOf(filepath.Join(engine, filepath.FromSlash(p.files)))
		if err != nil {
			return nil, err
		}
		best := gain{Path: p.name, Lines: lines, Goal: p.goal}
		for _, r := range all.Results {
			if r.Contender != p.without() {
				continue
			}
			if times := r.Fastest / r.With; times > best.Times {
				best.Subject, best.Times = r.Subject, times
			}
		}
		if best.Subject != "" { // else no subject was measured with it
			gains = append(gains, best)
		}
	}
	return gains, nil
}

// linesOf counts the lines of the files of a pattern, tests left out.
func linesOf(pattern string) (lines int, err error) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		return 0, fmt.Errorf("no files %s: run this from the root of the repository (%w)", pattern, err)
	}
	for _, file := range files {
		if match, _ := filepath.Match("*_test.go", filepath.Base(file)); match {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return 0, err
		}
		lines += bytes.Count(data, []byte("\n"))
	}
	return lines, nil
}

func gainTable(out io.Writer, gains []gain) {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\nfast path\tlines\tgoal\tsubject\ttimes as long without\t")
	for _, g := range gains {
		verdict := ""
		if g.Times < 1.5 {
			verdict = "gains too little"
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%.2f\t%s\n", g.Path, g.Lines, g.Goal, g.Subject, g.Times, verdict)
	}
	w.Flush()
}
