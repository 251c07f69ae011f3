package celproof

import (
	"encoding/json"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/schema/proof"
)

// value returns the place of a value that a rule reads, if it is set and not null. Otherwise it
// returns the outcome of reading the value: isError if it is missing.
func (p *prover) value(e celexpr.Expr, bound map[string]place) (*place, outcomes) {
	at, there := p.find(e, bound)
	switch {
	case at == nil || at.of.Nullable || at.other.Nullable:
		return nil, isAny
	case there != isTrue:
		return nil, isError
	}
	return at, isTrue
}

// compare evaluates a comparison: of a value with itself, of numbers and sizes within their bounds,
// or of a value with an enum.
func (p *prover) compare(operator string, a, b celexpr.Expr, bound map[string]place) outcomes {
	if !slices.Contains([]string{
		operators.Equals,
		operators.NotEquals,
		operators.Less,
		operators.LessEquals,
		operators.Greater,
		operators.GreaterEquals,
	}, operator) {
		return isAny
	}
	if text := celexpr.String(a); text != "" && text == celexpr.String(b) {
		if at, made := p.value(a, bound); at != nil || made == isError {
			if at == nil {
				return isError
			}
			return outcome(operator == operators.Equals || operator == operators.LessEquals || operator == operators.GreaterEquals)
		}
	}
	left, leftMade := p.interval(a, bound)
	right, rightMade := p.interval(b, bound)
	switch {
	case leftMade == isError || rightMade == isError:
		return isError
	case leftMade == isTrue && rightMade == isTrue:
		return compared(left, operator, right)
	case operator == operators.Equals:
		return p.among(a, []celexpr.Expr{b}, bound)
	case operator == operators.NotEquals:
		return p.among(a, []celexpr.Expr{b}, bound).not()
	}
	return isAny
}

// among returns whether a value is one of some literals, as far as its enum shows.
func (p *prover) among(value celexpr.Expr, some []celexpr.Expr, bound map[string]place) outcomes {
	at, made := p.value(value, bound)
	if at == nil {
		return made
	}
	enum := at.other.Enum
	if len(enum) == 0 {
		return isAny
	}
	var literals []any
	for _, one := range some {
		if one.Kind() != ast.LiteralKind {
			return isAny
		}
		literals = append(literals, celexpr.ValueOf(one))
	}
	in := 0
	for _, one := range enum {
		if slices.ContainsFunc(literals, func(literal any) bool { return sameJSON(literal, one) }) {
			in++
		}
	}
	switch in {
	case 0:
		return isFalse
	case len(enum):
		return isTrue
	}
	return isTrue | isFalse
}

func sameJSON(a, b any) bool {
	x, err := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err == nil && err2 == nil && string(x) == string(y)
}

// matches evaluates a match of a value with the pattern of its own schema.
func (p *prover) matches(call ast.CallExpr, bound map[string]place) outcomes {
	args := call.Args()
	if call.IsMemberFunction() {
		args = append([]celexpr.Expr{call.Target()}, args...)
	}
	if len(args) != 2 {
		return isAny
	}
	pattern, isText := celexpr.TextOf(args[1])
	if !isText {
		return isAny
	}
	at, made := p.value(args[0], bound)
	if at == nil {
		return made
	}
	for _, part := range proof.Conjuncts(at.schema()) {
		if part.Pattern == pattern && slices.Equal(at.other.Type, []string{"string"}) {
			return isTrue
		}
	}
	return isAny
}

// interval returns the bounds of a number or of a size. The outcome is isTrue if the bounds are
// valid, and isError if there is no number.
func (p *prover) interval(e celexpr.Expr, bound map[string]place) (proof.Range, outcomes) {
	if e.Kind() == ast.LiteralKind {
		number, ok := asNumber(celexpr.ValueOf(e))
		if !ok {
			return proof.Range{}, isAny
		}
		return proof.Range{Low: number, High: number}, isTrue
	}
	if of := celexpr.SizeOf(e); of != nil {
		at, made := p.value(of, bound)
		if at == nil {
			return proof.Range{}, made
		}
		return sizes(at.schema())
	}
	at, made := p.value(e, bound)
	if at == nil {
		return proof.Range{}, made
	}
	return numbers(at.schema())
}

func asNumber(literal any) (float64, bool) {
	number := math.NaN()
	switch literal := literal.(type) {
	case int64:
		number = float64(literal)
	case uint64:
		number = float64(literal)
	case float64:
		number = literal
	}
	return number, proof.Exact(number)
}

// sizes returns the possible sizes of the values of a schema. Nothing is known about bytes, because
// their number is not the number of characters.
func sizes(s Schema) (proof.Range, outcomes) {
	all := proof.Range{Low: 0, High: math.Inf(1)}
	for _, part := range proof.Conjuncts(s) {
		low, high := part.MinLength, part.MaxLength
		switch {
		case slices.Equal(s.Type, []string{"string"}) && s.Format == "":
		case slices.Equal(s.Type, []string{"array"}):
			low, high = part.MinItems, part.MaxItems
		case slices.Equal(s.Type, []string{"object"}) && s.AdditionalProperties != nil:
			low, high = part.MinProperties, part.MaxProperties
		default:
			return all, isAny
		}
		if low != nil {
			all.Low = max(all.Low, float64(*low))
		}
		if high != nil {
			all.High = min(all.High, float64(*high))
		}
		if shortest, longest, ok := lengths(part.Enum); ok {
			all.Low, all.High = max(all.Low, shortest), min(all.High, longest)
		}
	}
	return all, isTrue
}

// lengths returns the lengths of the strings in an enum. It returns false if the enum has other
// values or none.
func lengths(enum []any) (shortest, longest float64, ok bool) {
	shortest = math.Inf(1)
	for _, member := range enum {
		text, isText := member.(string)
		if !isText {
			return 0, 0, false
		}
		n := float64(utf8.RuneCountInString(text))
		shortest, longest = min(shortest, n), max(longest, n)
	}
	return shortest, longest, len(enum) > 0
}

// numbers returns the range of the numbers that a schema accepts.
func numbers(s Schema) (proof.Range, outcomes) {
	whole := slices.Equal(s.Type, []string{"integer"})
	if !whole && !slices.Equal(s.Type, []string{"number"}) {
		return proof.Everything(), isAny
	}
	return proof.Numbers(proof.Conjuncts(s), whole), isTrue
}

// compared returns the outcomes of comparing any number of one range with any number of another.
func compared(a proof.Range, operator string, b proof.Range) outcomes {
	switch operator {
	case operators.Less:
		return less(a, b)
	case operators.GreaterEquals:
		return less(a, b).not()
	case operators.Greater:
		return less(b, a)
	case operators.LessEquals:
		return less(b, a).not()
	}
	equal := isTrue | isFalse
	switch {
	case less(a, b) == isTrue || less(b, a) == isTrue:
		equal = isFalse
	case a.Low == a.High && b.Low == b.High && a.Low == b.Low:
		equal = isTrue
	}
	if operator == operators.NotEquals {
		return equal.not()
	}
	return equal
}

// less returns the outcomes of "a < b" for any number a of one range and b of another.
func less(a, b proof.Range) outcomes {
	switch {
	case a.High < b.Low, a.High == b.Low && (a.HighOpen || b.LowOpen):
		return isTrue
	case a.Low >= b.High:
		return isFalse
	}
	return isTrue | isFalse
}
