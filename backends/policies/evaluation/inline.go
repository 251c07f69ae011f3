package evaluation

import (
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// longestInlined bounds the texts that are put together into one expression.
const longestInlined = 1 << 16

// inlined returns an expression in which the expressions of variables replace their names. It returns false if
// an expression does not parse or has an unknown variable, or if the result would be too long.
func inlined(text string, variables []admissionregistrationv1.Variable) (string, bool) {
	expressions := map[string]string{}
	for _, variable := range variables { // a variable may use earlier ones
		if expression, ok := replaceVariables(variable.Expression, expressions); ok {
			expressions[variable.Name] = expression
		}
	}
	return replaceVariables(text, expressions)
}

// replaceVariables replaces "variables.name". All names must be known.
func replaceVariables(text string, expressions map[string]string) (string, bool) {
	parsed := celexpr.Parse(text)
	if parsed == nil {
		return "", false
	}
	size, ok := len(text), true
	made := celexpr.Replace(parsed, func(e celexpr.Expr) celexpr.Expr {
		path := celexpr.PathOf(e)
		if len(path) != 2 || path[0] != "variables" {
			return nil
		}
		expression, known := expressions[path[1]]
		size += len(expression)
		if ok = ok && known && size <= longestInlined; !ok {
			return e
		}
		return celexpr.Parse(expression)
	})
	return celexpr.String(made), ok
}
