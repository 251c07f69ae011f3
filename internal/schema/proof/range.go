package proof

import (
	"encoding/json"
	"math"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Range is the range of a number, from Low to High, without the open ends.
type Range struct {
	Low, High         float64
	LowOpen, HighOpen bool
}

// Everything returns the range of all numbers.
func Everything() Range { return Range{Low: math.Inf(-1), High: math.Inf(1)} }

// exact is the limit below which whole numbers are compared exactly.
const exact = 1 << 53

// Exact reports whether a number is compared without rounding.
func Exact(n float64) bool { return math.Abs(n) <= exact }

// Empty reports whether the range has no number.
func (r Range) Empty() bool {
	return r.Low > r.High || r.Low == r.High && (r.LowOpen || r.HighOpen)
}

// Within reports whether another range contains this one.
func (r Range) Within(other Range) bool {
	low := r.Low > other.Low || r.Low == other.Low && (r.LowOpen || !other.LowOpen)
	high := r.High < other.High || r.High == other.High && (r.HighOpen || !other.HighOpen)
	return r.Empty() || low && high
}

// Numbers returns the range of the numbers that all of some schemas accept. An integer is compared
// with a bound without its fraction, so a bound with a fraction counts as the next one that accepts
// more.
func Numbers(of []Schema, onlyWhole bool) Range {
	all := Everything()
	for _, s := range of {
		if low, open := s.Minimum, s.ExclusiveMinimum; low != nil && Exact(*low) {
			all.raise(math.Floor(*low), open && *low == math.Floor(*low))
		}
		if high, open := s.Maximum, s.ExclusiveMaximum; high != nil && Exact(*high) {
			all.lower(math.Ceil(*high), open && *high == math.Ceil(*high))
		}
		if s.Format == "int32" && slices.Equal(s.Type, []string{"integer"}) {
			all.raise(math.MinInt32, false)
			all.lower(math.MaxInt32, false)
		}
		if low, high, ok := enumRange(s.Schema); ok && onlyWhole { // a fraction is removed before the enum is checked
			all.raise(low, false)
			all.lower(high, false)
		}
	}
	if onlyWhole {
		all = all.closed()
	}
	return all
}

func (r *Range) raise(low float64, open bool) {
	if low > r.Low || low == r.Low && open {
		r.Low, r.LowOpen = low, open
	}
}

func (r *Range) lower(high float64, open bool) {
	if high < r.High || high == r.High && open {
		r.High, r.HighOpen = high, open
	}
}

// closed returns the range of the whole numbers in it.
func (r Range) closed() Range {
	if r.LowOpen && !math.IsInf(r.Low, 0) {
		r.Low, r.LowOpen = r.Low+1, false
	}
	if r.HighOpen && !math.IsInf(r.High, 0) {
		r.High, r.HighOpen = r.High-1, false
	}
	return r
}

// enumRange returns the range of the members of an enum, if they are whole numbers.
func enumRange(s *spec.Schema) (low, high float64, ok bool) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, member := range s.Enum {
		n, isNumber := number(member)
		if !isNumber || !Exact(n) {
			return 0, 0, false
		}
		low, high = min(low, n), max(high, n)
	}
	return low, high, len(s.Enum) > 0
}

// number returns a number of a schema, which may have any numeric type of Go.
func number(value any) (float64, bool) {
	switch value := value.(type) {
	case float64:
		return value, true
	case int64:
		return float64(value), true
	case string, bool, nil:
		return 0, false
	}
	data, err := json.Marshal(value)
	if err != nil {
		return 0, false
	}
	var n float64
	return n, json.Unmarshal(data, &n) == nil
}

// sizes returns the range of a size: the number of items, or of fields.
func sizes(of []Schema, low, high func(*spec.Schema) *int64) Range {
	all := Range{Low: 0, High: math.Inf(1)}
	for _, s := range of {
		if n := low(s.Schema); n != nil {
			all.raise(float64(*n), false)
		}
		if n := high(s.Schema); n != nil {
			all.lower(float64(*n), false)
		}
	}
	return all
}
