package cel

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// chain is a path of fields and entries that need not be there: self.?os.?name.
type chain struct {
	from  *way
	steps []*getter
}

// chain plans such a path. It is nil for anything else.
func (p *planner) chain(e ast.Expr) *chain {
	operand, name := e, ""
	switch {
	case isCall(e, operators.OptSelect, 2):
		args := e.AsCall().Args()
		text, ok := args[1].AsLiteral().(types.String)
		if args[1].Kind() != ast.LiteralKind || !ok {
			return nil
		}
		operand, name = args[0], string(text)
	case e.Kind() == ast.SelectKind && !e.AsSelect().IsTestOnly() && p.typeOf(e.AsSelect().Operand()).Kind() == types.OpaqueKind:
		operand, name = e.AsSelect().Operand(), e.AsSelect().FieldName()
	default:
		return nil
	}
	g := p.access(operand, name)
	if g == nil {
		return nil
	}
	c := p.chain(operand)
	if c == nil {
		w := p.way(operand)
		if k := p.typeOf(operand).Kind(); w == nil || k != types.StructKind && k != types.MapKind {
			return nil
		}
		c = &chain{from: w}
	}
	c.steps = append(c.steps, g)
	return c
}

// find walks a chain to its end, or to where there is nothing: then it is no. It is unsure
// where the plan gives up.
func (c *chain) find(m *machine) (v view.View, s *Shape, t truth) {
	m.cost += int64(len(c.steps)) * (identCost + callCost)
	v, s, t = c.from.find(m)
	if t != yes {
		return v, s, unsure
	}
	for _, g := range c.steps {
		if v.Kind() != view.Map || s.Kind != Object && s.Kind != Map {
			return v, s, unsure
		}
		next, shape, ok := g.get(m, v, s)
		if !ok {
			return v, s, no
		}
		v, s = next, shape
	}
	return v, s, truthOf(loads(v.Kind(), s)).orUnsure()
}

// orUnsure takes a no for nothing.
func (t truth) orUnsure() truth {
	if t == no {
		return unsure
	}
	return t
}

func (c *chain) step() step {
	return func(m *machine) datum {
		v, s, t := c.find(m)
		switch t {
		case yes:
			return optional(load(v, s))
		case no:
			return datum{kind: anOptional}
		}
		return datum{}
	}
}

// orValue plans chain.orValue(otherwise).
func (c *chain) orValue(otherwise step) step {
	return func(m *machine) datum {
		m.cost += callCost
		v, s, t := c.find(m)
		instead := otherwise(m)
		switch t {
		case yes:
			return load(v, s)
		case no:
			return instead
		}
		return datum{}
	}
}

// textOr plans chain.orValue(otherwise) of texts.
func (c *chain) textOr(otherwise string) textStep {
	return func(m *machine) (string, truth) {
		m.cost += callCost
		v, s, t := c.find(m)
		switch {
		case t == no:
			return otherwise, yes
		case t == yes && v.Kind() == view.String && loads(view.String, s):
			return v.Str(), yes
		}
		return "", unsure
	}
}
