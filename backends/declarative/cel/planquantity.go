package cel

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Quantities (library/quantity.go of k8s.io/apiserver/pkg/cel). Those of typed objects are
// not made a text to be parsed.

// quantityStep computes a quantity, which must not be changed. It is nil when the plan
// gives up.
type quantityStep func(m *machine) *resource.Quantity

// quantity plans an expression whose value is a quantity.
func (p *planner) quantity(e ast.Expr) quantityStep {
	value := p.step(e)
	if value == nil {
		return nil
	}
	parsed := func(m *machine) *resource.Quantity {
		d := value(m)
		if d.kind != aRef {
			return nil
		}
		q, _ := d.ref.Value().(*resource.Quantity)
		return q
	}
	if !isCall(e, "quantity", 1) || !isCall(e.AsCall().Args()[0], "string", 1) {
		return parsed
	}
	at := p.place(e.AsCall().Args()[0].AsCall().Args()[0])
	if at == nil {
		return parsed
	}
	return func(m *machine) *resource.Quantity {
		spent := m.cost
		v, s, t := at(m)
		if t == yes && s.Kind == Dyn {
			if q, ok := v.Quantity(); ok {
				m.cost += 3*callCost + 3*view.LongestQuantity
				return q
			}
		}
		m.cost = spent
		return parsed(m)
	}
}

// place plans an expression that is a part of the object, and gives it unread.
func (p *planner) place(e ast.Expr) func(m *machine) (view.View, *Shape, truth) {
	if w := p.way(e); w != nil {
		return w.find
	}
	if !isCall(e, "_[_]", 2) {
		return nil
	}
	args := e.AsCall().Args()
	if !p.isText(args[1]) || p.typeOf(args[0]).Kind() != types.MapKind {
		return nil
	}
	in, key := p.way(args[0]), p.text(args[1])
	if in == nil || key == nil {
		return nil
	}
	return func(m *machine) (view.View, *Shape, truth) {
		m.cost += identCost + callCost
		v, s, t := in.find(m)
		k, known := key(m)
		if t != yes || known != yes || v.Kind() != view.Map {
			return view.View{}, nil, unsure
		}
		v, s, ok := m.entry(v, s, k)
		return v, s, truthOf(ok)
	}
}

// quantityCall plans the functions on quantities whose value is an integer.
func (p *planner) quantityCall(function string, args []ast.Expr) step {
	if !p.areQuantities(args) {
		return nil
	}
	a := p.quantity(args[0])
	switch {
	case a == nil:
		return nil
	case function == "sign" && len(args) == 1:
		return func(m *machine) datum {
			m.cost += 2 * callCost
			if q := a(m); q != nil {
				return intDatum(int64(q.Sign()))
			}
			return datum{}
		}
	case function == "asInteger" && len(args) == 1:
		return func(m *machine) datum {
			m.cost += 2 * callCost
			if q := a(m); q != nil {
				if n, ok := q.AsInt64(); ok {
					return intDatum(n)
				}
			}
			return datum{}
		}
	case function == "compareTo" && len(args) == 2:
		b := p.quantity(args[1])
		if b == nil {
			return nil
		}
		return func(m *machine) datum {
			order, ok := m.compareQuantities(a, b)
			if !ok {
				return datum{}
			}
			return intDatum(int64(order))
		}
	}
	return nil
}

// quantityTest plans the functions on quantities whose value is a bool.
func (p *planner) quantityTest(function string, args []ast.Expr) test {
	if !p.areQuantities(args) {
		return nil
	}
	a := p.quantity(args[0])
	switch {
	case a == nil:
		return nil
	case function == "isInteger" && len(args) == 1:
		return func(m *machine) truth {
			m.cost += 2 * callCost
			q := a(m)
			if q == nil {
				return unsure
			}
			_, whole := q.AsInt64()
			return truthOf(whole)
		}
	case len(args) != 2:
		return nil
	}
	b := p.quantity(args[1])
	if b == nil {
		return nil
	}
	want := 1
	if function == "isLessThan" {
		want = -1
	}
	return func(m *machine) truth {
		order, ok := m.compareQuantities(a, b)
		if !ok {
			return unsure
		}
		return truthOf(order == want)
	}
}

func (p *planner) areQuantities(args []ast.Expr) bool {
	for _, arg := range args {
		if p.typeOf(arg).TypeName() != "kubernetes.Quantity" {
			return false
		}
	}
	return true
}

func (m *machine) compareQuantities(a, b quantityStep) (order int, ok bool) {
	m.cost += 4 * callCost
	x, y := a(m), b(m)
	if x == nil || y == nil {
		return 0, false
	}
	mine := *x // comparing may change how it is kept
	return mine.Cmp(*y), true
}
