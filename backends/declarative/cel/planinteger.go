package cel

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// integerStep computes an integer. The truth is yes, or failed or unsure as of a test.
type integerStep func(m *machine) (int64, truth)

func (p *planner) isInteger(e ast.Expr) bool { return p.typeOf(e).IsExactType(types.IntType) }

// integer plans an expression whose value is an integer, or gives up at run time where it
// is none.
func (p *planner) integer(e ast.Expr) integerStep {
	if e.Kind() == ast.LiteralKind {
		if n, ok := e.AsLiteral().(types.Int); ok {
			return func(*machine) (int64, truth) { return int64(n), yes }
		}
	}
	if _, variable := p.loopVariable(e); !variable {
		if w := p.way(e); w != nil {
			return w.integer
		}
	}
	if isCall(e, "size", 1) {
		if i := p.length(arguments(e.AsCall())[0]); i != nil {
			return i
		}
	}
	value := p.step(e)
	if value == nil {
		return nil
	}
	return func(m *machine) (int64, truth) {
		d := value(m)
		switch d.kind {
		case anInt:
			return d.n, yes
		case anError:
			return 0, failed
		}
		return 0, unsure
	}
}

// integer reads the integer at the end of a way.
func (w *way) integer(m *machine) (int64, truth) {
	v, s, t := w.find(m)
	switch {
	case t != yes:
		return 0, t
	case v.Kind() != view.Int || s.Kind != Int:
		return 0, unsure
	}
	return v.Int(), yes
}

// length plans the size of a text, in code points, or of its bytes.
func (p *planner) length(e ast.Expr) integerStep {
	switch {
	case p.isText(e):
		text := p.text(e)
		if text == nil {
			return nil
		}
		return func(m *machine) (int64, truth) {
			m.cost += callCost
			s, t := text(m)
			return runes(s), t
		}
	case isCall(e, "bytes", 1) && dynOrText(p.typeOf(e.AsCall().Args()[0])):
		text := p.text(e.AsCall().Args()[0])
		if text == nil || folded(e) {
			return nil
		}
		return func(m *machine) (int64, truth) {
			s, t := text(m)
			m.cost += 2*callCost + 2*int64(len(s)+1)
			if t != yes {
				t = unsure
			}
			return int64(len(s)), t
		}
	}
	return nil
}

// compareIntegers plans the comparisons of integers.
func (p *planner) compareIntegers(function string, args []ast.Expr) test {
	if !p.isInteger(args[0]) || !p.isInteger(args[1]) {
		return nil
	}
	a, b := p.integer(args[0]), p.integer(args[1])
	if a == nil || b == nil {
		return nil
	}
	holds := map[string]func(a, b int64) bool{
		operators.Equals:        func(a, b int64) bool { return a == b },
		operators.NotEquals:     func(a, b int64) bool { return a != b },
		operators.Less:          func(a, b int64) bool { return a < b },
		operators.LessEquals:    func(a, b int64) bool { return a <= b },
		operators.Greater:       func(a, b int64) bool { return a > b },
		operators.GreaterEquals: func(a, b int64) bool { return a >= b },
	}[function]
	return func(m *machine) truth {
		m.cost += callCost
		x, t := a(m)
		y, u := b(m)
		switch {
		case t != yes:
			return t
		case u != yes:
			return u
		}
		return truthOf(holds(x, y))
	}
}

func (i integerStep) step() step {
	if i == nil {
		return nil
	}
	return func(m *machine) datum {
		n, t := i(m)
		switch t {
		case yes:
			return intDatum(n)
		case failed:
			return datum{kind: anError}
		}
		return datum{}
	}
}
