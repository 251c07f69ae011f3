package harness

import (
	"slices"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/sidebyside"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// complaint holds the lines about one case, and the versions that share them.
type complaint struct {
	lines    []string
	versions []string
}

// String returns the lines, with the versions at the end of the first one.
func (c complaint) String() string {
	first, rest, _ := strings.Cut(c.lines[0], "\n")
	first += " in " + strings.Join(c.versions, ", ")
	if rest != "" {
		first += "\n" + rest
	}
	return strings.Join(append([]string{first}, c.lines[1:]...), "\n\t")
}

// addComplaint adds the complaint about a result, if any. Versions with equal lines share one.
func addComplaint(all []complaint, r *Result) []complaint {
	lines := complaintsOf(r)
	if len(lines) == 0 {
		return all
	}
	for i := range all {
		if slices.Equal(all[i].lines, lines) {
			all[i].versions = append(all[i].versions, nameOf(r))
			return all
		}
	}
	return append(all, complaint{lines, []string{nameOf(r)}})
}

// complaintsOf returns what is wrong with a result, one item each. Package plaintext escapes it,
// because go test interprets beginnings of lines.
func complaintsOf(r *Result) []string {
	var lines []string
	var differences []equivalence.Pair
	for _, pair := range r.Pairs {
		if !pair.Explained() {
			differences = append(differences, pair)
		}
	}
	shown, more := plaintext.First(differences)
	for _, pair := range shown {
		lines = append(lines, describe(r.Sides, pair))
	}
	lines = append(lines, rest(more, "differences")...)
	if said := r.OnStored(); said != "" && len(lines) > 0 {
		lines = append(lines, said)
	}
	for of, fault := range r.Faults() {
		said := plaintext.Lines(fault.Error())
		lines = append(lines, "fault of "+r.Sides.Source(of)+"\n\t\t"+strings.Join(said, "\n\t\t"+plaintext.Gutter))
	}
	unmet, more := plaintext.First(r.Unmet)
	for _, message := range unmet {
		lines = append(lines, plaintext.Line(message))
	}
	return append(lines, rest(more, "unmet expectations")...)
}

// rest returns the line that ends a shortened list, or nil if nothing is left out.
func rest(more int, of string) []string {
	if more == 0 {
		return nil
	}
	return []string{plaintext.More(more) + " " + of}
}

// advise logs what to do about differences, each step once per test.
func (h *Harness) advise(t testing.TB, results []Result) {
	t.Helper()
	for i := range results {
		step := nextStep(&results[i])
		if step == "" {
			continue
		}
		if _, said := h.advised.LoadOrStore(t.Name()+"\x00"+step, true); !said {
			t.Logf("what to do: %s", step)
		}
	}
}

// nextStep returns what to do about the differences of a result; empty: there are none.
func nextStep(r *Result) string {
	switch {
	case r.Verdict == words.Unstable:
		return "a validator whose answers vary for the same input ranges over a map or keeps state; fix that first"
	case r.Verdict != words.Different:
		return ""
	case r.OutsidePath:
		return "no error of the hand-written side is at a field of the object. A function that is given a path begins its " +
			"errors with it: set the same Path in the case"
	}
	return "fix the validator or the schema. Where both mean the same, pass a rule to harness.For (harness.WithRules); " +
		"where the difference is accepted for now, a reviewed exception (harness.WithExceptions)"
}

// lineWidth is the width of a line of a difference in runes, as in text reports.
const lineWidth = 100

// describe returns a difference: its class and field, and both errors below.
func describe(sides Sides, pair equivalence.Pair) string {
	heading := string(pair.Class)
	if sidebyside.AtOnePlace(pair) {
		heading += " at " + sidebyside.PairPlace(pair)
	}
	if often := pair.FrequencyOf(sides.Labels()); often != "" {
		heading += ", " + often
	}
	first, second := sides.Labels()
	var out strings.Builder
	out.WriteString(heading)
	for _, line := range sidebyside.Pair(first, second, pair, lineWidth) {
		out.WriteString("\n\t" + line.Text)
		if line.Marks != "" {
			out.WriteString("\n\t" + line.Marks)
		}
	}
	return out.String()
}
