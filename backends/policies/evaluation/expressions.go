package evaluation

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apiserver/pkg/admission/plugin/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// place returns the path of a field of a list item in the spec.
func place(list string, index int, name string) string {
	return fmt.Sprintf("spec.%s[%d].%s", list, index, name)
}

// wrong is a mistake at a path of an object.
type wrong struct{ path, message string }

// check compiles every expression in an environment as the API server does when a policy is created, and returns the
// mistakes.
func (e expressions) check(in *environment.EnvSet) ([]wrong, error) {
	composed, err := cel.NewCompositedCompiler(in)
	if err != nil {
		return nil, err
	}
	plain := cel.NewCompiler(in) // matchConditions have no variables
	var all []wrong
	add := func(of expression, result cel.CompilationResult) {
		if strings.TrimSpace(of.GetExpression()) == "" {
			return // checkPolicy reports it
		}
		for _, message := range compileErrors(result.Error) {
			all = append(all, wrong{of.path, message})
		}
	}
	for _, variable := range e.variables {
		add(variable, composed.CompileAndStoreVariable(variable.ExpressionAccessor.(cel.NamedExpressionAccessor),
			variable.variables, environment.NewExpressions))
	}
	for compiler, lists := range map[cel.Compiler][][]expression{
		plain:    {e.conditions},
		composed: {e.validations, e.messages, e.annotations, e.mutations},
	} {
		for _, list := range lists {
			for _, one := range list {
				if one.ExpressionAccessor != nil {
					add(one, compiler.CompileCELExpression(one.ExpressionAccessor, one.variables, environment.NewExpressions))
				}
			}
		}
	}
	return all, nil
}

// compileErrors returns one line for each compiler error, with its position in the expression.
func compileErrors(err *apiservercel.Error) []string {
	if err == nil {
		return nil
	}
	issues := (*apiservercel.CompilationError)(nil)
	if !errors.As(err.Cause, &issues) {
		return []string{err.Detail}
	}
	var all []string
	for _, issue := range issues.Issues.Errors() {
		all = append(all, fmt.Sprintf("line %d, column %d: %s", issue.Location.Line(), issue.Location.Column()+1, issue.Message))
	}
	return all
}

// reads are the things that an expression reads and that the files with the policies may lack.
type reads struct{ authorizer, namespace, user bool }

// readBy returns what an expression reads, whether or not it compiles.
func readBy(expression string) reads {
	var found reads
	for e := range celexpr.Parts(celexpr.Parse(expression)) {
		found.authorizer = found.authorizer || e.AsIdent() == cel.AuthorizerVarName
		found.namespace = found.namespace || e.AsIdent() == cel.NamespaceVarName
		found.user = found.user || slices.Equal(celexpr.PathOf(e), []string{cel.RequestVarName, "userInfo"})
	}
	return found
}
