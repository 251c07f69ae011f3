package cel

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// Tests of texts, and of optionals.

// matches plans matches with a pattern that is a literal.
func (p *planner) matches(args []ast.Expr) test {
	if len(args) == 2 && isCall(args[0], "labelSelector", 1) {
		return p.selects(arguments(args[0].AsCall())[0], args[1])
	}
	if len(args) != 2 || !dynOrText(p.typeOf(args[0])) {
		return nil
	}
	text, ok := written(args[1])
	if !ok {
		return nil
	}
	value := p.text(args[0])
	re := p.pattern(string(text))
	if value == nil || re == nil {
		return nil
	}
	perText := int64(len(text)/4+1) + int64(len(text)/5) // with the sums of its pieces
	return func(m *machine) truth {
		s, t := value(m)
		if t != yes || !m.charge(callCost+int64(len(s)/10+2)*perText) {
			return unsure
		}
		return truthOf(re.Match(s))
	}
}

// written is a text that stands in the rule, in one piece or in several.
func written(e ast.Expr) (types.String, bool) {
	if isCall(e, operators.Add, 2) {
		args := arguments(e.AsCall())
		a, ok := written(args[0])
		b, also := written(args[1])
		return a + b, ok && also
	}
	if e.Kind() != ast.LiteralKind {
		return "", false
	}
	text, ok := e.AsLiteral().(types.String)
	return text, ok
}

func dynOrText(t *types.Type) bool {
	return t.IsExactType(types.StringType) || t.IsExactType(types.DynType)
}

// texts plans a function on two strings.
func (p *planner) texts(args []ast.Expr, function func(a, b string) bool) test {
	if len(args) != 2 {
		return nil
	}
	a, b := p.text(args[0]), p.text(args[1])
	if a == nil || b == nil {
		return nil
	}
	return func(m *machine) truth {
		x, t := a(m)
		y, u := b(m)
		if t != yes || u != yes || !m.charge(callCost+int64(len(x)/10+1)*int64(len(y)/10+1)) {
			return unsure
		}
		return truthOf(function(x, y))
	}
}

func (p *planner) hasValue(args []ast.Expr) test {
	if p.isOldOptional(args[0]) {
		return func(m *machine) truth {
			m.cost += identCost + callCost
			return truthOf(m.hasOld)
		}
	}
	if c := p.chain(args[0]); c != nil {
		return func(m *machine) truth {
			m.cost += callCost
			_, _, t := c.find(m)
			return t
		}
	}
	value := p.step(args[0])
	if value == nil {
		return nil
	}
	return func(m *machine) truth {
		m.cost += callCost
		d := value(m)
		if d.kind != anOptional {
			return unsure
		}
		return truthOf(d.set)
	}
}
