package plan

import (
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"k8s.io/apiserver/pkg/cel/library"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/decl"
	"github.com/diffrun/diffrun/backends/declarative/internal/pattern"
)

// Calls of functions on texts and optionals.

func (p *planner) size(_ ast.Expr, args []ast.Expr) planned {
	return p.ofOne(args[0], callCost, func(m *Machine, d *datum) datum {
		if d.kind == anError {
			return *d
		}
		n := m.size(d)
		if n < 0 {
			return datum{}
		}
		return intDatum(n)
	})
}

func runes(s string) int64 { return int64(utf8.RuneCountInString(s)) }

// matches plans matches with a pattern that is written in the rule.
func (p *planner) matches(e ast.Expr, args []ast.Expr) planned {
	if t := p.typeOf(args[0]); len(args) != 2 || !t.IsExactType(types.StringType) && !t.IsExactType(types.DynType) {
		return p.libraryCall(e, args) // of a label selector
	}
	source, ok := written(args[1])
	if !ok {
		return p.libraryCall(e, args)
	}
	re := p.Pattern(string(source))
	if re == nil {
		return planned{}
	}
	perText := int64(len(source)/4+1) + int64(len(source)/5) // with the sums of its pieces
	return p.testOfOne(args[0], callCost, func(m *Machine, d *datum) truth {
		if d.kind != aText || !m.charge(int64(len(d.s)/10+2)*perText) {
			return unsure
		}
		return truthOf(re.Match(d.s))
	})
}

// texts plans a function on two texts.
func texts(function func(a, b string) bool) func(*planner, ast.Expr, []ast.Expr) planned {
	return func(p *planner, _ ast.Expr, args []ast.Expr) planned {
		return p.testOfTwo(args, callCost, func(m *Machine, x, y *datum) truth {
			if x.kind != aText || y.kind != aText || !m.charge(int64(len(x.s)/10+1)*int64(len(y.s)/10+1)) {
				return unsure
			}
			return truthOf(function(x.s, y.s))
		})
	}
}

// validate plans format.NAME().validate(text) of k8s.io/apiserver/pkg/cel/library.
func (p *planner) validate(_ ast.Expr, args []ast.Expr) planned {
	if len(args) != 2 || args[0].Kind() != ast.CallKind {
		return planned{}
	}
	name, ok := strings.CutPrefix(args[0].AsCall().FunctionName(), "format.")
	format, known := library.ConstantFormats[name]
	if !ok || !known {
		return planned{}
	}
	perText, quick := int64(format.MaxRegexSize/4+2), pattern.FormatOf(name)
	return p.ofOne(args[1], 2*callCost, func(m *Machine, d *datum) datum {
		if d.kind != aText || !m.charge(int64(len(d.s)/10+2)*perText) {
			return datum{}
		}
		if quick.Proves(d.s) {
			return datum{kind: anOptional}
		}
		violations := format.ValidateFunc(d.s)
		if len(violations) == 0 {
			return datum{kind: anOptional}
		}
		var made []datum
		for _, text := range violations {
			made = append(made, textDatum(text))
		}
		return optional(datum{kind: aList, items: made})
	})
}

// optionalSelect plans operand.?field.
func (p *planner) optionalSelect(_ ast.Expr, args []ast.Expr) planned {
	name, ok := written(args[1])
	get := p.access(args[0], string(name))
	if !ok || get == nil {
		return planned{}
	}
	return p.ofOne(args[0], identCost+callCost, func(m *Machine, d *datum) datum {
		if d.kind != aView && d.kind != anOptional {
			return datum{}
		}
		return m.selectOptional(d, get)
	})
}

// optionalIndex plans map[?key].
func (p *planner) optionalIndex(_ ast.Expr, args []ast.Expr) planned {
	return p.ofTwo(args, identCost+callCost, func(m *Machine, d, key *datum) datum {
		if d.kind != aView && d.kind != anOptional || key.kind != aText || d.holds(aView) && d.typ.Kind != decl.Map {
			return datum{}
		}
		return m.selectOptional(d, &getter{ident: key.s})
	})
}

// selectOptional selects a field of a value or of an optional: as one that is not set when it is
// not.
func (m *Machine) selectOptional(d *datum, g *getter) datum {
	if d.kind == anOptional && !d.set {
		return datum{kind: anOptional}
	}
	if !d.holds(aView) {
		return datum{}
	}
	v, typ, ok := g.get(m, d.v, d.typ)
	if !ok {
		return datum{kind: anOptional}
	}
	return optional(load(v, typ))
}

func optional(d datum) datum {
	if d.unknown() || d.kind == anOptional {
		return datum{}
	}
	d.inner, d.kind, d.set = d.kind, anOptional, true
	return d
}

func (p *planner) hasValue(_ ast.Expr, args []ast.Expr) planned {
	if _, shadowed := p.vars[OldSelf]; p.optionalOld && !shadowed && isIdent(args[0], OldSelf) {
		return planned{test: func(m *Machine) truth {
			m.cost += identCost + callCost
			return truthOf(m.hasOld)
		}}
	}
	return p.testOfOne(args[0], callCost, func(m *Machine, d *datum) truth {
		if d.kind != anOptional {
			return unsure
		}
		return truthOf(d.set)
	})
}

// optionalOf plans optional.of(x) and optional.none().
func (p *planner) optionalOf(_ ast.Expr, args []ast.Expr) planned {
	if len(args) == 1 {
		return p.ofOne(args[0], callCost, func(_ *Machine, d *datum) datum { return optional(*d) })
	}
	return planned{step: func(m *Machine) datum {
		m.cost += callCost
		return datum{kind: anOptional}
	}}
}

func (p *planner) orValue(_ ast.Expr, args []ast.Expr) planned {
	return p.ofTwo(args, callCost, func(_ *Machine, d, instead *datum) datum {
		switch {
		case d.kind != anOptional:
			return datum{}
		case !d.set:
			return *instead
		}
		return d.held()
	})
}

func (p *planner) valueOf(_ ast.Expr, args []ast.Expr) planned {
	return p.ofOne(args[0], callCost, func(_ *Machine, d *datum) datum {
		if d.kind != anOptional || !d.set {
			return datum{}
		}
		return d.held()
	})
}
