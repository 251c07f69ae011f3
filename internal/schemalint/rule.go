package schemalint

import (
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/parser"
	"k8s.io/apimachinery/pkg/util/validation/field"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// rule is an expression of x-kubernetes-validations with what lints ask of it.
type rule struct {
	at   *field.Path
	text string
	// names are all names of fields that are selected anywhere in it.
	names map[string]bool
	tree  *ast.AST
}

// newRule parses a rule. The rules of a schema that compiles can be parsed.
func newRule(text string, at *field.Path) *rule {
	r := &rule{at: at, text: text, names: map[string]bool{}}
	p, err := parser.NewParser(parser.Macros(parser.AllMacros...), parser.PopulateMacroCalls(true), parser.EnableOptionalSyntax(true))
	if err != nil {
		return r
	}
	tree, errs := p.Parse(common.NewTextSource(text))
	if len(errs.GetErrors()) > 0 {
		return r
	}
	r.tree = tree
	r.visit(func(e ast.Expr) {
		if e.Kind() == ast.SelectKind {
			name := e.AsSelect().FieldName()
			if plain, ok := apiservercel.Unescape(name); ok {
				name = plain
			}
			r.names[name] = true
		}
	})
	return r
}

func (r *rule) visit(each func(ast.Expr)) {
	if r.tree != nil {
		ast.PreOrderVisit(r.tree.Expr(), ast.NewExprVisitor(each))
	}
}

// negatesAll says that the rule negates an all().
func (r *rule) negatesAll() (found bool) {
	r.visit(func(e ast.Expr) {
		if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != operators.LogicalNot {
			return
		}
		macro, ok := r.tree.SourceInfo().GetMacroCall(e.AsCall().Args()[0].ID())
		found = found || ok && macro.Kind() == ast.CallKind && macro.AsCall().FunctionName() == operators.All
	})
	return found
}
