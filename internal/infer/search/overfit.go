package search

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/rules"
)

// unnamedValue returns the first value of the hypothesis that only objects name: a text that is no word, or a number beyond 0 and 1,
// that a value must not equal. Empty: there is none.
func (h *Hypothesis) unnamedValue() string {
	c := rules.ConstantsOf(h.Refuses())
	for _, text := range c.Texts {
		if rules.IsNoWord(text) && !h.Subject.Facts.Evidence.Words[text] &&
			!slices.Contains(h.Subject.Facts.Site.Constants.Words, text) && !strings.Contains(h.Subject.Facts.Site.First.Detail, text) {
			return celexpr.Quote(text)
		}
	}
	for _, n := range c.Equal {
		if h.isUnnamed(n) {
			return strconv.FormatInt(n, 10)
		}
	}
	return ""
}

// isUnnamed reports whether a number is neither zero nor one, and neither the error's text nor the code names it.
func (h *Hypothesis) isUnnamed(n int64) bool {
	return (n < 0 || n > 1) && !slices.Contains(h.Subject.Facts.Numbers, strconv.FormatInt(n, 10))
}

// Tied are numbers of an object that are a bound of a hypothesis that neither the error nor the code names, or beside it, with
// their places: the bound may be theirs.
func (h *Hypothesis) Tied(object map[string]any) map[string]int64 {
	var bounds []int64
	for _, n := range rules.ConstantsOf(h.Refuses()).Bounds {
		if h.isUnnamed(n) {
			bounds = append(bounds, n)
		}
	}
	found := map[string]int64{}
	if len(bounds) == 0 || h.isRead() {
		return found
	}
	var visit func(at evidence.Place, value any)
	visit = func(at evidence.Place, value any) {
		switch value := value.(type) {
		case map[string]any:
			for name, child := range value {
				if len(at) > 0 || name != "metadata" && name != "status" {
					visit(at.Below(name), child)
				}
			}
		case []any:
			for _, item := range value {
				visit(at.Below(evidence.AnyItem), item)
			}
		case int64:
			if !h.reads(at) && slices.ContainsFunc(bounds, func(n int64) bool { return n-1 <= value && value <= n+1 }) {
				found[at.String()] = value
			}
		}
	}
	visit(nil, object)
	return found
}

// OverfitReason says which constant of the rules may hold only for the objects that were seen; empty: none.
func (x *Explanation) OverfitReason() string {
	for _, h := range x.Chosen {
		if h.isRead() {
			continue // the source names it
		}
		if value := h.unnamedValue(); value != "" {
			return fmt.Sprintf("neither the text of the error nor the schema names %s", value)
		}
		if varied := x.Subject.Varied[h.Expr()]; varied != nil {
			for _, field := range slices.Sorted(maps.Keys(varied.tied)) {
				return fmt.Sprintf("a bound may be the value of %s, which is %d in all objects that could be asked about", field,
					varied.tied[field])
			}
		}
	}
	return ""
}

// OverfitReasonOf is the same for all explanations of a site.
func OverfitReasonOf(found []*Explanation) string {
	for _, x := range found {
		if why := x.OverfitReason(); why != "" {
			return why
		}
	}
	return ""
}

// Neighbours counts the refused and the accepted rows.
func (x *Explanation) Neighbours() (refused, accepted int) {
	return x.Labels.Refused.count(), x.Labels.accepted.count()
}

// Why says what was tried without success.
func (x *Explanation) Why() string {
	at := x.Subject.Facts.Scope.String()
	if x.Labels.accepted.empty() {
		if at != "" {
			at = " with " + at
		}
		return fmt.Sprintf("no object%s was found that both accept; add one to the cases", at)
	}
	at = cmp.Or(at, "the object")
	return fmt.Sprintf("no condition on the values of %s agrees with the answers; it may depend on other objects, "+
		"the time or a parser", at)
}
