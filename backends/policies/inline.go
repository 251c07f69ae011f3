package policies

import (
	"strings"

	"github.com/google/cel-go/common/ast"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

// longestInlined bounds the text of an expression with its variables in their places.
const longestInlined = 1 << 16

// inlined returns an expression with the expressions of variables in their places, in parentheses. It returns
// false if it does not parse, or would be too long.
func inlined(text string, variables []admissionregistrationv1.Variable) (string, bool) {
	expressions := map[string]string{}
	for _, variable := range variables { // a variable may use earlier ones
		if expression, ok := replaceVariables(variable.Expression, expressions); ok {
			expressions[variable.Name] = expression
		}
	}
	return replaceVariables(text, expressions)
}

// replaceVariables replaces "variables.name". All of its names must be known.
func replaceVariables(text string, expressions map[string]string) (string, bool) {
	env, err := unexpanded()
	if err != nil {
		return "", false
	}
	parsed, issues := env.Parse(text)
	if issues.Err() != nil {
		return "", false
	}
	info, ok := parsed.NativeRep().SourceInfo(), true
	names := map[int32]string{} // by the place of "variables", in characters
	visit := func(of *ast.AST) {
		ast.PreOrderVisit(of.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
			if e.Kind() == ast.SelectKind && e.AsSelect().Operand().Kind() == ast.IdentKind && e.AsSelect().Operand().AsIdent() == "variables" {
				if at, has := info.GetOffsetRange(e.AsSelect().Operand().ID()); has {
					names[at.Start] = e.AsSelect().FieldName()
				}
			}
		}))
	}
	visit(parsed.NativeRep())
	var out strings.Builder
	runes := []rune(text)
	for at := 0; at < len(runes); at++ {
		name, is := names[int32(at)]
		if !is {
			out.WriteRune(runes[at])
			continue
		}
		expression, known := expressions[name]
		end := strings.Index(string(runes[at:]), name)
		if ok = ok && known && end > 0 && out.Len()+len(expression) < longestInlined; !ok {
			return "", false
		}
		out.WriteString("(" + expression + ")")
		at += len([]rune(string(runes[at:])[:end])) + len([]rune(name)) - 1
	}
	return out.String(), ok
}
