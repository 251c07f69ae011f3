package cel

import (
	"math"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// Calls of functions on texts that need not be made, or not again.

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

// unlessSame plans a function that leaves most texts as they are.
func unlessSame(function string, do func(args []ref.Val) ref.Val, value step) step {
	return func(m *machine) datum {
		d := value(m)
		if d.kind != aText || !m.charge(2*callCost+2*int64(len(d.s))) {
			return datum{}
		}
		if (function == "trim" && trimmed(d.s)) || (function == "lowerAscii" && lowered(d.s)) {
			return d
		}
		return fromCEL(do([]ref.Val{types.String(d.s)}))
	}
}

// trimmed says that a text surely begins and ends with no space.
func trimmed(s string) bool {
	visible := func(b byte) bool { return b > ' ' && b < 0x7f }
	return s == "" || visible(s[0]) && visible(s[len(s)-1])
}

// lowered says that a text has no letters to be made small.
func lowered(s string) bool {
	for i := range len(s) {
		if s[i] >= 'A' && s[i] <= 'Z' {
			return false
		}
	}
	return true
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
