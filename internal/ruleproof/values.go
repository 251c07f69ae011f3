package ruleproof

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// value gives the place of a value that a rule reads, where it is there and is no null. The
// outcome is what an expression gives that reads it anyway: isError where it is not there.
func (p *prover) value(e ast.Expr, bound map[string]place) (*place, outcomes) {
	at, there := p.find(e, bound)
	switch {
	case at == nil || at.of.Nullable || at.other.Nullable:
		return nil, isAny
	case there != isTrue:
		return nil, isError
	}
	return at, isTrue
}

// compare evaluates a comparison: of a value with itself, of numbers and sizes within their
// bounds, and of a value with an enum.
func (p *prover) compare(operator string, a, b ast.Expr, bound map[string]place) outcomes {
	if !slices.Contains([]string{operators.Equals, operators.NotEquals, operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals}, operator) {
		return isAny
	}
	if text := written(a); text != "" && text == written(b) {
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
		return left.compare(operator, right)
	case operator == operators.Equals:
		return p.among(a, []ast.Expr{b}, bound)
	case operator == operators.NotEquals:
		return p.among(a, []ast.Expr{b}, bound).not()
	}
	return isAny
}

// among says whether a value is one of some literals, as far as its enum says it.
func (p *prover) among(value ast.Expr, some []ast.Expr, bound map[string]place) outcomes {
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
		literals = append(literals, one.AsLiteral().Value())
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

// matches evaluates a match of a value with the pattern that its schema has.
func (p *prover) matches(call ast.CallExpr, bound map[string]place) outcomes {
	args := call.Args()
	if call.IsMemberFunction() {
		args = append([]ast.Expr{call.Target()}, args...)
	}
	if len(args) != 2 || args[1].Kind() != ast.LiteralKind {
		return isAny
	}
	at, made := p.value(args[0], bound)
	if at == nil {
		return made
	}
	pattern, isText := args[1].AsLiteral().Value().(string)
	for _, part := range conjuncts(at.other) {
		if isText && part.Pattern == pattern && slices.Equal(at.other.Type, []string{"string"}) {
			return isTrue
		}
	}
	return isAny
}

// conjuncts are a schema and those of its allOf.
func conjuncts(s *spec.Schema) []*spec.Schema {
	all := []*spec.Schema{s}
	for i := range s.AllOf {
		all = append(all, conjuncts(&s.AllOf[i])...)
	}
	return all
}

// interval is what a number may be: from low to high, without the ends that are open.
type interval struct {
	low, high         float64
	lowOpen, highOpen bool
}

// interval gives the bounds of a number, or of the size of something. The outcome is isTrue where
// the bounds are right, isError where there is no number.
func (p *prover) interval(e ast.Expr, bound map[string]place) (interval, outcomes) {
	if e.Kind() == ast.LiteralKind {
		number, ok := asNumber(e.AsLiteral().Value())
		if !ok {
			return interval{}, isAny
		}
		return interval{low: number, high: number}, isTrue
	}
	if of := sized(e); of != nil {
		at, made := p.value(of, bound)
		if at == nil {
			return interval{}, made
		}
		return sizes(at.other)
	}
	at, made := p.value(e, bound)
	if at == nil {
		return interval{}, made
	}
	return numbers(at.other)
}

// exact is up to where whole numbers are exact as they are compared here.
const exact = 1 << 53

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
	return number, math.Abs(number) <= exact
}

// sized gives what an expression is the size of: "size(x)" or "x.size()". Nil: it is no size.
func sized(e ast.Expr) ast.Expr {
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != "size" {
		return nil
	}
	call := e.AsCall()
	switch {
	case call.IsMemberFunction() && len(call.Args()) == 0:
		return call.Target()
	case !call.IsMemberFunction() && len(call.Args()) == 1:
		return call.Args()[0]
	}
	return nil
}

// sizes are the sizes of the values of a schema. Where a schema has bytes, nothing is known: their
// number is not that of the letters.
func sizes(s *spec.Schema) (interval, outcomes) {
	all := interval{low: 0, high: math.Inf(1)}
	for _, part := range conjuncts(s) {
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
			all.low = max(all.low, float64(*low))
		}
		if high != nil {
			all.high = min(all.high, float64(*high))
		}
	}
	return all, isTrue
}

// numbers are the numbers that a schema accepts.
func numbers(s *spec.Schema) (interval, outcomes) {
	all := interval{low: math.Inf(-1), high: math.Inf(1)}
	if !slices.Equal(s.Type, []string{"integer"}) && !slices.Equal(s.Type, []string{"number"}) {
		return all, isAny
	}
	for _, part := range conjuncts(s) {
		if part.Minimum != nil && *part.Minimum >= all.low {
			all.lowOpen = part.ExclusiveMinimum || *part.Minimum == all.low && all.lowOpen
			all.low = *part.Minimum
		}
		if part.Maximum != nil && *part.Maximum <= all.high {
			all.highOpen = part.ExclusiveMaximum || *part.Maximum == all.high && all.highOpen
			all.high = *part.Maximum
		}
	}
	return all, isTrue
}

// compare says what a comparison of any number of one interval with any of another gives.
func (i interval) compare(operator string, other interval) outcomes {
	switch operator {
	case operators.Less:
		return i.less(other)
	case operators.GreaterEquals:
		return i.less(other).not()
	case operators.Greater:
		return other.less(i)
	case operators.LessEquals:
		return other.less(i).not()
	}
	equal := isTrue | isFalse
	switch {
	case i.less(other) == isTrue || other.less(i) == isTrue:
		equal = isFalse
	case i.low == i.high && other.low == other.high && i.low == other.low:
		equal = isTrue
	}
	if operator == operators.NotEquals {
		return equal.not()
	}
	return equal
}

// less says whether numbers of one interval are less than those of another.
func (i interval) less(other interval) outcomes {
	switch {
	case i.high < other.low, i.high == other.low && (i.highOpen || other.lowOpen):
		return isTrue
	case i.low >= other.high:
		return isFalse
	}
	return isTrue | isFalse
}
