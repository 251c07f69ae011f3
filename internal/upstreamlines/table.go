package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
)

// measured is what the calls of a group came to.
type measured struct {
	group string
	calls []call
	// left are calls that the line was not put around.
	left []string
}

// share counts calls.
type share struct{ calls, compared, same int }

func (s *share) add(c call) {
	s.calls++
	if c.compared() {
		s.compared++
		if !c.differs() {
			s.same++
		}
	}
}

func (s share) String() string {
	return fmt.Sprintf("%d\t%d\t%s\t%s", s.calls, s.compared, percent(s.compared, s.calls), percent(s.same, s.compared))
}

func percent(part, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(of))
}

func printTable(out io.Writer, all []measured) {
	table := tabwriter.NewWriter(out, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "group\tcalls\tcompared\tshare\tno difference\tof kinds without schema\tof single values\t")
	total, totalNoKind, totalValues := share{}, 0, 0
	for _, m := range all {
		counted, noKind, values := share{}, 0, 0
		for _, c := range m.calls {
			switch {
			case c.NoKind:
				noKind++
			case c.Value:
				values++
			default:
				counted.add(c)
				total.add(c)
			}
		}
		totalNoKind, totalValues = totalNoKind+noKind, totalValues+values
		fmt.Fprintf(table, "%s\t%v\t%d\t%d\t\n", m.group, counted, noKind, values)
	}
	fmt.Fprintf(table, "all\t%v\t%d\t%d\t\n", total, totalNoKind, totalValues)
	table.Flush()
}

// printDetails lists, most frequent first, why calls compared nothing, and how schemas
// differ.
func printDetails(out io.Writer, all []measured) {
	for _, m := range all {
		why, differences := map[string]int{}, map[string]int{}
		for _, left := range m.left {
			why[left]++
		}
		for _, c := range m.calls {
			for _, reason := range c.reasons() {
				why[c.Function+": "+reason]++
			}
			for text := range c.differences() {
				differences[c.Function+": "+text]++
			}
		}
		printCounts(out, m.group+": compared nothing", why)
		printCounts(out, m.group+": differences", differences)
	}
}

// reasons says why a call compared nothing.
func (c call) reasons() []string {
	switch {
	case c.compared():
		return nil
	case c.Value:
		return []string{"it validates a single value"}
	case c.NoKind:
		return []string{"its kind has no schema"}
	}
	var reasons []string
	for _, v := range c.Versions {
		reasons = append(reasons, v.Name+": "+cmp.Or(v.Fault, v.Lost))
	}
	return reasons
}

var indices = regexp.MustCompile(`\[\d+\]`)

// differences are those of a call, each once for all versions.
func (c call) differences() map[string]bool {
	found := map[string]bool{}
	for _, v := range c.Versions {
		for _, d := range v.Differences {
			found[fmt.Sprintf("%s %s: native %q, declarative %q", d.Class, indices.ReplaceAllString(d.Field, "[*]"), d.Native, d.Declarative)] = true
		}
	}
	return found
}

func printCounts(out io.Writer, title string, counts map[string]int) {
	if len(counts) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n", title)
	texts := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
	for _, text := range texts {
		fmt.Fprintf(out, "%6d  %s\n", counts[text], text)
	}
}
