package cel

import (
	"math"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
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
		"containsIP", "containsCIDR", "getHours", "getMinutes", "getSeconds", "getMilliseconds",
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
	case name == "duration" && p.typeOf(args[0]).IsExactType(types.StringType):
		return durationOf(steps[0])
	case len(args) == 1 && p.typeOf(args[0]).IsExactType(types.StringType) && remembered(name):
		return remember(name, do, steps[0])
	}
	return func(m *machine) datum {
		var vals [maxArguments]ref.Val
		for i, s := range steps {
			d := s(m)
			if vals[i] = m.toCEL(&d); vals[i] == nil {
				return datum{}
			}
			if !m.charge(callCost + m.weight(&d)) {
				return datum{}
			}
		}
		result := fromCEL(do(vals[:len(steps)]))
		if !m.charge(m.weight(&result)) {
			return datum{}
		}
		return result
	}
}

const maxArguments = 3

// fixed plans a call whose arguments are all literals: it is made once.
func fixed(do func(args []ref.Val) ref.Val, steps []step) step {
	var m machine
	m.limit = math.MaxInt64
	vals := make([]ref.Val, len(steps))
	for i, s := range steps {
		d := s(&m)
		vals[i] = m.toCEL(&d)
		m.cost += callCost + m.weight(&d)
	}
	result := fromCEL(do(vals))
	if result.unknown() || result.kind == aList {
		return nil
	}
	cost := m.cost + m.weight(&result)
	return func(m *machine) datum {
		m.cost += cost
		return result
	}
}

// durationOf plans duration(text).
func durationOf(value step) step {
	return func(m *machine) datum {
		d := value(m)
		if d.kind != aText || !m.charge(2*callCost+int64(len(d.s))) {
			return datum{}
		}
		span, err := time.ParseDuration(d.s)
		if err != nil {
			return datum{}
		}
		return datum{kind: aDuration, n: int64(span)}
	}
}

// remembered says that what a function makes of a text is worth to be kept until the
// object is done: rules ask for the same quantity many times.
func remembered(function string) bool {
	switch function {
	case "quantity", "isQuantity", "ip", "cidr", "isIP", "isCIDR":
		return true
	}
	return false
}

func remember(function string, do func(args []ref.Val) ref.Val, value step) step {
	return func(m *machine) datum {
		d := value(m)
		if d.kind != aText || !m.charge(2*callCost+int64(len(d.s))) {
			return datum{}
		}
		key := called{function, d.s}
		result, known := m.known[key]
		if !known {
			result = do([]ref.Val{types.String(d.s)})
			m.note(key, result)
		}
		made := fromCEL(result)
		if !m.charge(m.weight(&made)) {
			return datum{}
		}
		return made
	}
}

// called is a function and the text that it was called on.
type called struct{ function, text string }

// note keeps a result until the object is done, or there are too many.
func (m *machine) note(key called, result ref.Val) {
	const most = 512
	if m.known == nil || len(m.known) >= most {
		m.known = map[called]ref.Val{}
	}
	m.known[key] = result
}

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
			return fromCEL(types.Int(d.n).ConvertToType(types.StringType))
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
		return m.chain(&d, func(m *machine, in view.View, of *Shape) (view.View, *Shape, bool) { return m.entry(in, of, k.s) })
	}
}

// dict plans the map that a rule writes for "none": {}.
func dict(e ast.Expr) step {
	if e.AsMap().Size() > 0 {
		return nil
	}
	none := datum{kind: aView, v: view.OfJSON(map[string]any{}), shape: &Shape{Kind: Map, Elem: &Shape{Kind: String}}}
	return func(m *machine) datum {
		m.cost += dictCost
		return none
	}
}
