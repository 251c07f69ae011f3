package plan

import (
	"github.com/google/cel-go/common/ast"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
	"github.com/diffrun/diffrun/internal/text/lang"
)

// selects plans labelSelector(x).matches(labels). A selector that has only labels is compared directly;
// others are left to the library. Without this, small typed Deployments take twice as long.
func (p *planner) selects(e ast.Expr, args []ast.Expr) planned {
	selector, labels := p.valueRef(Arguments(args[0].AsCall())[0]), p.valueRef(args[1])
	library := p.libraryCall(e, args)
	if selector.none() || labels.none() || library.step == nil {
		return library
	}
	asked := p.kept(library.step)
	key, value := lang.FormatOf("qualifiedName"), lang.FormatOf("labelValue")
	return planned{test: func(m *Machine) truth {
		before := m.cost
		of := selector.at(m)
		if m.matchesLabels(of, labels.at(m), key, value) {
			return yes
		}
		m.cost = before
		return asked.at(m).truth()
	}}
}

// matchesLabels reports whether a selector that consists of valid labels is proven to match.
func (m *Machine) matchesLabels(selector, labels *operand, key, value *lang.Format) bool {
	if selector.kind != aView || !labels.isMap() || !m.charge(3*callCost+(m.weight(selector)+1)*(m.weight(labels)+1)) {
		return false
	}
	wanted, _ := m.read.Field(selector.v, "matchLabels")
	expressions, _ := m.read.Field(selector.v, "matchExpressions")
	if wanted.Kind() != view.Map || !(expressions.Kind() == view.Null || expressions.Kind() == view.List && m.read.Len(expressions) == 0) {
		return false
	}
	for _, e := range m.read.Entries(wanted) {
		got, _, ok := m.entry(labels.v, labels.typ, e.Key)
		if !ok || got.Kind() != view.String || e.Value.Kind() != view.String || got.Str() != e.Value.Str() ||
			!key.Proves(e.Key) || !value.Proves(e.Value.Str()) {
			return false
		}
	}
	return true
}
