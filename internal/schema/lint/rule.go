package lint

import (
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/parser"
	"k8s.io/apimachinery/pkg/util/validation/field"
	apiservercel "k8s.io/apiserver/pkg/cel"

	"github.com/diffrun/diffrun/internal/openapi/celsyntax"
)

// rule is an expression of x-kubernetes-validations with the facts that lints need.
type rule struct {
	at   *field.Path
	text string
	// names has the names of all fields that the expression selects.
	names map[string]bool
	tree  *ast.AST
	// old means that it names oldSelf, and optional that it also runs without an old value.
	old, optional bool
	// plain is the rule without expanded macros; nil if it cannot be parsed.
	plain *ast.AST
}

// newRule parses a rule. The rules of a schema that compiles can be parsed.
func newRule(text string, at *field.Path) *rule {
	r := &rule{at: at, text: text, names: map[string]bool{}, plain: celsyntax.Parse(text)}
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
		r.old = r.old || e.Kind() == ast.IdentKind && e.AsIdent() == "oldSelf"
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

// negatesAll reports whether the rule negates an all(). An alternative of an "or" is instead the
// condition of an implication: "!list.all(x, good(x)) || …" is about lists whose items are all
// good.
func (r *rule) negatesAll() (found bool) {
	conditions := map[int64]bool{}
	r.visit(func(e ast.Expr) {
		if e.Kind() != ast.CallKind {
			return
		}
		switch call := e.AsCall(); call.FunctionName() {
		case operators.LogicalOr:
			for _, part := range call.Args() {
				conditions[part.ID()] = true
			}
		case operators.LogicalNot:
			macro, ok := r.tree.SourceInfo().GetMacroCall(call.Args()[0].ID())
			found = found || !conditions[e.ID()] && ok && macro.Kind() == ast.CallKind && macro.AsCall().FunctionName() == operators.All
		}
	})
	return found
}
