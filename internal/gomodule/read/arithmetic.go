package read

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"math/big"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// interval is the whole numbers that a value may be.
type interval struct{ low, high *big.Int }

func between(low, high int64) *interval { return &interval{big.NewInt(low), big.NewInt(high)} }

// lengths is the interval of lengths: no object has more items or bytes.
var lengths = between(0, math.MaxInt32)

// wide is the interval of the whole numbers of JSON and CEL.
var wide = between(math.MinInt64, math.MaxInt64)

func (i *interval) has(other *interval) bool {
	return i.low.Cmp(other.low) <= 0 && i.high.Cmp(other.high) >= 0
}

// integers are the intervals of the types of whole numbers.
var integers = map[types.BasicKind]*interval{
	types.Int8: between(math.MinInt8, math.MaxInt8), types.Uint8: between(0, math.MaxUint8),
	types.Int16: between(math.MinInt16, math.MaxInt16), types.Uint16: between(0, math.MaxUint16),
	types.Int32: between(math.MinInt32, math.MaxInt32), types.Uint32: between(0, math.MaxUint32),
	types.Int64: wide, types.Int: wide, types.UntypedInt: wide, types.UntypedRune: wide,
	types.Uint64: between(0, math.MaxInt64), types.Uint: between(0, math.MaxInt64), types.Uintptr: between(0, math.MaxInt64),
}

// intervalOf returns the whole numbers that a type has; nil: it is no type of whole numbers.
func intervalOf(t types.Type) *interval {
	if t == nil {
		return nil
	}
	if basic, ok := t.Underlying().(*types.Basic); ok {
		return integers[basic.Kind()]
	}
	return nil
}

func isFloat(t types.Type) bool {
	if t == nil {
		return false
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsFloat != 0
}

// numbersOf returns the whole numbers that a value may be; nil: it is no whole number.
func numbersOf(v value) *interval {
	switch x := v.(type) {
	case known:
		if n, ok := constant.Val(constant.ToInt(x.value)).(int64); ok {
			return between(n, n)
		}
	case place:
		if x.within != nil {
			return x.within
		}
	case term:
		if x.within != nil {
			return x.within
		}
	case choice:
		one, other := numbersOf(x.then), numbersOf(x.otherwise)
		if one == nil || other == nil {
			return nil
		}
		made := &interval{one.low, one.high}
		if other.low.Cmp(made.low) < 0 {
			made.low = other.low
		}
		if other.high.Cmp(made.high) > 0 {
			made.high = other.high
		}
		return made
	case position, amount:
		return lengths
	}
	return intervalOf(typeOf(v))
}

// computed returns the whole numbers that an operator may compute.
func computed(op token.Token, x, y *interval) *interval {
	var all []*big.Int
	switch op {
	case token.ADD:
		all = []*big.Int{new(big.Int).Add(x.low, y.low), new(big.Int).Add(x.high, y.high)}
	case token.SUB:
		all = []*big.Int{new(big.Int).Sub(x.low, y.high), new(big.Int).Sub(x.high, y.low)}
	case token.MUL:
		for _, a := range []*big.Int{x.low, x.high} {
			for _, b := range []*big.Int{y.low, y.high} {
				all = append(all, new(big.Int).Mul(a, b))
			}
		}
	case token.QUO: // by -1, or nothing that is larger
		all = []*big.Int{x.low, x.high}
		if y.low.Sign() < 0 {
			all = append(all, new(big.Int).Neg(x.low), new(big.Int).Neg(x.high))
		}
		all = append(all, new(big.Int))
	case token.REM:
		return x.withZero()
	}
	made := &interval{all[0], all[0]}
	for _, n := range all {
		if n.Cmp(made.low) < 0 {
			made.low = n
		}
		if n.Cmp(made.high) > 0 {
			made.high = n
		}
	}
	return made
}

func (i *interval) withZero() *interval {
	made := &interval{i.low, i.high}
	if made.low.Sign() > 0 {
		made.low = new(big.Int)
	}
	if made.high.Sign() < 0 {
		made.high = new(big.Int)
	}
	return made
}

// computedNumber returns what an operator computes of whole numbers: what its type does not have wraps around.
func (a *activation) computedNumber(op token.Token, x, y value, made term, pos token.Pos) value {
	first, second, of := numbersOf(x), numbersOf(y), intervalOf(made.typ)
	if first == nil || second == nil || of == nil {
		return made
	}
	made.within = computed(op, first, second)
	switch {
	case of.has(made.within):
		return made
	case of != wide && wide.has(made.within):
		made.expr, made.within = wrapped(made.expr, of), of
		return made
	}
	made.within = of
	overflows := a.unreadAt(pos, "a number that overflows 64 bits")
	if of != wide { // CEL has no such numbers
		return overflows
	}
	if around := a.around(op, x, y); around != nil {
		return choice{a.fits(op, x, y), made, term{expr: around, typ: made.typ}}
	}
	return choice{a.fits(op, x, y), made, overflows}
}

// around returns the sum or the difference of a number and a constant that overflows 64 bits; nil: it is something else.
func (a *activation) around(op token.Token, x, y value) celexpr.Expr {
	left, right := a.expr(inBytes(x)), a.expr(inBytes(y))
	n, ok := celexpr.ValueOf(right).(int64)
	if !ok || op != token.ADD && op != token.SUB || n == math.MinInt64 {
		return nil
	}
	if op == token.SUB {
		n = -n
	}
	lit := func(n int64) celexpr.Expr { return celexpr.Literal(n) }
	if n > 0 {
		return celexpr.Call(operators.Add, celexpr.Call(operators.Add, left, lit(math.MinInt64)), lit(n+math.MinInt64))
	}
	return celexpr.Call(operators.Add, celexpr.Call(operators.Subtract, left, lit(math.MinInt64)), lit(math.MaxInt64+n+1))
}

// wrappedConstant returns a constant as one of a type, which has its lower bits.
func wrappedConstant(n constant.Value, t types.Type) known {
	of, ok := intervalOf(t), n.Kind() == constant.Int
	if !ok || of == nil {
		return known{n, t}
	}
	whole, _ := new(big.Int).SetString(n.ExactString(), 10)
	count := new(big.Int).Add(new(big.Int).Sub(of.high, of.low), big.NewInt(1))
	whole.Sub(whole, of.low).Mod(whole, count).Add(whole, of.low)
	return known{constant.Make(whole), t}
}

// wrapped returns the number of a type that has the lower bits of a number.
func wrapped(e celexpr.Expr, of *interval) celexpr.Expr {
	count := new(big.Int).Sub(of.high, of.low).Int64() + 1
	lit := func(n int64) celexpr.Expr { return celexpr.Literal(n) }
	shift := count - of.low.Int64()
	e = celexpr.Call(operators.Modulo, e, lit(count))
	e = celexpr.Call(operators.Modulo, celexpr.Call(operators.Add, e, lit(shift)), lit(count))
	if of.low.Sign() == 0 {
		return e
	}
	return celexpr.Call(operators.Add, e, lit(of.low.Int64()))
}

// fits returns a condition under which an operator does not overflow 64 bits: the only one for sums with constants.
func (a *activation) fits(op token.Token, x, y value) *condition {
	left, right := a.expr(inBytes(x)), a.expr(inBytes(y))
	lit := func(n int64) celexpr.Expr { return celexpr.Literal(n) }
	n, isConstant := celexpr.ValueOf(right).(int64)
	above := func(least int64) *condition { return that(celexpr.Call(operators.GreaterEquals, left, lit(least))) }
	below := func(most int64) *condition { return that(celexpr.Call(operators.LessEquals, left, lit(most))) }
	switch {
	case op == token.ADD && isConstant && n >= 0:
		return below(math.MaxInt64 - n)
	case op == token.ADD && isConstant:
		return above(math.MinInt64 - n)
	case op == token.SUB && isConstant && n >= 0:
		return above(math.MinInt64 + n)
	case op == token.SUB && isConstant && n > math.MinInt64:
		return below(math.MaxInt64 + n)
	case op == token.MUL && isConstant && n > 0:
		return and(above(math.MinInt64/n), below(math.MaxInt64/n))
	}
	half := int64(math.MaxInt64 / 2)
	if op == token.MUL {
		half = math.MaxInt32
	}
	small := func(e celexpr.Expr) *condition {
		return and(that(celexpr.Call(operators.GreaterEquals, e, lit(-half))), that(celexpr.Call(operators.LessEquals, e, lit(half))))
	}
	return and(small(left), small(right))
}

// convertedNumber returns a number as one of another type; nil: one of the types has no numbers.
func (a *activation) convertedNumber(v value, from, to types.Type) value {
	if isFloat(to) && intervalOf(from) != nil {
		return term{expr: celexpr.Call("double", a.expr(inBytes(v))), typ: to}
	}
	of := intervalOf(to)
	if of == nil {
		return nil
	}
	if isFloat(from) {
		e := a.expr(v)
		whole := term{expr: celexpr.Call("int", e), typ: to}
		low, _ := new(big.Float).SetInt(of.low).Float64()
		high, _ := new(big.Float).SetInt(of.high).Float64()
		above := that(celexpr.Call(operators.Greater, e, celexpr.Literal(low)))
		below := that(celexpr.Call(operators.Less, e, celexpr.Literal(high)))
		return choice{and(above, below), whole, a.unreadAt(token.NoPos, "a number that the type does not have")}
	}
	numbers := numbersOf(v)
	if numbers == nil || of.has(numbers) {
		return nil
	}
	return term{expr: wrapped(a.expr(inBytes(v)), of), typ: to, within: of}
}
