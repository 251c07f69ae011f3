package infer

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
	offered int // other values that there are
	// tied are the numbers that are beside a bound in all objects, by their places, and were not varied.
	tied map[string]int64
}

// isUnvaried reports whether the other fields were not varied for one of the chosen hypotheses, or no object with other values
// of them could be asked about.
func (x *explanation) isUnvaried() bool {
	return slices.ContainsFunc(x.chosen, func(h *hypothesis) bool {
		varied := x.subject.varied[h.expr()]
		return varied == nil || varied.offered > 0 && varied.Objects == 0
	})
}

// hasTooFewExamples reports whether the objects that are refused, with those in which other fields were varied, are no more than the conditions
// of the rules: each can then fit one object by chance.
func (x *explanation) hasTooFewExamples() bool {
	refused, _ := x.neighbours()
	conditions := 0
	for _, h := range x.chosen {
		conditions += len(h.parts)
		if varied := x.subject.varied[h.expr()]; varied != nil {
			refused += varied.Objects
		}
	}
	return len(x.chosen) > 0 && refused <= conditions
}

// and joins what was varied for two hypotheses.
func (v *Varied) and(other *Varied) *Varied {
	if v == nil || other == nil {
		return cmp.Or(v, other)
	}
	fields := slices.Concat(v.Fields, other.Fields)
	slices.Sort(fields)
	return &Varied{Fields: slices.Compact(fields), Left: max(v.Left, other.Left), Objects: v.Objects + other.Objects, offered: v.offered + other.offered}
}

// tie keeps the numbers that are beside a bound in this object as well.
func (v *Varied) tie(tied map[string]int64, isFirst bool) {
	if isFirst {
		v.tied = tied
	}
	maps.DeleteFunc(v.tied, func(field string, _ int64) bool { _, is := tied[field]; return !is })
}

// untie drops the numbers that were varied.
func (v *Varied) untie() {
	for _, field := range v.Fields {
		delete(v.tied, field)
	}
}

// mostVariedNames is how many fields the text names.
const mostVariedNames = 4

// text says what was varied.
func (v *Varied) text() string {
	names := strings.Join(v.Fields[:min(len(v.Fields), mostVariedNames)], ", ")
	if more := len(v.Fields) - mostVariedNames; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	text := fmt.Sprintf("none of %s with other values of %s is accepted", plaintext.Count(v.Objects, "refused object"), names)
	if v.Left > 0 {
		text += fmt.Sprintf("; %s not varied", plaintext.Count(v.Left, "more field")+map[bool]string{true: " was", false: " were"}[v.Left == 1])
	}
	return text
}
