package policies

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/parser"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/diffrun/diffrun/internal/openapi/celsyntax"
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
	parsed, ok := celsyntax.Parse(text), true
	if parsed == nil {
		return "", false
	}
	size := len(text)
	ast.PreOrderVisit(parsed.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if !ok || e.Kind() != ast.SelectKind || e.AsSelect().Operand().Kind() != ast.IdentKind || e.AsSelect().Operand().AsIdent() != "variables" {
			return
		}
		expression, known := expressions[e.AsSelect().FieldName()]
		if size += len(expression); !known || size > longestInlined {
			ok = false
			return
		}
		replacement := celsyntax.Parse(expression)
		if ok = replacement != nil; ok {
			e.SetKindCase(replacement.Expr())
		}
	}))
	if !ok {
		return "", false
	}
	written, err := parser.Unparse(parsed.Expr(), parsed.SourceInfo())
	return written, err == nil
}
