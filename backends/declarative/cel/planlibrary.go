package cel

import (
	"strconv"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// Functions that a plan calls as cel-go's libraries have them, with CEL's values.

// libraryFunctions are those whose cost is known to be at most the size of what they
// are given (see library/cost.go of k8s.io/apiserver/pkg/cel; what is not there costs
// one).
func libraryFunctions() []string {
	return []string{
		"string", "int", "double", "bytes", "duration",
		"quantity", "isQuantity", "sign", "isInteger", "asInteger", "asApproximateFloat", "compareTo", "isGreaterThan", "isLessThan",
		"trim", "lowerAscii", "upperAscii", "substring", "indexOf", "lastIndexOf", "join", "replace", "sum", "isSorted",
		"isIP", "isCIDR", "ip", "cidr", "masked", "prefixLength", "family",
		"containsIP", "containsCIDR", "getHours", "getMinutes", "getSeconds", "getMilliseconds", "timestamp", "getFullYear",
		"isUnspecified", "isLoopback", "isLinkLocalMulticast", "isLinkLocalUnicast", "isGlobalUnicast",
		operators.Add,
	}
}

// libraryOverloads finds the implementations of functions, by overload.
func libraryOverloads(env *cel.Env) map[string]*functions.Overload {
	found := map[string]*functions.Overload{}
	all := env.Functions()
	for _, name := range libraryFunctions() {
		decl := all[name]
		if decl == nil {
			continue
		}
		bindings, err := decl.Bindings()
		if err != nil {
			continue // the rule is left to cel-go, which says so
		}
		for _, b := range bindings {
			found[name+" "+b.Operator] = b
		}
	}
	return found
}

// implementation is what cel-go would call for a call whose overload is known when
// the rule is compiled.
func (p *planner) implementation(e ast.Expr, args int) func(args []ref.Val) ref.Val {
	name := e.AsCall().FunctionName()
	ids := p.checked.GetOverloadIDs(e.ID())
	if len(ids) != 1 {
		return nil
	}
	o := p.overloads[name+" "+ids[0]]
	if o == nil {
		o = p.overloads[name+" "+name]
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

// libraryCall plans a call of a library's function.
func (p *planner) libraryCall(e ast.Expr) step {
	args := arguments(e.AsCall())
	if len(args) == 0 || len(args) > maxArguments {
		return nil
	}
	do := p.implementation(e, len(args))
	if do == nil {
		return nil
	}
	var steps []step
	literals := 0
	for _, arg := range args {
		s := p.step(arg)
		if s == nil {
			return nil
		}
		if arg.Kind() == ast.LiteralKind {
			literals++
		}
		steps = append(steps, s)
	}
	switch name := e.AsCall().FunctionName(); {
	case literals == len(args):
		return fixed(do, steps)
	case converts(name) && folded(args[0]):
		return nil
	case len(args) == 1 && (name == "trim" || name == "lowerAscii"):
		return unlessSame(name, do, steps[0])
	case name == "duration" && p.typeOf(args[0]).IsExactType(types.StringType):
		return durationOf(steps[0])
	case len(args) == 1 && p.typeOf(args[0]).IsExactType(types.StringType) && remembered(name):
		return remember(name, do, steps[0])
	}
	return func(m *machine) datum {
		depth := len(m.args) // arguments may be calls too
		defer func() { m.args = m.args[:depth] }()
		for _, s := range steps {
			d := s(m)
			val := m.toCEL(&d)
			if val == nil || !m.charge(callCost+m.weight(&d)) {
				return datum{}
			}
			m.args = append(m.args, val)
		}
		result := fromCEL(do(m.args[depth:]))
		if !m.charge(m.weight(&result)) {
			return datum{}
		}
		return result
	}
}

const maxArguments = 3

// weight is at least the size of a value in cel-go's terms, with that of its items.
func (m *machine) weight(d *datum) int64 {
	total := int64(1)
	switch {
	case d.kind == aText:
		total += int64(len(d.s))
	case d.kind == aRef:
		total += max(m.size(d), 0)
	case d.isList():
		n := int(m.size(d))
		for i := range n {
			item := m.at(d, i)
			total += m.weight(&item)
		}
	case d.kind == aView:
		total += int64(m.read.Len(d.v))
	}
	return total
}

// toCEL gives a datum as CEL's value, or nil.
func (m *machine) toCEL(d *datum) ref.Val {
	switch d.kind {
	case aBool:
		return types.Bool(d.n != 0)
	case anInt:
		return types.Int(d.n)
	case aDouble:
		return types.Double(d.f)
	case aText:
		return types.String(d.s)
	case aDuration:
		return types.Duration{Duration: time.Duration(d.n)}
	case aView:
		return Value(m.read, d.v, d.shape)
	case aRef:
		return d.ref
	case aList:
		if d.shape != nil {
			return nil // a sum is no list of cel-go
		}
		items := make([]ref.Val, len(d.items))
		for i := range d.items {
			if items[i] = m.toCEL(&d.items[i]); items[i] == nil {
				return nil
			}
		}
		return types.NewRefValList(types.DefaultTypeAdapter, items)
	}
	return nil
}

// fromCEL is the reverse. What a plan has no kind for stays what it is.
func fromCEL(v ref.Val) datum {
	switch v := v.(type) {
	case types.Bool:
		return truthOf(bool(v)).datum()
	case types.Int:
		return intDatum(int64(v))
	case types.Double:
		return datum{kind: aDouble, f: float64(v)}
	case types.String:
		return textDatum(string(v))
	case types.Duration:
		return datum{kind: aDuration, n: int64(v.Duration)}
	case *types.Optional:
		if !v.HasValue() {
			return datum{kind: anOptional}
		}
		return optional(fromCEL(v.GetValue()))
	case *mapping:
		return datum{kind: aView, v: v.v, shape: v.s}
	case *list:
		if v.items == nil {
			return datum{kind: aView, v: v.v, shape: v.s}
		}
		return datum{}
	case traits.Lister:
		var items []datum
		for it := v.Iterator(); it.HasNext() == types.True; {
			items = append(items, fromCEL(it.Next()))
		}
		return datum{kind: aList, items: items}
	case *types.Err, *types.Unknown, traits.Mapper, nil:
		return datum{}
	}
	return datum{kind: aRef, ref: v}
}

// stringOf plans string(x) of a string or integer: how rules take an int-or-string.
func (p *planner) stringOf(args []ast.Expr) step {
	if len(args) != 1 {
		return nil
	}
	value := p.step(args[0])
	if value == nil {
		return nil
	}
	return func(m *machine) datum {
		d := value(m)
		m.cost += callCost + int64(len(d.s)/10)
		switch d.kind {
		case aText:
			return d
		case anInt:
			return textDatum(strconv.FormatInt(d.n, 10))
		}
		return datum{}
	}
}

// intOf plans int(x) of an integer.
func (p *planner) intOf(args []ast.Expr) step {
	value := p.step(args[0])
	if value == nil {
		return nil
	}
	return func(m *machine) datum {
		m.cost += callCost
		if d := value(m); d.kind == anInt {
			return d
		}
		return datum{}
	}
}

// optionalOf plans optional.of(x) and optional.none().
func (p *planner) optionalOf(args []ast.Expr) step {
	if len(args) == 0 {
		return func(m *machine) datum {
			m.cost += callCost
			return datum{kind: anOptional}
		}
	}
	value := p.step(args[0])
	if value == nil {
		return nil
	}
	return func(m *machine) datum {
		m.cost += callCost
		return optional(value(m))
	}
}

// optionalIndex plans map[?key].
func (p *planner) optionalIndex(args []ast.Expr) step {
	operand, key := p.step(args[0]), p.step(args[1])
	if operand == nil || key == nil {
		return nil
	}
	return func(m *machine) datum {
		m.cost += identCost + callCost
		d := operand(m)
		k := key(m)
		if k.kind != aText {
			return datum{}
		}
		if d.kind == aView {
			d = optional(d)
		}
		if d.kind != anOptional || (d.set && (d.inner != aView || d.shape.Kind != Map)) {
			return datum{}
		}
		if !d.set {
			return d
		}
		v, shape, ok := m.entry(d.v, d.shape, k.s)
		if !ok {
			return datum{kind: anOptional}
		}
		return optional(load(v, shape))
	}
}
