package diff

import (
	"math"
	"slices"
	"strings"

	"github.com/google/cel-go/common/operators"
	"k8s.io/apiserver/pkg/cel"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/schema/celproof"
	"github.com/diffrun/diffrun/internal/schema/proof"
)

// ruledOut reports whether the rules of a value, or of the object that has it as a field, provably
// enforce a keyword, so that replacing the rule by the keyword changes no verdict. The first schema
// has the rules; the second has the keyword.
func (w *walker) ruledOut(keyword string, part, with *spec.Schema, isA bool, path string) bool {
	if w.defaulted || with.Nullable {
		return false
	}
	self := celexpr.Name("self")
	said := asRule(keyword, part, with, self)
	if said == nil {
		return false
	}
	in := w.ofB
	if isA {
		in = w.ofA
	}
	if follows(said, in(with)) {
		return true
	}
	if len(w.above) == 0 {
		return false
	}
	up := w.above[len(w.above)-1]
	name, isField := strings.CutPrefix(path, strings.TrimPrefix(up.path+".", "."))
	around := up.b
	if isA {
		around = up.a
	}
	if _, declared := around.Properties[name]; !isField || !declared || !selectable(name) {
		return false
	}
	at := celexpr.Field(self, name)
	return follows(celexpr.Or(celexpr.Not(celexpr.Has(at)), asRule(keyword, part, with, at)), in(around))
}

// selectable reports whether rules can name a field.
func selectable(name string) bool {
	_, ok := cel.Escape(name)
	return ok
}

// hasByRule reports whether the rules of an object provably require a field.
func hasByRule(of proof.Schema, name string) bool {
	return selectable(name) && follows(celexpr.Has(celexpr.Field(celexpr.Name("self"), name)), of)
}

// follows reports whether an expression is provably true if the rules of a schema that apply to
// every object are.
func follows(said celexpr.Expr, of proof.Schema) bool {
	var by []celexpr.Expr
	for _, rule := range rules(of.Schema) {
		if rule.expr != nil && !rule.updates {
			by = append(by, rule.expr)
		}
	}
	return len(by) > 0 && celproof.Implied(said, by, of, of)
}

// asRule returns a keyword as a rule about a value of a type; nil if no simple rule says the same.
func asRule(keyword string, part, of *spec.Schema, at celexpr.Expr) celexpr.Expr {
	is := func(typ string) bool { return slices.Equal(of.Type, []string{typ}) }
	compared := func(operator string, limit *float64) celexpr.Expr {
		if limit == nil || *limit != math.Trunc(*limit) || !proof.Exact(*limit) || !is("integer") {
			return nil
		}
		return celexpr.Call(operator, at, celexpr.Literal(int64(*limit)))
	}
	sized := func(operator string, limit *int64, right bool) celexpr.Expr {
		if limit == nil || !right {
			return nil
		}
		return celexpr.Call(operator, celexpr.Call("size", at), celexpr.Literal(*limit))
	}
	texts := is("string") && of.Format == ""
	switch keyword {
	case "maximum", "exclusiveMaximum":
		if part.ExclusiveMaximum {
			return compared(operators.Less, part.Maximum)
		}
		return compared(operators.LessEquals, part.Maximum)
	case "minimum", "exclusiveMinimum":
		if part.ExclusiveMinimum {
			return compared(operators.Greater, part.Minimum)
		}
		return compared(operators.GreaterEquals, part.Minimum)
	case "maxLength":
		return sized(operators.LessEquals, part.MaxLength, texts)
	case "minLength":
		return sized(operators.GreaterEquals, part.MinLength, texts)
	case "maxItems":
		return sized(operators.LessEquals, part.MaxItems, is("array"))
	case "minItems":
		return sized(operators.GreaterEquals, part.MinItems, is("array"))
	case "pattern":
		if part.Pattern != "" && texts {
			return celexpr.Method(at, "matches", celexpr.Literal(part.Pattern))
		}
	case "enum":
		var values []celexpr.Expr
		for _, member := range part.Enum {
			text, isText := member.(string)
			if !isText || !texts {
				return nil
			}
			values = append(values, celexpr.Literal(text))
		}
		if len(values) > 0 {
			return celexpr.Call(operators.In, at, celexpr.List(values...))
		}
	}
	return nil
}
