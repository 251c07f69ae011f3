package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
)

// measured holds the results of the calls of a group.
type measured struct {
	group string
	calls []call
	// left are calls without the line.
	left []string
}

// share counts calls that validate an object or a part of one.
type share struct {
	calls, compared int
	of              map[outcome]int
}

func (s *share) add(c call) {
	if c.Value {
		return
	}
	s.calls++
	if c.compared() {
		s.compared++
		s.of[c.outcome()]++
	}
}

func (s share) String() string {
	row := fmt.Sprintf("%d\t%d\t%s", s.calls, s.compared, percent(s.compared, s.calls))
	for _, o := range outcomes() {
		row += fmt.Sprintf("\t%d", s.of[o])
	}
	return row
}

func percent(part, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(of))
}

// shareOf counts the calls of groups.
func shareOf(all ...measured) share {
	counted := share{of: map[outcome]int{}}
	for _, m := range all {
		for _, c := range m.calls {
			counted.add(c)
		}
	}
	return counted
}

// printTable prints the outcomes of the calls of each group, each in the column of its worst
// difference.
func printTable(out io.Writer, all []measured) {
	table := tabwriter.NewWriter(out, 0, 8, 2, ' ', tabwriter.AlignRight)
	heading := "group\tcalls\tcompared\tshare"
	for _, o := range outcomes() {
		heading += "\t" + string(o)
	}
	fmt.Fprintln(table, heading+"\t")
	values := 0
	for _, m := range all {
		fmt.Fprintf(table, "%s\t%v\t\n", m.group, shareOf(m))
		for _, c := range m.calls {
			if c.Value {
				values++
			}
		}
	}
	fmt.Fprintf(table, "all\t%v\t\n", shareOf(all...))
	table.Flush()
	fmt.Fprintf(out, `
same       the schema says what the function says, in its words or by a rule
own call   only the call differs: a request with the object gets the same answer from both
excepted   exceptions.yaml accepts what differs, and says why
different  nothing explains what differs: the test fails
%d calls more validate a single value, such as a text, which no schema is about.
`, values)
}

// printKinds lists the differences of an outcome by kind, with the number of calls that have each,
// most frequent first. A kind is the function, the class and the field.
func printKinds(out io.Writer, title string, all []measured, wanted outcome) {
	kinds := map[string]int{}
	for _, m := range all {
		for _, c := range m.calls {
			for kind := range c.kinds(wanted) {
				kinds[m.group+" "+kind]++
			}
		}
	}
	printCounts(out, title, kinds)
}

// kinds returns the kinds of a call's differences, each once for all versions.
func (c call) kinds(wanted outcome) map[string]bool {
	found := map[string]bool{}
	for _, v := range c.Versions {
		for _, d := range v.Differences {
			if kind := fmt.Sprintf("%s: %s %s", c.Function, d.Class, indices.ReplaceAllString(d.Field, "[*]")); d.outcome() == wanted {
				found[strings.TrimSpace(kind+" "+d.Accepted)] = true
			}
		}
	}
	return found
}

// printNothing lists why calls were not compared, apart from those that validate single values.
func printNothing(out io.Writer, all []measured) {
	why := map[string]int{}
	for _, m := range all {
		for _, c := range m.calls {
			for _, reason := range c.reasons() {
				why[m.group+" "+c.Function+": "+reason]++
			}
		}
	}
	printCounts(out, "compared nothing, by reason", why)
}

// printDetails lists, most frequent first, the unchanged calls and both sides of each difference.
func printDetails(out io.Writer, all []measured) {
	for _, m := range all {
		left, differences := map[string]int{}, map[string]int{}
		for _, call := range m.left {
			left[call]++
		}
		for _, c := range m.calls {
			for text := range c.differences() {
				differences[c.Function+": "+text]++
			}
		}
		printCounts(out, m.group+": without the line", left)
		printCounts(out, m.group+": differences", differences)
	}
}

// reasons returns why a call compared nothing.
func (c call) reasons() []string {
	switch {
	case c.compared() || c.Value:
		return nil
	case c.NoKind != "":
		return []string{c.NoKind}
	}
	var reasons []string
	for _, v := range c.Versions {
		reasons = append(reasons, v.Name+": "+cmp.Or(v.Fault, v.Lost))
	}
	return reasons
}

var indices = regexp.MustCompile(`\[\d+\]`)

// differences returns those of a call, each once for all versions.
func (c call) differences() map[string]bool {
	found := map[string]bool{}
	for _, v := range c.Versions {
		for _, d := range v.Differences {
			found[fmt.Sprintf("(%s) %s %s: native %q, declarative %q", strings.TrimSpace(string(d.outcome())+" "+d.Accepted),
				d.Class, indices.ReplaceAllString(d.Field, "[*]"), d.Native, d.Declarative)] = true
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

// hold returns an error if the share of compared calls is below a percentage, or if more calls than
// allowed differ.
func hold(all []measured, least float64, most int) error {
	sum := shareOf(all...)
	var missed []error
	if compared := 100 * float64(sum.compared) / float64(max(sum.calls, 1)); compared < least {
		missed = append(missed, fmt.Errorf("%.1f %% of the calls compare something, wanted %g %%: -v says why others do "+
			"not", compared, least))
	}
	if n := sum.of[different]; most >= 0 && n > most {
		missed = append(missed, fmt.Errorf("%d calls differ and nothing explains it, wanted %d at most: the list above has them "+
			"by kind, and -v both sides", n, most))
	}
	return errors.Join(missed...)
}
