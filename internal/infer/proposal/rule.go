package proposal

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/common/operators"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/cel"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/rules"
	"github.com/diffrun/diffrun/internal/infer/search"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Rule is a part of a schema that is proposed.
type Rule struct {
	// Place is the place of values that the rule is about, as in "spec.ports[*]"; empty: the object.
	Place string `json:"place"`
	// Keywords are OpenAPI keywords with their values. Required is a field that is required.
	Keywords map[string]any `json:"keywords,omitempty"`
	Required string         `json:"required,omitempty"`
	// Validation is an entry of x-kubernetes-validations.
	Validation *openapi.Rule `json:"validation,omitempty"`
	// Markers say the same in the Go type: of the field at the place, or of the type.
	Markers []string `json:"markers"`

	At    evidence.Place   `json:"-"`
	Sites []*evidence.Site `json:"-"`
	// OverCost says why only a policy can have the rule: the API server estimates that it costs too much. Empty: the definition
	// has it. Policy is its validation there.
	OverCost string `json:"-"`
	Policy   string `json:"-"`
	// Tree is the expression of the validation; nil: the rule was read from a file.
	Tree celexpr.Expr `json:"-"`
	// bounds is the rule that would cost too much without this one; nil: it is a rule of a site.
	bounds *Rule
}

// IsOf reports whether the rule is about the errors of a site.
func (r *Rule) IsOf(key evidence.SiteKey) bool {
	return slices.ContainsFunc(r.Sites, func(of *evidence.Site) bool { return of.Key == key })
}

// String returns the rule on one line.
func (r *Rule) String() string {
	at := cmp.Or(r.Place, "the object")
	switch {
	case r.Validation != nil:
		return at + ": " + r.Validation.Rule
	case r.Required != "":
		return at + ": required: " + r.Required
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(r.Keywords)) {
		value, _ := json.Marshal(r.Keywords[name])
		all = append(all, name+": "+string(value))
	}
	return at + ": " + strings.Join(all, ", ")
}

// rule returns the rule of a hypothesis, in the simplest form.
func RuleOf(h *search.Hypothesis) *Rule {
	s := h.Subject
	r := &Rule{At: s.Facts.Scope, Sites: []*evidence.Site{s.Facts.Site}}
	if len(h.Parts) == 1 {
		of := s.Facts.Site
		if part := h.Parts[0]; part.Leaf != nil && !of.Creates && !of.IsMisplaced() && s.Facts.Evidence.Requests == nil &&
			!evidence.InMetadata(s.Facts.Scope.Below(part.About...)) {
			return leafRule(h, part)
		}
	}
	var all []celexpr.Expr
	if s.Facts.Site.Creates {
		all = append(all, celexpr.Parse(rules.IsNew))
	}
	for _, part := range ordered(h) {
		all = append(all, part.Rule)
	}
	r.validate(s, disjunction(all))
	if s.Facts.Site.Creates {
		always := true
		r.Validation.OptionalOldSelf = &always
	}
	if path, ok := fieldPathOf(s.Facts.Target); ok && len(s.Facts.Target) > 0 {
		r.Validation.FieldPath = path
	}
	return r.named()
}

// disjunction joins expressions of which one must be true, each operand once. Comparisons of one field with several texts are one
// with a list, where the first of them is.
func disjunction(of []celexpr.Expr) celexpr.Expr {
	var all []celexpr.Expr
	texts := map[string][]celexpr.Expr{} // that a field is compared with
	known := map[string]bool{}
	for _, operand := range celexpr.OperandsOf(celexpr.Or(of...), operators.LogicalOr) {
		written := celexpr.String(operand)
		if known[written] {
			continue
		}
		known[written] = true
		if field, text := comparison(operand, operators.Equals); field != nil {
			name := celexpr.String(field)
			if texts[name] = append(texts[name], text); len(texts[name]) > 1 {
				continue
			}
		}
		all = append(all, operand)
	}
	for n, operand := range all {
		if field, _ := comparison(operand, operators.Equals); field != nil {
			if list := texts[celexpr.String(field)]; len(list) > 1 {
				all[n] = celexpr.Call(operators.In, field, celexpr.List(list...))
			}
		}
	}
	return celexpr.Or(all...)
}

// comparison returns the field and the text of a comparison with an operator; nil: the expression is something else.
func comparison(e celexpr.Expr, operator string) (field, text celexpr.Expr) {
	left, is, right := celexpr.ComparisonOf(e)
	if is != operator || len(celexpr.PathOf(left)) < 2 {
		return nil, nil
	}
	if _, isText := celexpr.TextOf(right); !isText {
		return nil, nil
	}
	return left, right
}

// ordered returns the parts by their fields, that of the error last.
func ordered(h *search.Hypothesis) []*rules.Condition {
	all := slices.Clone(h.Parts)
	last := func(c *rules.Condition) int {
		if slices.Equal(c.About, h.Subject.Facts.Target) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(all, func(a, b *rules.Condition) int {
		return cmp.Or(last(a)-last(b), strings.Compare(a.About.String(), b.About.String()))
	})
	return all
}

// leafRule returns the rule of a condition about one field at the field.
func leafRule(h *search.Hypothesis, part *rules.Condition) *Rule {
	s := h.Subject
	r := &Rule{At: s.Facts.Scope.Below(part.About...), Sites: []*evidence.Site{s.Facts.Site}}
	switch {
	case part.Leaf.Required:
		r.Required = r.At[len(r.At)-1]
		r.At = r.At.Parent()
	case part.Leaf.Keywords != nil && canHave(s, r.At, part.Leaf.Keywords):
		r.Keywords = part.Leaf.Keywords
	default:
		r.validate(s, part.Leaf.Rule)
	}
	return r.named()
}

func (r *Rule) named() *Rule {
	r.Place = r.At.String()
	r.Markers = MarkersOf(r)
	return r
}

// canHave reports whether a schema has no other value of some keywords, or one that can be replaced.
func canHave(s *search.Subject, at evidence.Place, keywords map[string]any) bool {
	schema := at.Schema(s.Facts.Evidence.Target.Document.Root)
	if schema == nil {
		return false
	}
	if _, has := keywords["pattern"]; has && schema.Pattern != "" {
		return false
	}
	if _, has := keywords["enum"]; has && len(schema.Enum) > 0 {
		return false
	}
	return true
}

// validate makes the rule a validation with the message and the reason of the native error.
func (r *Rule) validate(s *search.Subject, rule celexpr.Expr) {
	v := &openapi.Rule{Rule: celexpr.String(rule), Message: s.Facts.Evidence.Message(s.Facts.Site)}
	r.Validation, r.Tree = v, rule
	if reason := reasonOf(s.Facts.Site.First.Type); reason != "" {
		v.Reason = &reason
	}
}

// reasonOf returns the reason of a rule for a type of errors; empty: the default.
func reasonOf(of field.ErrorType) string {
	switch of {
	case field.ErrorTypeRequired, field.ErrorTypeForbidden, field.ErrorTypeDuplicate:
		return string(of)
	}
	return ""
}

// fieldPathOf returns the fieldPath of a rule; false if a name cannot be written.
func fieldPathOf(at evidence.Place) (string, bool) {
	out := ""
	for _, name := range at {
		if name == evidence.AnyItem {
			return "", false
		}
		if _, ok := cel.Escape(name); !ok || strings.ContainsAny(name, ".-/") {
			out += "['" + name + "']"
			continue
		}
		out += "." + name
	}
	return out, true
}

// merged returns the rules without those that another rule implies: the same rule of several sites,
// and all but the strictest bound.
func merged(rules []*Rule) []*Rule {
	var out []*Rule
	for _, r := range rules {
		at := slices.IndexFunc(out, func(known *Rule) bool { return known.sameAs(r) })
		if at < 0 {
			out = append(out, r)
			continue
		}
		out[at].Sites = append(out[at].Sites, r.Sites...)
		if len(r.Keywords) > 0 && stricter(r.Keywords, out[at].Keywords) {
			out[at].Keywords, out[at].Markers = r.Keywords, r.Markers
		}
	}
	slices.SortStableFunc(out, func(a, b *Rule) int {
		byKeyword := 0
		if a.Validation == nil && b.Validation == nil {
			byKeyword = strings.Compare(b.String(), a.String()) // minimum before maximum
		}
		return cmp.Or(fieldpath.Compare(a.Place, b.Place), cmp.Compare(a.order(), b.order()), byKeyword)
	})
	return out
}

// mergedValues joins the rules of a site that say the same of several values of a field, as in "self.mode != 'A' || R" and
// "self.mode != 'B' || R".
func mergedValues(rules []*Rule) (out []*Rule) {
	type same struct{ place, path, message, field, rest string }
	first := map[same]*Rule{}
	values := map[*Rule][]string{}
	for _, r := range rules {
		var field, text celexpr.Expr
		var operands []celexpr.Expr
		if r.Validation != nil {
			operands = celexpr.OperandsOf(r.Tree, operators.LogicalOr)
			field, text = comparison(operands[0], operators.NotEquals)
		}
		if field == nil || len(operands) < 2 {
			out = append(out, r)
			continue
		}
		rest := celexpr.Or(operands[1:]...)
		key := same{r.Place, r.Validation.FieldPath, r.Validation.Message, celexpr.String(field), celexpr.String(rest)}
		one := first[key]
		value, _ := celexpr.TextOf(text)
		if one == nil {
			copied, validation := *r, *r.Validation
			copied.Validation, copied.Sites = &validation, slices.Clone(r.Sites)
			one, first[key] = &copied, &copied
			values[one] = []string{value}
			out = append(out, one)
			continue
		}
		one.Sites, values[one] = append(one.Sites, r.Sites...), append(values[one], value)
		var all []celexpr.Expr
		for _, value := range slices.Sorted(slices.Values(values[one])) {
			all = append(all, celexpr.Literal(value))
		}
		one.Tree = celexpr.Or(celexpr.Not(celexpr.Call(operators.In, field, celexpr.List(all...))), rest)
		one.Validation.Rule = celexpr.String(one.Tree)
		one.Markers = MarkersOf(one)
	}
	return out
}

// order puts what is required before keywords, and rules last, as people write schemas.
func (r *Rule) order() int {
	switch {
	case r.Required != "":
		return 0
	case r.Validation == nil:
		return 1
	}
	return 2
}

// sameAs reports whether two rules are the same, or bounds of one thing.
func (r *Rule) sameAs(other *Rule) bool {
	if r.Place != other.Place || r.Required != other.Required || (r.Validation == nil) != (other.Validation == nil) {
		return false
	}
	if r.Validation != nil {
		return r.Validation.Rule == other.Validation.Rule
	}
	return slices.Equal(slices.Sorted(maps.Keys(r.Keywords)), slices.Sorted(maps.Keys(other.Keywords))) &&
		(isBound(r.Keywords) || evidence.Equal(r.Keywords, other.Keywords))
}

func isBound(keywords map[string]any) bool {
	for name := range keywords {
		if strings.HasPrefix(name, "min") || strings.HasPrefix(name, "max") {
			return true
		}
	}
	return false
}

// stricter reports whether bounds are stricter than others of the same keyword.
func stricter(a, b map[string]any) bool {
	for name, value := range a {
		x, isX := AsFloat(value)
		y, isY := AsFloat(b[name])
		if isX && isY {
			return strings.HasPrefix(name, "min") && x > y || strings.HasPrefix(name, "max") && x < y
		}
	}
	return false
}

func AsFloat(value any) (float64, bool) {
	switch value := value.(type) {
	case int64:
		return float64(value), true
	case float64:
		return value, true
	}
	return 0, false
}

// conflicts returns rules whose keywords the definition has with another value that is stricter.
func conflicts(root *spec.Schema, r *Rule) bool {
	schema := r.At.Schema(root)
	if schema == nil || !isBound(r.Keywords) {
		return false
	}
	data, err := schema.MarshalJSON()
	if err != nil {
		return false
	}
	var declared map[string]any
	if json.Unmarshal(data, &declared) != nil {
		return false
	}
	for name := range r.Keywords {
		if _, has := declared[name]; has {
			return stricter(declared, r.Keywords)
		}
	}
	return false
}
