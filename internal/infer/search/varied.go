package search

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Varied says which other fields of refused objects were varied: the error stayed, or others hid it.
type Varied struct {
	// Fields are their places, and Left counts those that were left out, because there are too many.
	Fields []string `json:"fields"`
	Left   int      `json:"left,omitempty"`
	// Objects counts the objects that the native validator was asked about.
	Objects int `json:"objects"`
	// Offered are the other values that there are.
	Offered int `json:"-"`
	// tied are the numbers that are beside a bound in all objects, by their places, and were not varied.
	tied map[string]int64
}

// IsUnvaried reports whether the other fields were not varied for one of the chosen hypotheses, or no object with other values
// of them could be asked about.
func (x *Explanation) IsUnvaried() bool {
	return slices.ContainsFunc(x.Chosen, func(h *Hypothesis) bool {
		varied := x.Subject.Varied[h.Expr()]
		return varied == nil || varied.Offered > 0 && varied.Objects == 0
	})
}

// HasTooFewExamples reports whether the objects that are refused, with those in which other fields were
// varied, are no more than the conditions
// of the rules: each can then fit one object by chance.
func (x *Explanation) HasTooFewExamples() bool {
	refused, _ := x.Neighbours()
	conditions := 0
	for _, h := range x.Chosen {
		conditions += len(h.Parts)
		if varied := x.Subject.Varied[h.Expr()]; varied != nil {
			refused += varied.Objects
		}
	}
	return len(x.Chosen) > 0 && refused <= conditions
}

// And joins what was varied for two hypotheses.
func (v *Varied) And(other *Varied) *Varied {
	if v == nil || other == nil {
		return cmp.Or(v, other)
	}
	fields := slices.Concat(v.Fields, other.Fields)
	slices.Sort(fields)
	return &Varied{
		Fields:  slices.Compact(fields),
		Left:    max(v.Left, other.Left),
		Objects: v.Objects + other.Objects,
		Offered: v.Offered + other.Offered,
	}
}

// Tie keeps the numbers that are beside a bound in this object as well.
func (v *Varied) Tie(tied map[string]int64, isFirst bool) {
	if isFirst {
		v.tied = tied
	}
	maps.DeleteFunc(v.tied, func(field string, _ int64) bool { _, is := tied[field]; return !is })
}

// Untie drops the numbers that were varied.
func (v *Varied) Untie() {
	for _, field := range v.Fields {
		delete(v.tied, field)
	}
}

// mostVariedNames is how many fields the text names.
const mostVariedNames = 4

// Text says what was varied.
func (v *Varied) Text() string {
	names := strings.Join(v.Fields[:min(len(v.Fields), mostVariedNames)], ", ")
	if more := len(v.Fields) - mostVariedNames; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	text := fmt.Sprintf("none of %s with other values of %s is accepted", plaintext.Count(v.Objects, "refused object"), names)
	if v.Left > 0 {
		text += fmt.Sprintf("; %s not varied",
			plaintext.Count(v.Left, "more field")+map[bool]string{true: " was", false: " were"}[v.Left == 1])
	}
	return text
}
