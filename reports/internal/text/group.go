package text

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/sidebyside"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/internal/display"
	"github.com/diffrun/diffrun/reports/internal/summary"
)

// A run over hundreds of generated objects finds the same difference hundreds of times. These
// limit how much of it is shown; --verbose shows everything.
const (
	// wholeBlocks is the number of blocks before anything is omitted.
	wholeBlocks = 40
	// shownTimes is the number of cases in which a group is shown after that, including earlier
	// ones.
	shownTimes = 1
	// shownAlike is how many differences of a group are shown for one result.
	shownAlike = 3
	// listedGroups is the number of groups listed at the end. Their texts are cut to this many
	// bytes.
	listedGroups = 25
	listedWidth  = 200
	// maxGroups limits memory. Differences of further groups are always shown.
	maxGroups = 2000
)

// group counts repeated findings: differences of one class and effect whose fields differ only in
// indices and whose texts differ only in quoted values and numbers, or faults with the same text.
type group struct {
	found, cases int
	open         int // found that no exception accepts
	effect       words.Effect
	field        string // with its kind; an error without a field has its text
	first        string // the id of the first case
	source       string // its file and line, or the id
	heading      string
	sides        harness.Sides
	// native and declarative are the errors of the first difference. A fault has none.
	native, declarative []string
	last                int  // the number of the last case
	shown               int  // in how many cases
	shows               bool // in the last one
}

// groups are the groups of a run by their key.
type groups struct {
	known  map[string]*group
	of     *harness.Case // the last one
	cases  int           // up to it
	blocks int           // that were drawn
	hidden int           // cases without new findings
	fewer  bool          // something was omitted
}

// see counts a member of a group, and reports whether to show it.
func (g *groups) see(key string, c *harness.Case, isOpen bool, begin func() group) bool {
	if g.known == nil {
		g.known = map[string]*group{}
	}
	seen := g.known[key]
	if seen == nil {
		if len(g.known) == maxGroups {
			return true
		}
		begun := begin()
		begun.first, begun.heading = display.Name(c.ID), plaintext.Cut(begun.heading, listedWidth)
		begun.source = cmp.Or(display.Name(c.Source), begun.first)
		seen = &begun
		g.known[key] = seen
	}
	seen.found++
	if isOpen {
		seen.open++
	}
	if g.of != c {
		g.of = c
		g.cases++
	}
	if seen.last != g.cases {
		seen.last = g.cases
		seen.cases++
		if seen.shows = g.blocks < wholeBlocks || seen.shown < shownTimes; seen.shows {
			seen.shown++
		}
	}
	return seen.shows
}

// causeOfText returns the key of a fault or of an expectation that is not met.
func causeOfText(r harness.Result, what, text string) string {
	return what + "\x00" + causes.SharedMessage(&r, text)
}

// ofPair counts a difference with its key.
func (g *groups) ofPair(r harness.Result, pair equivalence.Pair, likeness causes.Cause) bool {
	effect := r.EffectOf(pair)
	return g.see(likeness.Signature(string(effect)), r.Case, !pair.Explained(), func() group {
		native, declarative := sidebyside.Columns(pair)
		field := r.Version.Kind + "  " + sidebyside.Place(likeness.Field)
		return group{
			effect:      effect,
			sides:       r.Sides,
			field:       r.Version.Kind + "  " + fieldOrText(pair, likeness),
			heading:     string(pair.Class) + "  " + field,
			native:      listed(native),
			declarative: listed(declarative),
		}
	})
}

// fieldOrText returns the field of a difference or, without one, the text of the error, which tells causes apart.
func fieldOrText(pair equivalence.Pair, likeness causes.Cause) string {
	err := cmp.Or(pair.Native, pair.Declarative)
	if fieldpath.Canonical(likeness.Field) == "" && err.Detail != "" {
		return plaintext.Line(err.Detail)
	}
	return sidebyside.Place(likeness.Field)
}

// ofText counts a fault, or an expectation that is not met.
func (g *groups) ofText(r harness.Result, what, text string) bool {
	return g.see(causeOfText(r, what, text), r.Case, true, func() group { return group{sides: r.Sides, heading: what + "  " + text} })
}

// listed shortens the text of an error.
func listed(columns []string) []string {
	if columns == nil {
		return nil
	}
	last := len(columns) - 1
	columns[last] = plaintext.Cut(columns[last], listedWidth)
	return columns
}

// sorted returns the groups, the worst first.
func (g *groups) sorted() []*group {
	return slices.SortedFunc(maps.Values(g.known), func(a, b *group) int {
		return cmp.Or(cmp.Compare(causes.EffectOrder(a.effect), causes.EffectOrder(b.effect)), cmp.Compare(b.found, a.found),
			cmp.Compare(a.heading, b.heading), cmp.Compare(a.first, b.first))
	})
}

// headingsOf returns the headings of groups.
func headingsOf(shown []*group) summary.Headings {
	headings := summary.Headings{}
	for _, group := range shown {
		headings.Add(group.effect, group.sides)
	}
	return headings
}

// drawGroups lists the largest groups by effect, if something was omitted.
func (t *text) drawGroups() string {
	if !t.groups.fewer {
		return ""
	}
	all := t.groups.sorted()
	var out strings.Builder
	out.WriteString(t.paint.bold("most frequent findings") + "\n")
	shown := all[:min(len(all), listedGroups)]
	effect, headings := words.Effect("none yet"), headingsOf(shown)
	for _, group := range shown {
		if group.effect != effect {
			effect = group.effect
			out.WriteString(t.paint.bold(headings.Title(effect)) + "\n")
		}
		head := fmt.Sprintf("  %s in %s  ", t.paint.yellow(fmt.Sprintf("%d×", group.found)), plaintext.Count(group.cases, "case"))
		out.WriteString(t.paragraph(head, hanging, group.heading+", first in "+group.first))
		if group.native != nil || group.declarative != nil {
			first, second := group.sides.Labels()
			t.drawLines(&out, sidebyside.Both(first, second, group.native, group.declarative, t.width))
		}
	}
	var rest []string
	if more := len(all) - listedGroups; more > 0 {
		rest = append(rest, plaintext.Count(more, "other kind")+" of difference or fault")
	}
	if t.groups.hidden > 0 {
		rest = append(rest, plaintext.Count(t.groups.hidden, "case")+" without new findings")
	}
	out.WriteString(t.paragraph("  ", 2, strings.Join(append(rest, "--verbose shows everything, -o json=FILE keeps it"), "; ")))
	return out.String() + "\n"
}
