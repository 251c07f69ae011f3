package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/diffrun/diffrun/dev/upstream/agreement"
)

// row counts how the calls of one function compare in one way.
type row struct {
	function string
	way      agreement.Way
	calls    int
	// speaking are those where upstream returns errors, or changes the value: only they can show
	// that this project finds nothing.
	speaking int
	// equal and refused are agreement; exact are those of equal with the same details and bad
	// values.
	equal, exact, refused, explained, different int
}

// share returns how much of a row agrees, from 0 to 1.
func (r row) share() float64 { return float64(r.equal+r.refused) / float64(max(r.calls, 1)) }

func summarize(findings []agreement.Finding) []row {
	var rows []row
	for _, f := range findings {
		at := slices.IndexFunc(rows, func(r row) bool { return r.function == f.Call.Function && r.way == f.Way })
		if at < 0 {
			at = len(rows)
			rows = append(rows, row{function: f.Call.Function, way: f.Way})
		}
		r := &rows[at]
		r.calls++
		if f.Speaks {
			r.speaking++
		}
		switch f.Verdict {
		case agreement.Equal:
			r.equal++
			if f.Exact {
				r.exact++
			}
		case agreement.Refused:
			r.refused++
		case agreement.Explained:
			r.explained++
		default:
			r.different++
		}
	}
	return rows
}

func writeTable(out io.Writer, rows []row) {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "function\tway\tcalls\twith errors or a change\tequal\tdetails too\trefused by both\texplained\tdifferent\t%\t")
	totals := map[agreement.Way]*row{}
	for _, r := range rows {
		writeRow(w, r)
		total := totals[r.way]
		if total == nil {
			total = &row{function: "all", way: r.way}
			totals[r.way] = total
		}
		total.add(r)
	}
	for _, way := range slices.Sorted(maps.Keys(totals)) {
		writeRow(w, *totals[way])
	}
	w.Flush()
}

func (r *row) add(other row) {
	r.calls += other.calls
	r.speaking += other.speaking
	r.equal += other.equal
	r.exact += other.exact
	r.refused += other.refused
	r.explained += other.explained
	r.different += other.different
}

func writeRow(out io.Writer, r row) {
	fmt.Fprintf(out, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t\n",
		r.function, r.way, r.calls, r.speaking, r.equal, r.exact, r.refused, r.explained, r.different, 100*r.share())
}

// writeApart writes the calls that could not be compared, and the reasons of explained differences.
func writeApart(out io.Writer, report *agreement.Report) {
	why := map[string]int{}
	for _, f := range report.Findings {
		if f.Verdict == agreement.Explained {
			why[f.Why]++
		}
	}
	for _, list := range []struct {
		title  string
		counts map[string]int
	}{{"explained", why}, {"not compared", report.Apart}} {
		for _, name := range slices.Sorted(maps.Keys(list.counts)) {
			fmt.Fprintf(out, "%s: %d × %s\n", list.title, list.counts[name], name)
		}
	}
}

// writeFindings writes the calls that differ.
func writeFindings(out io.Writer, findings []agreement.Finding) {
	indent := func(text string) string { return "    " + strings.ReplaceAll(text, "\n", "\n    ") }
	for _, f := range findings {
		if f.Verdict != agreement.Different && f.Verdict != agreement.Explained {
			continue
		}
		fmt.Fprintf(out, "%s (%s), %s: %s %s\n", f.Call.Function, f.Way, f.Call.Test, f.Verdict, f.Why)
		for _, part := range []struct{ name, text string }{
			{"schema", string(f.Call.Schema)}, {"definition", string(f.Call.Definition)},
			{"object", string(f.Call.Object)}, {"old", string(f.Call.Old)}, {"upstream", f.Want}, {"diffrun", f.Got},
		} {
			if part.text != "" {
				fmt.Fprintf(out, "  %s\n%s\n", part.name, indent(part.text))
			}
		}
	}
}
