package plan

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	celtypes "github.com/google/cel-go/common/types"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// literal plans a literal.
func literal(e ast.Expr) step {
	switch v := e.AsLiteral().(type) {
	case celtypes.Bool:
		return func(_ *Machine, into *operand) { into.setTruth(truthOf(bool(v))) }
	case celtypes.Int:
		return func(_ *Machine, into *operand) { into.setInt(int64(v)) }
	case celtypes.Double:
		return func(_ *Machine, into *operand) { into.setDouble(float64(v)) }
	case celtypes.String:
		return func(_ *Machine, into *operand) { into.setText(string(v)) }
	}
	return nil
}

// list plans a list in the rule. A list of literals is made once.
func (p *planner) list(l ast.ListExpr) step {
	items, ok := p.valueRefs(l.Elements())
	if !ok || len(l.OptionalIndices()) > 0 {
		return nil
	}
	var literals []operand
	for i, e := range l.Elements() {
		if e.Kind() == ast.LiteralKind {
			literals = append(literals, *items[i].at(&Machine{}))
		}
	}
	if len(literals) == len(items) {
		return func(m *Machine, into *operand) {
			m.cost += listCost
			into.setList(literals)
		}
	}
	return func(m *Machine, into *operand) {
		m.cost += listCost
		made := m.list(len(items))
		for i := range items {
			d := items[i].at(m)
			if d.unknown() {
				into.giveUp()
				return
			}
			made = append(made, *d)
		}
		into.setList(made)
	}
}

// emptyMap plans {}, as in self.?labels.orValue({}).
func emptyMap(e ast.Expr) step {
	if e.AsMap().Size() > 0 {
		return nil
	}
	none := operand{kind: aView, v: view.OfJSON(map[string]any{}), typ: &types.Type{Kind: types.Map, Elem: &types.Type{Kind: types.String}}}
	return func(m *Machine, into *operand) {
		m.cost += mapCost
		*into = none
	}
}

// IsCall reports whether an expression calls a function with a number of arguments, including the
// target.
func IsCall(e ast.Expr, function string, args int) bool {
	return e.Kind() == ast.CallKind && e.AsCall().FunctionName() == function && len(Arguments(e.AsCall())) == args
}

// Arguments returns the arguments of a call, beginning with the target of a method.
func Arguments(c ast.CallExpr) []ast.Expr {
	if c.IsMemberFunction() {
		return append([]ast.Expr{c.Target()}, c.Args()...)
	}
	return c.Args()
}

func isIdent(e ast.Expr, name string) bool { return e.Kind() == ast.IdentKind && e.AsIdent() == name }

func isLiteral(e ast.Expr, want any) bool {
	return e.Kind() == ast.LiteralKind && e.AsLiteral().Value() == want
}

// literalText returns a text that is a literal, or a sum of literals.
func literalText(e ast.Expr) (celtypes.String, bool) {
	if IsCall(e, operators.Add, 2) {
		args := Arguments(e.AsCall())
		a, ok := literalText(args[0])
		b, also := literalText(args[1])
		return a + b, ok && also
	}
	if e.Kind() != ast.LiteralKind {
		return "", false
	}
	text, ok := e.AsLiteral().(celtypes.String)
	return text, ok
}
