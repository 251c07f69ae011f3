package infer

import (
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
func (h *hypothesis) unnamedValue() string {
	c := rules.ConstantsOf(h.expr())
	for _, text := range c.Texts {
		if rules.IsNoWord(text) && !h.subject.facts.Evidence.Words[text] && !slices.Contains(h.subject.facts.Site.Constants.Words, text) && !strings.Contains(h.subject.facts.Site.First.Detail, text) {
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

// isAboutFirst reports whether the hypothesis reads the first item of a list that may have more, and the error's text does not say
// so. All objects that were seen may have what it is about there.
func (h *hypothesis) isAboutFirst() bool {
	expr := h.expr()
	return strings.Contains(expr, "[0]") && !strings.Contains(expr, ".size() == 1") && !strings.Contains(expr, ".size() != 1") && !evidence.WordsOf(h.subject.facts.Site.First.Detail)["first"]
}

// isUnnamed reports whether a number is neither zero nor one, and neither the error's text nor the code names it.
func (h *hypothesis) isUnnamed(n int64) bool {
	return (n < 0 || n > 1) && !slices.Contains(h.subject.facts.Numbers, strconv.FormatInt(n, 10))
}

// tied are numbers of an object that are a bound of a hypothesis that nobody names, or beside it, with their places: the bound may be
// theirs.
func (h *hypothesis) tied(object map[string]any) map[string]int64 {
	var bounds []int64
	for _, n := range rules.ConstantsOf(h.expr()).Bounds {
		if h.isUnnamed(n) {
			bounds = append(bounds, n)
		}
	}
	found := map[string]int64{}
	if len(bounds) == 0 {
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

// overfitReason says which constant of the rules may hold only for the objects that were seen; empty: none.
func (x *explanation) overfitReason() string {
	for _, h := range x.chosen {
		if value := h.unnamedValue(); value != "" {
			return fmt.Sprintf("neither the text of the error nor the schema names %s", value)
		}
		if h.isAboutFirst() {
			return "it is about the first item alone, and the text of the error does not say so"
		}
		if varied := x.subject.varied[h.expr()]; varied != nil {
			for _, field := range slices.Sorted(maps.Keys(varied.tied)) {
				return fmt.Sprintf("a bound may be the value of %s, which is %d in all objects that could be asked about", field, varied.tied[field])
			}
		}
	}
	return ""
}

// overfitReasonOf is the same for all explanations of a site.
func overfitReasonOf(found []*explanation) string {
	for _, x := range found {
		if why := x.overfitReason(); why != "" {
			return why
		}
	}
	return ""
}
