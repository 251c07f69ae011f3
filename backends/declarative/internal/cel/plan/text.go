package plan

import (
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/common/ast"
	celtypes "github.com/google/cel-go/common/types"
	"k8s.io/apiserver/pkg/cel/library"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
	"github.com/diffrun/diffrun/internal/text/lang"
)

// Calls of functions on texts and optionals are planned here.

func (p *planner) size(_ ast.Expr, args []ast.Expr) planned {
	if IsCall(args[0], "bytes", 1) {
		if text := Arguments(args[0].AsCall())[0]; p.typeOf(text).IsExactType(celtypes.StringType) && !p.foldedByCEL(text) {
			return p.sizeOfBytes(text)
		}
	}
	return p.ofOne(args[0], callCost, func(m *Machine, d, into *operand) {
		if d.kind == anError {
			into.kind = anError
			return
		}
		n := m.size(d)
		if into.setInt(n); n < 0 {
			into.giveUp()
		}
	})
}

// sizeOfBytes plans size(bytes(text)), without the bytes.
func (p *planner) sizeOfBytes(text ast.Expr) planned {
	return p.ofOne(text, 2*callCost, func(m *Machine, d, into *operand) {
		if into.setInt(int64(len(d.s))); d.kind != aText || !m.charge(2*m.weight(d)) {
			into.giveUp()
		}
	})
}

func runes(s string) int64 { return int64(utf8.RuneCountInString(s)) }

// matches plans matches with a literal pattern.
func (p *planner) matches(e ast.Expr, args []ast.Expr) planned {
	if IsCall(args[0], "labelSelector", 1) && len(args) == 2 {
		return p.selects(e, args)
	}
	if t := p.typeOf(args[0]); len(args) != 2 || !t.IsExactType(celtypes.StringType) && !t.IsExactType(celtypes.DynType) {
		return p.libraryCall(e, args)
	}
	source, ok := literalText(args[1])
	if !ok {
		return p.libraryCall(e, args)
	}
	re := p.Pattern(string(source))
	if re == nil {
		return planned{}
	}
	perText := int64(len(source)/4+1) + int64(len(source)/5) // with the sums of its pieces
	return p.testOfOne(args[0], callCost, func(m *Machine, d *operand) truth {
		if d.kind != aText || !m.charge(int64(len(d.s)/10+2)*perText) {
			return unsure
		}
		return truthOf(re.Match(d.s))
	})
}

// texts plans a function on two texts.
func texts(function func(a, b string) bool) func(*planner, ast.Expr, []ast.Expr) planned {
	return func(p *planner, _ ast.Expr, args []ast.Expr) planned {
		return p.testOfTwo(args, callCost, func(m *Machine, x, y *operand) truth {
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
	perText, quick := int64(format.MaxRegexSize/4+2), lang.FormatOf(name)
	return p.ofOne(args[1], 2*callCost, func(m *Machine, d, into *operand) {
		if d.kind != aText || !m.charge(int64(len(d.s)/10+2)*perText) {
			into.giveUp()
			return
		}
		if into.setNone(); quick.Proves(d.s) {
			return
		}
		violations := format.ValidateFunc(d.s)
		if len(violations) == 0 {
			return
		}
		made := make([]operand, len(violations))
		for i, text := range violations {
			made[i].setText(text)
		}
		into.setList(made)
		into.wrap()
	})
}

// optionalSelect plans operand.?field.
func (p *planner) optionalSelect(_ ast.Expr, args []ast.Expr) planned {
	name, ok := literalText(args[1])
	get := p.access(args[0], string(name))
	if !ok || get == nil {
		return planned{}
	}
	return p.ofOne(args[0], identCost+callCost, func(m *Machine, d, into *operand) { m.selectOptional(d, get, into) })
}

// optionalIndex plans map[?key].
func (p *planner) optionalIndex(_ ast.Expr, args []ast.Expr) planned {
	return p.ofTwo(args, identCost+callCost, func(m *Machine, d, key, into *operand) {
		if key.kind != aText || d.holds(aView) && d.typ.Kind != types.Map {
			into.giveUp()
			return
		}
		m.selectOptional(d, &getter{ident: key.s}, into)
	})
}

// selectOptional selects a field of a value or of an optional. The result is an optional.
func (m *Machine) selectOptional(d *operand, g *getter, into *operand) {
	if d.kind == anOptional && !d.set {
		into.setNone()
		return
	}
	if !d.holds(aView) {
		into.giveUp()
		return
	}
	v, typ, ok := g.get(m, d.v, d.typ)
	if !ok {
		into.setNone()
		return
	}
	into.load(v, typ)
	into.wrap()
}

func (p *planner) hasValue(_ ast.Expr, args []ast.Expr) planned {
	if _, shadowed := p.vars[OldSelf]; p.optionalOld && !shadowed && isIdent(args[0], OldSelf) {
		return planned{test: func(m *Machine) truth {
			m.cost += identCost + callCost
			return truthOf(m.hasOld)
		}}
	}
	return p.testOfOne(args[0], callCost, func(m *Machine, d *operand) truth {
		if d.kind != anOptional {
			return unsure
		}
		return truthOf(d.set)
	})
}

// optionalOf plans optional.of(x) and optional.none().
func (p *planner) optionalOf(_ ast.Expr, args []ast.Expr) planned {
	if len(args) == 1 {
		return p.ofOne(args[0], callCost, func(_ *Machine, d, into *operand) {
			*into = *d
			into.wrap()
		})
	}
	return planned{step: func(m *Machine, into *operand) {
		m.cost += callCost
		into.setNone()
	}}
}

func (p *planner) orValue(_ ast.Expr, args []ast.Expr) planned {
	return p.ofTwo(args, callCost, func(_ *Machine, d, instead, into *operand) {
		switch {
		case d.kind != anOptional:
			into.giveUp()
		case d.set:
			into.setHeld(d)
		default:
			*into = *instead
		}
	})
}

func (p *planner) valueOf(_ ast.Expr, args []ast.Expr) planned {
	return p.ofOne(args[0], callCost, func(_ *Machine, d, into *operand) {
		if d.kind != anOptional || !d.set {
			into.giveUp()
			return
		}
		into.setHeld(d)
	})
}
