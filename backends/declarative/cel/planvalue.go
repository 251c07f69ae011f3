package cel

import (
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"k8s.io/apiserver/pkg/cel/library"
)

// Calls that give a value.

func (p *planner) choose(args []ast.Expr) step {
	when, then, otherwise := p.test(args[0]), p.step(args[1]), p.step(args[2])
	if when == nil || then == nil || otherwise == nil {
		return nil
	}
	return func(m *machine) datum {
		m.cost += callCost
		switch when(m) {
		case yes:
			return then(m)
		case no:
			return otherwise(m)
		}
		return datum{}
	}
}

func (p *planner) size(args []ast.Expr) step {
	if i := p.length(args[0]); i != nil {
		return i.step()
	}
	value := p.step(args[0])
	if value == nil {
		return nil
	}
	return func(m *machine) datum {
		m.cost += callCost
		d := value(m)
		if d.kind == anError {
			return d
		}
		n := m.size(&d)
		if n < 0 {
			return datum{}
		}
		return intDatum(n)
	}
}

func runes(s string) int64 { return int64(utf8.RuneCountInString(s)) }

// multiply plans *, / and % of integers that are far from overflowing.
func (p *planner) multiply(function string, args []ast.Expr) step {
	a, b := p.step(args[0]), p.step(args[1])
	if a == nil || b == nil {
		return nil
	}
	return func(m *machine) datum {
		m.cost += callCost
		x := a(m)
		y := b(m)
		small := func(n int64) bool { return n == int64(int32(n)) }
		switch {
		case x.kind != anInt || y.kind != anInt:
		case function == operators.Multiply && small(x.n) && small(y.n):
			return intDatum(x.n * y.n)
		case function == operators.Divide && y.n > 0:
			return intDatum(x.n / y.n)
		case function == operators.Modulo && y.n > 0:
			return intDatum(x.n % y.n)
		}
		return datum{}
	}
}

// add plans + and - of integers, - of one, and + of strings.
func (p *planner) add(function string, args []ast.Expr) step {
	if len(args) == 1 {
		args = []ast.Expr{ast.NewExprFactory().NewLiteral(0, types.Int(0)), args[0]}
	}
	a, b := p.step(args[0]), p.step(args[1])
	if a == nil || b == nil {
		return nil
	}
	return func(m *machine) datum {
		m.cost += callCost
		x := a(m)
		y := b(m)
		const bound = 1 << 62 // nothing overflows below
		switch {
		case x.kind == anInt && y.kind == anInt && x.n < bound && x.n > -bound && y.n < bound && y.n > -bound:
			if function == operators.Subtract {
				return intDatum(x.n - y.n)
			}
			return intDatum(x.n + y.n)
		case x.kind == aText && y.kind == aText && function == operators.Add:
			if m.charge(int64((len(x.s) + len(y.s)) / 10)) {
				return textDatum(x.s + y.s)
			}
		}
		return datum{}
	}
}

// index plans list[i] and map[key].
func (p *planner) index(args []ast.Expr) step {
	a, b := p.step(args[0]), p.step(args[1])
	if a == nil || b == nil {
		return nil
	}
	return func(m *machine) datum {
		m.cost += identCost + callCost
		x := a(m)
		y := b(m)
		switch {
		case x.isList() && y.kind == anInt && y.n >= 0 && y.n < m.size(&x):
			return m.at(&x, int(y.n))
		case x.isMap() && y.kind == aText:
			if v, shape, ok := m.entry(x.v, x.shape, y.s); ok {
				return load(v, shape)
			}
		}
		return datum{}
	}
}

// optionalSelect plans operand.?field.
func (p *planner) optionalSelect(args []ast.Expr) step {
	name, ok := args[1].AsLiteral().(types.String)
	if args[1].Kind() != ast.LiteralKind || !ok {
		return nil
	}
	if p.isOldOptional(args[0]) {
		return p.oldField(args[0], string(name))
	}
	operand, get := p.step(args[0]), p.access(args[0], string(name))
	if operand == nil || get == nil {
		return nil
	}
	return func(m *machine) datum {
		m.cost += identCost + callCost
		d := operand(m)
		switch d.kind {
		case anOptional:
			return m.chain(&d, get)
		case aView:
			d = optional(d)
			return m.chain(&d, get)
		}
		return datum{}
	}
}

func (p *planner) orValue(args []ast.Expr) step {
	if c, otherwise := p.chain(args[0]), p.step(args[1]); c != nil && otherwise != nil {
		return c.orValue(otherwise)
	}
	value, otherwise := p.optional(args[0]), p.step(args[1])
	if value == nil || otherwise == nil {
		return nil
	}
	return func(m *machine) datum {
		m.cost += callCost
		d := value(m)
		instead := otherwise(m)
		switch {
		case d.kind != anOptional:
			return datum{}
		case d.set:
			d.kind = d.inner
			return d
		}
		return instead
	}
}

func (p *planner) valueOf(args []ast.Expr) step {
	value := p.optional(args[0])
	if value == nil {
		return nil
	}
	return func(m *machine) datum {
		m.cost += callCost
		d := value(m)
		if d.kind != anOptional || !d.set {
			return datum{}
		}
		d.kind = d.inner
		return d
	}
}

func (p *planner) split(args []ast.Expr) step {
	if len(args) != 2 {
		return nil
	}
	a, b := p.step(args[0]), p.step(args[1])
	if a == nil || b == nil {
		return nil
	}
	return func(m *machine) datum {
		x := a(m)
		y := b(m)
		if x.kind != aText || y.kind != aText || y.s == "" || !m.charge(callCost+int64(len(x.s)/5)) {
			return datum{}
		}
		parts, at := m.newList()
		for rest := x.s; ; {
			part, after, more := strings.Cut(rest, y.s)
			parts = append(parts, textDatum(part))
			if rest = after; !more {
				return m.keep(parts, at)
			}
		}
	}
}

// validate plans format.NAME().validate(text) of k8s.io/apiserver/pkg/cel/library.
func (p *planner) validate(args []ast.Expr) step {
	if len(args) != 2 || args[0].Kind() != ast.CallKind {
		return nil
	}
	function := args[0].AsCall().FunctionName()
	name, ok := strings.CutPrefix(function, "format.")
	format, known := library.ConstantFormats[name]
	text := p.text(args[1])
	if !ok || !known || text == nil {
		return nil
	}
	perText := int64(format.MaxRegexSize/4 + 2)
	return func(m *machine) datum {
		s, t := text(m)
		if t != yes || !m.charge(2*callCost+int64(len(s)/10+2)*perText) {
			return datum{}
		}
		key := called{function, s}
		if m.known[key] == types.True {
			return datum{kind: anOptional}
		}
		violations := format.ValidateFunc(s)
		if len(violations) == 0 {
			m.note(key, types.True)
			return datum{kind: anOptional}
		}
		made, at := m.newList()
		for _, text := range violations {
			made = append(made, textDatum(text))
		}
		return optional(m.keep(made, at))
	}
}

// converts says that a function converts a value to a type. cel-go calls it when a
// program is made if the value is known then, and has no program for a rule in which that
// fails (interpreter/decorators.go).
func converts(function string) bool {
	switch function {
	case "string", "int", "double", "bytes", "duration", "timestamp":
		return true
	}
	return false
}

// folded says that a value is known when a program is made: what is converted from a
// literal.
func folded(e ast.Expr) bool {
	if e.Kind() != ast.CallKind {
		return e.Kind() == ast.LiteralKind
	}
	args := arguments(e.AsCall())
	return len(args) == 1 && converts(e.AsCall().FunctionName()) && folded(args[0])
}
