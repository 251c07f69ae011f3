package plan

import (
	"math"
	"slices"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/functions"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
)

// Plans call the functions of cel-go's libraries with CEL values.

// libraryOverloads returns the implementations of functions, by overload.
func libraryOverloads(env *cel.Env, table map[string]function) map[string]*functions.Overload {
	found := map[string]*functions.Overload{}
	all := env.Functions()
	for name, row := range table {
		decl := all[name]
		if decl == nil || !row.library {
			continue
		}
		bindings, err := decl.Bindings()
		if err != nil {
			continue // the rule is left to cel-go, which reports it
		}
		for _, b := range bindings {
			found[name+" "+b.Operator] = b
		}
	}
	return found
}

// implementation returns the function that cel-go would call, or nil.
func (p *planner) implementation(e ast.Expr, args int) func(args []ref.Val) ref.Val {
	name := e.AsCall().FunctionName()
	o := p.overloads[name+" "+name] // chooses an overload when the rule runs
	if ids := p.checked.GetOverloadIDs(e.ID()); len(ids) == 1 && p.overloads[name+" "+ids[0]] != nil {
		o = p.overloads[name+" "+ids[0]]
	}
	switch {
	case o == nil:
		return nil
	case args == 1 && o.Unary != nil:
		return func(args []ref.Val) ref.Val { return o.Unary(args[0]) }
	case args == 2 && o.Binary != nil:
		return func(args []ref.Val) ref.Val { return o.Binary(args[0], args[1]) }
	case o.Function != nil:
		return func(args []ref.Val) ref.Val { return o.Function(args...) }
	}
	return nil
}

// libraryCall plans a call of a library function.
func (p *planner) libraryCall(e ast.Expr, args []ast.Expr) planned {
	row := p.table[e.AsCall().FunctionName()]
	do := p.implementation(e, len(args))
	refs, ok := p.valueRefs(args)
	if do == nil || !ok || len(args) == 0 {
		return planned{}
	}
	if !slices.ContainsFunc(args, func(e ast.Expr) bool { return e.Kind() != ast.LiteralKind }) {
		return planned{step: callOnce(do, refs)}
	}
	if row.converts && p.foldedByCEL(args[0]) {
		return planned{}
	}
	return planned{step: func(m *Machine, into *operand) {
		depth := len(m.args) // arguments may be calls too
		defer func() { m.args = m.args[:depth] }()
		product := int64(1)
		for i := range refs {
			d := refs[i].at(m)
			if d.kind == row.to && d.kind != gaveUp {
				m.cost += callCost
				*into = *d
				return
			}
			weight := m.weight(d)
			product *= weight
			val := m.toCEL(d)
			if into.giveUp(); val == nil || !m.charge(callCost+weight) {
				return
			}
			m.args = append(m.args, val)
		}
		if row.product && !m.charge(product) {
			return
		}
		if into.setCEL(do(m.args[depth:])); !m.charge(m.weight(into)) {
			into.giveUp()
		}
	}}
}

// converts refers to what a call converts to a kind. It is zero for other expressions.
func (p *planner) converts(e ast.Expr) (from valueRef, kind operandKind) {
	if e.Kind() != ast.CallKind || len(Arguments(e.AsCall())) != 1 {
		return valueRef{}, gaveUp
	}
	kind = p.table[e.AsCall().FunctionName()].to
	if arg := Arguments(e.AsCall())[0]; kind != gaveUp && arg.Kind() != ast.LiteralKind {
		from = p.valueRef(arg)
	}
	return from, kind
}

// converted refers to a converted value. A value of the kind already stays where it is.
func (p *planner) converted(from valueRef, kind operandKind, otherwise valueRef) valueRef {
	return valueRef{made: func(m *Machine) *operand {
		if d := from.at(m); d.kind == kind {
			m.cost += callCost
			return d
		}
		return otherwise.at(m)
	}}
}

// callOnce plans a call whose arguments are all literals.
func callOnce(do func(args []ref.Val) ref.Val, refs []valueRef) step {
	m := Machine{limit: math.MaxInt64}
	vals := make([]ref.Val, len(refs))
	for i := range refs {
		d := refs[i].at(&m)
		vals[i] = m.toCEL(d)
		m.cost += callCost + m.weight(d)
	}
	var result operand
	if result.setCEL(do(vals)); result.unknown() || result.kind == aList {
		return nil
	}
	cost := m.cost + m.weight(&result)
	return func(m *Machine, into *operand) {
		m.cost += cost
		*into = result
	}
}

// foldedByCEL reports whether cel-go knows a value when it makes a program, because it is converted from a
// literal.
func (p *planner) foldedByCEL(e ast.Expr) bool {
	if e.Kind() != ast.CallKind {
		return e.Kind() == ast.LiteralKind
	}
	args := Arguments(e.AsCall())
	return len(args) == 1 && p.table[e.AsCall().FunctionName()].converts && p.foldedByCEL(args[0])
}

// weight returns an upper bound of the size that cel-go counts for a value and its items.
func (m *Machine) weight(d *operand) int64 {
	total := int64(1)
	switch {
	case d.kind == aText:
		total += int64(len(d.s))
	case d.kind == aRef:
		total += max(m.size(d), 0)
	case d.kind == aList:
		for i := range d.items {
			total += m.weight(&d.items[i])
		}
	case d.isList():
		for i := range int(m.size(d)) {
			var item operand
			m.at(d, i, &item)
			total += m.weight(&item)
		}
	case d.kind == aView:
		total += int64(m.read.Len(d.v))
	}
	return total
}

// toCEL converts an operand to a value of CEL, or nil.
func (m *Machine) toCEL(d *operand) ref.Val {
	switch d.kind {
	case aBool:
		return celtypes.Bool(d.n != 0)
	case anInt:
		return celtypes.Int(d.n)
	case aDouble:
		return celtypes.Double(d.float())
	case aText:
		return celtypes.String(d.s)
	case aView:
		return types.ValueOf(m.read, d.v, d.typ)
	case aRef:
		return d.ref
	case aList:
		items := make([]ref.Val, len(d.items))
		for i := range d.items {
			if items[i] = m.toCEL(&d.items[i]); items[i] == nil {
				return nil
			}
		}
		return celtypes.NewRefValList(celtypes.DefaultTypeAdapter, items)
	}
	return nil
}

// setCEL converts a value of CEL to an operand. A value of another kind is kept as it is.
func (d *operand) setCEL(v ref.Val) {
	switch v := v.(type) {
	case celtypes.Bool:
		d.setTruth(truthOf(bool(v)))
	case celtypes.Int:
		d.setInt(int64(v))
	case celtypes.Double:
		d.setDouble(float64(v))
	case celtypes.String:
		d.setText(string(v))
	case *celtypes.Optional:
		if !v.HasValue() {
			d.setNone()
			return
		}
		d.setCEL(v.GetValue())
		d.wrap()
	case *types.MapValue:
		d.kind = aView
		d.v, d.typ = v.Data()
	case *types.ListValue, *celtypes.Err, *celtypes.Unknown, traits.Mapper, nil:
		d.giveUp()
	case traits.Lister:
		var items []operand
		for it := v.Iterator(); it.HasNext() == celtypes.True; {
			items = append(items, operand{})
			items[len(items)-1].setCEL(it.Next())
		}
		d.setList(items)
	default:
		d.kind, d.ref = aRef, v
	}
}
