package explore

import (
	"maps"
	"slices"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/explore/generate"
)

// Rule is what a CEL expression looks at. Instead of a pattern, its literals have a text that matches it.
type Rule struct{ celexpr.Reading }

// ParseRule reads an expression about self, oldSelf, object or oldObject. Variables have the
// expressions of "variables.name". It returns false if the text is not CEL.
func ParseRule(text string, variables map[string]string) (Rule, bool) {
	parsed := map[string]celexpr.Expr{}
	for name, expression := range variables {
		if e := celexpr.Parse(expression); e != nil {
			parsed[name] = e
		}
	}
	e := celexpr.Parse(text)
	if e == nil {
		return Rule{}, false
	}
	return ReadRule(e, parsed), true
}

// ReadRule reads a parsed expression.
func ReadRule(e celexpr.Expr, variables map[string]celexpr.Expr) Rule {
	rule := Rule{celexpr.Read(e, variables)}
	read := rule.Literals
	rule.Literals = nil
	for _, literal := range read {
		if pattern, is := literal.(celexpr.Pattern); is {
			literal = generate.Value(generate.Seeded(0), &props{Type: "string", Pattern: string(pattern)},
				generate.ObjectOptions{Values: 1})
			if text, _ := literal.(string); text == "" {
				continue
			}
		}
		if !slices.Contains(rule.Literals, literal) {
			rule.Literals = append(rule.Literals, literal)
		}
	}
	return rule
}

// mostParameters bounds how many values of parameters a rule has.
const mostParameters = 60

// WithParameters returns the rule with the values of the objects that it may read as params: they are
// literals of the policy that others write.
func (r Rule) WithParameters(objects []map[string]any) Rule {
	if !r.Params {
		return r
	}
	r.Literals = slices.Clone(r.Literals)
	most := len(r.Literals) + mostParameters
	var visit func(value any, depth int)
	visit = func(value any, depth int) {
		switch value := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(value)) {
				if depth > 0 || name != "apiVersion" && name != "kind" && name != "metadata" {
					visit(value[name], depth+1)
				}
			}
		case []any:
			for _, item := range value {
				visit(item, depth+1)
			}
		case string, int64, float64:
			if len(r.Literals) < most && value != "" && !slices.Contains(r.Literals, value) {
				r.Literals = append(r.Literals, value)
			}
		}
	}
	for _, object := range objects {
		visit(object, 0)
	}
	return r
}
