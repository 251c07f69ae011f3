package diff

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/ast"
	"k8s.io/apiserver/pkg/cel"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi/celsyntax"
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
	said := asRule(keyword, part, with, "self")
	if said == "" {
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
	escaped, named := cel.Escape(name)
	if _, declared := around.Properties[name]; !isField || !declared || !named {
		return false
	}
	at := "self." + escaped
	return follows(fmt.Sprintf("!has(%s) || %s", at, asRule(keyword, part, with, at)), in(around))
}

// hasByRule reports whether the rules of an object provably require a field.
func hasByRule(of proof.Schema, name string) bool {
	escaped, named := cel.Escape(name)
	return named && follows("has(self."+escaped+")", of)
}

// follows reports whether an expression is provably true if the rules of a schema that apply to
// every object are.
func follows(text string, of proof.Schema) bool {
	parsed := celsyntax.Parse(text)
	var by []ast.Expr
	for _, rule := range rules(of.Schema) {
		if rule.expr != nil && !rule.updates {
			by = append(by, rule.expr)
		}
	}
	return parsed != nil && len(by) > 0 && celproof.Implied(parsed.Expr(), by, of, of)
}

// asRule returns a keyword as a rule about a value of a type; "" if no simple rule says the same.
func asRule(keyword string, part, of *spec.Schema, at string) string {
	is := func(typ string) bool { return slices.Equal(of.Type, []string{typ}) }
	compared := func(operator string, limit *float64, excluded bool) string {
		if limit == nil || *limit != math.Trunc(*limit) || !proof.Exact(*limit) || !is("integer") {
			return ""
		}
		if !excluded {
			operator += "="
		}
		return fmt.Sprintf("%s %s %d", at, operator, int64(*limit))
	}
	sized := func(operator string, limit *int64, right bool) string {
		if limit == nil || !right {
			return ""
		}
		return fmt.Sprintf("size(%s) %s %d", at, operator, *limit)
	}
	texts := is("string") && of.Format == ""
	switch keyword {
	case "maximum", "exclusiveMaximum":
		return compared("<", part.Maximum, part.ExclusiveMaximum)
	case "minimum", "exclusiveMinimum":
		return compared(">", part.Minimum, part.ExclusiveMinimum)
	case "maxLength":
		return sized("<=", part.MaxLength, texts)
	case "minLength":
		return sized(">=", part.MinLength, texts)
	case "maxItems":
		return sized("<=", part.MaxItems, is("array"))
	case "minItems":
		return sized(">=", part.MinItems, is("array"))
	case "pattern":
		if part.Pattern != "" && texts {
			return at + ".matches(" + strconv.Quote(part.Pattern) + ")"
		}
	case "enum":
		var values []string
		for _, member := range part.Enum {
			text, isText := member.(string)
			if !isText || !texts {
				return ""
			}
			values = append(values, strconv.Quote(text))
		}
		if len(values) > 0 {
			return at + " in [" + strings.Join(values, ", ") + "]"
		}
	}
	return ""
}
