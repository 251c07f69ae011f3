package lint

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// rule is an expression of x-kubernetes-validations with the facts that lints need.
type rule struct {
	at   *field.Path
	text string
	// names has the names of all fields that the expression selects.
	names map[string]bool
	// old means that it names oldSelf, and optional that it also runs without an old value.
	old, optional bool
	// expr is nil if the rule cannot be parsed.
	expr celexpr.Expr
}

// newRule parses a rule. The rules of a schema that compiles can be parsed.
func newRule(text string, at *field.Path) *rule {
	r := &rule{at: at, text: text, names: map[string]bool{}, expr: celexpr.Parse(text)}
	if r.expr == nil {
		return r
	}
	for e := range celexpr.Parts(r.expr) {
		r.old = r.old || e.AsIdent() == "oldSelf"
		if e.Kind() == ast.SelectKind {
			r.names[celexpr.Unescape(e.AsSelect().FieldName())] = true
		}
	}
	return r
}

// negatesAll reports whether the rule negates an all(). An alternative, or what an exists() asks, is instead the
// condition of an implication: "!list.all(x, good(x)) || …" is about lists whose items are all good.
func (r *rule) negatesAll() bool {
	if r.expr == nil {
		return false
	}
	conditions := map[int64]bool{}
	for e := range celexpr.Parts(r.expr) {
		switch args := e.AsCall().Args(); e.AsCall().FunctionName() {
		case operators.LogicalOr:
			conditions[args[0].ID()], conditions[args[1].ID()] = true, true
		case operators.Exists:
			for _, arg := range args {
				conditions[arg.ID()] = true
			}
		case operators.LogicalNot:
			if all := args[0].AsCall(); !conditions[e.ID()] && all.FunctionName() == operators.All && all.IsMemberFunction() {
				return true
			}
		}
	}
	return false
}
