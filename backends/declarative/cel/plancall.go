package cel

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apiserver/pkg/cel/library"

	"github.com/diffrun/diffrun/backends/declarative/internal/pattern"
)

// callTest plans a call whose value is a bool. known is false for a function that is
// not one of these.
func (p *planner) callTest(e ast.Expr) (t test, known bool) {
	c := e.AsCall()
	args := arguments(c)
	switch c.FunctionName() {
	case operators.LogicalAnd:
		return p.logical(args, no), true
	case operators.LogicalOr:
		return p.logical(args, yes), true
	case operators.LogicalNot:
		t := p.test(args[0])
		if t == nil {
			return nil, true
		}
		return func(m *machine) truth {
			m.cost += callCost
			return t(m).not()
		}, true
	case operators.Conditional:
		return p.conditional(e, args), true
	case operators.Equals:
		return p.equals(args, yes), true
	case operators.NotEquals:
		return p.equals(args, no), true
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		return p.ordered(c.FunctionName(), args), true
	case operators.In:
		return p.in(args), true
	case "matches":
		return p.matches(args), true
	case "startsWith":
		return p.texts(args, strings.HasPrefix), true
	case "endsWith":
		return p.texts(args, strings.HasSuffix), true
	case "contains":
		return p.texts(args, strings.Contains), true
	case "hasValue":
		return p.hasValue(args), true
	}
	return nil, false
}

// logical plans && and ||. What comes after a value that decides is not looked at.
func (p *planner) logical(args []ast.Expr, decides truth) test {
	left, right := p.test(args[0]), p.test(args[1])
	if left == nil || right == nil {
		return nil
	}
	return func(m *machine) truth {
		m.cost += callCost
		if t := left(m); t != decides.not() {
			return t
		}
		return right(m)
	}
}

func (p *planner) conditional(e ast.Expr, args []ast.Expr) test {
	if !p.typeOf(e).IsExactType(types.BoolType) {
		return nil
	}
	when, then, otherwise := p.test(args[0]), p.test(args[1]), p.test(args[2])
	if when == nil || then == nil || otherwise == nil {
		return nil
	}
	return func(m *machine) truth {
		m.cost += callCost
		switch when(m) {
		case yes:
			return then(m)
		case no:
			return otherwise(m)
		}
		return unsure
	}
}

func (p *planner) equals(args []ast.Expr, want truth) test {
	if t := p.typeTest(args, want); t != nil {
		return t
	}
	a, b := p.step(args[0]), p.step(args[1])
	if a == nil || b == nil {
		return nil
	}
	return func(m *machine) truth {
		m.cost += callCost
		x := a(m)
		y := b(m)
		t := m.equal(&x, &y)
		if want == no {
			t = t.not()
		}
		return t
	}
}

// typeTest plans type(x) == int and the like: how rules tell what an int-or-string
// is.
func (p *planner) typeTest(args []ast.Expr, want truth) test {
	if !isCall(args[0], "type", 1) || args[1].Kind() != ast.IdentKind {
		return nil
	}
	kind, ok := map[string]datumKind{"int": anInt, "string": aText, "bool": aBool, "double": aDouble}[args[1].AsIdent()]
	if _, variable := p.vars[args[1].AsIdent()]; !ok || variable {
		return nil
	}
	value := p.step(arguments(args[0].AsCall())[0])
	if value == nil {
		return nil
	}
	return func(m *machine) truth {
		m.cost += identCost + 2*callCost
		d := value(m)
		switch d.kind {
		case aBool, anInt, aDouble, aText:
			return truthOf((d.kind == kind) == (want == yes))
		}
		return unsure
	}
}

func (p *planner) ordered(function string, args []ast.Expr) test {
	a, b := p.step(args[0]), p.step(args[1])
	if a == nil || b == nil {
		return nil
	}
	swap := function == operators.Greater || function == operators.GreaterEquals
	orEqual := function == operators.LessEquals || function == operators.GreaterEquals
	return func(m *machine) truth {
		m.cost += callCost
		x := a(m)
		y := b(m)
		if swap {
			x, y = y, x
		}
		if x.kind != y.kind {
			return unsure
		}
		switch x.kind {
		case aRef:
			return compareRefs(&x, &y, orEqual)
		case anInt:
			return truthOf(x.n < y.n || (orEqual && x.n == y.n))
		case aDouble:
			if math.IsNaN(x.f) || math.IsNaN(y.f) {
				return unsure
			}
			return truthOf(x.f < y.f || (orEqual && x.f == y.f))
		case aText:
			m.cost += int64(min(len(x.s), len(y.s)) / 10)
			return truthOf(x.s < y.s || (orEqual && x.s == y.s))
		}
		return unsure
	}
}

// compareRefs compares durations and dates.
func compareRefs(x, y *datum, orEqual bool) truth {
	c, ok := x.ref.(traits.Comparer)
	if !ok {
		return unsure
	}
	order, ok := c.Compare(y.ref).(types.Int)
	if !ok {
		return unsure
	}
	return truthOf(order < 0 || (orEqual && order == 0))
}

// in plans x in list and key in map.
func (p *planner) in(args []ast.Expr) test {
	a, b := p.step(args[0]), p.step(args[1])
	if a == nil || b == nil {
		return nil
	}
	return func(m *machine) truth {
		m.cost += callCost
		x := a(m)
		y := b(m)
		switch {
		case x.kind == gaveUp:
			return unsure
		case y.isMap() && x.kind == aText:
			v, shape, ok := m.entry(y.v, y.shape, x.s)
			if d := (datum{kind: aBool}); ok {
				if d = load(v, shape); d.kind == gaveUp {
					return unsure
				}
			}
			m.cost += int64(m.read.Len(y.v))
			return truthOf(ok)
		case y.isList():
			return m.contains(&x, &y)
		}
		return unsure
	}
}

func (m *machine) contains(x, list *datum) truth {
	n := m.size(list)
	if !m.charge(n) {
		return unsure
	}
	spent := m.cost // cel-go does not count the comparisons
	for i := range int(n) {
		item := m.at(list, i)
		t := m.equal(x, &item)
		if m.cost = spent; t != no {
			return t
		}
	}
	return no
}

// matches plans matches with a pattern that is a literal.
func (p *planner) matches(args []ast.Expr) test {
	if len(args) != 2 || args[1].Kind() != ast.LiteralKind || !dynOrText(p.typeOf(args[0])) {
		return nil
	}
	text, ok := args[1].AsLiteral().(types.String)
	if !ok {
		return nil
	}
	value := p.step(args[0])
	re := p.patterns[string(text)]
	if re == nil {
		made, err := pattern.Compile(string(text))
		if err != nil {
			return nil
		}
		re = made
		p.patterns[string(text)] = re
	}
	if value == nil {
		return nil
	}
	perText := int64(len(text)/4 + 1)
	return func(m *machine) truth {
		d := value(m)
		if d.kind != aText || !m.charge(callCost+int64(len(d.s)/10+2)*perText) {
			return unsure
		}
		return truthOf(re.Match(d.s))
	}
}

func dynOrText(t *types.Type) bool {
	return t.IsExactType(types.StringType) || t.IsExactType(types.DynType)
}

// texts plans a function on two strings.
func (p *planner) texts(args []ast.Expr, function func(a, b string) bool) test {
	if len(args) != 2 {
		return nil
	}
	a, b := p.step(args[0]), p.step(args[1])
	if a == nil || b == nil {
		return nil
	}
	return func(m *machine) truth {
		x := a(m)
		y := b(m)
		if x.kind != aText || y.kind != aText || !m.charge(callCost+int64(len(x.s)/10+1)*int64(len(y.s)/10+1)) {
			return unsure
		}
		return truthOf(function(x.s, y.s))
	}
}

func (p *planner) hasValue(args []ast.Expr) test {
	if _, known := p.vars[oldSelf]; !known && isIdent(args[0], oldSelf) && p.noOld {
		return func(m *machine) truth {
			m.cost += identCost + callCost
			return truthOf(m.hasOld)
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

// call plans a call whose value is no bool. known is false for a function that is
// not one of these.
func (p *planner) call(e ast.Expr) (s step, known bool) {
	c := e.AsCall()
	args := arguments(c)
	switch c.FunctionName() {
	case operators.Conditional:
		if p.typeOf(e).IsExactType(types.BoolType) {
			return nil, false
		}
		return p.choose(args), true
	case "size":
		return p.size(args), true
	case operators.Add, operators.Subtract:
		if t := p.typeOf(e); t.IsExactType(types.IntType) || t.IsExactType(types.StringType) {
			return p.add(c.FunctionName(), args), true
		}
	case operators.Index:
		return p.index(args), true
	case operators.OptSelect:
		return p.optionalSelect(args), true
	case "orValue":
		return p.orValue(args), true
	case "value":
		return p.valueOf(args), true
	case "split":
		return p.split(args), true
	case "validate":
		return p.validate(args), true
	case operators.OptIndex:
		return p.optionalIndex(args), true
	case "string":
		return p.stringOf(args), true
	case "int":
		if s := p.intOf(args); s != nil && p.typeOf(args[0]).IsExactType(types.DynType) {
			return s, true
		}
	}
	if s := p.libraryCall(e); s != nil {
		return s, true
	}
	return nil, false
}

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
	value := p.step(args[0])
	if value == nil {
		return nil
	}
	return func(m *machine) datum {
		m.cost += callCost
		d := value(m)
		n := m.size(&d)
		if n < 0 {
			return datum{}
		}
		return intDatum(n)
	}
}

func runes(s string) int64 { return int64(utf8.RuneCountInString(s)) }

// add plans + and - of integers and + of strings.
func (p *planner) add(function string, args []ast.Expr) step {
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
	value, otherwise := p.step(args[0]), p.step(args[1])
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
	value := p.step(args[0])
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
	name, ok := strings.CutPrefix(args[0].AsCall().FunctionName(), "format.")
	format, known := library.ConstantFormats[name]
	value := p.step(args[1])
	if !ok || !known || value == nil {
		return nil
	}
	perText := int64(format.MaxRegexSize/4 + 2)
	return func(m *machine) datum {
		d := value(m)
		if d.kind != aText || !m.charge(2*callCost+int64(len(d.s)/10+2)*perText) {
			return datum{}
		}
		violations := format.ValidateFunc(d.s)
		if len(violations) == 0 {
			return datum{kind: anOptional}
		}
		made, at := m.newList()
		for _, text := range violations {
			made = append(made, textDatum(text))
		}
		return optional(m.keep(made, at))
	}
}
