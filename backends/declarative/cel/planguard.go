package cel

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Most rules begin with what makes them true of most values: !has(self.x) || ... That is
// looked at before the machine is made ready for the rule.

// guard is a leading has(self.field), or its opposite.
type guard struct {
	get  *getter
	want truth
}

// guarded is what a rule begins with, and the rest of it; nil when that is all.
type guarded struct {
	guards []guard
	rest   test
}

// guarded plans a rule that is a chain of ||. run is the whole of it.
func (p *planner) guarded(e ast.Expr) (run test, made guarded) {
	if !isCall(e, operators.LogicalOr, 2) {
		return p.test(e), guarded{}
	}
	all := operands(operators.LogicalOr, e.AsCall().Args(), nil)
	tests := p.tests(all)
	if tests == nil {
		return nil, guarded{}
	}
	for i, e := range all {
		g, ok := p.guard(e)
		if !ok {
			break
		}
		made.guards = append(made.guards, g)
		if made.rest = nil; i+1 < len(all) {
			made.rest = anyOf(tests[i+1:])
		}
	}
	return anyOf(tests), made
}

// guard plans has(self.field).
func (p *planner) guard(e ast.Expr) (guard, bool) {
	want := yes
	if isCall(e, operators.LogicalNot, 1) {
		e, want = e.AsCall().Args()[0], no
	}
	if e.Kind() != ast.SelectKind || !e.AsSelect().IsTestOnly() {
		return guard{}, false
	}
	s := e.AsSelect()
	if !isIdent(s.Operand(), self) || p.typeOf(s.Operand()).Kind() != types.StructKind {
		return guard{}, false
	}
	g := p.access(s.Operand(), s.FieldName())
	return guard{g, want}, g != nil
}

// opens says that a guard makes a rule true of a value; unsure that no guard does, and no
// that this is not known.
func (m *machine) opens(p *Program, val view.View) truth {
	if val.Kind() != view.Map || p.self.Kind != Object {
		return no
	}
	m.cost, m.limit = 0, p.perCall
	for i := range p.guarded.guards {
		m.cost += 2*identCost + 2*callCost
		switch p.guarded.guards[i].get.has(m, val, p.self) {
		case p.guarded.guards[i].want:
			return yes
		case p.guarded.guards[i].want.not():
		default:
			return no
		}
	}
	return unsure
}
