package generate

import "math"

// span returns the least and the greatest number within the bounds. An excluded bound is moved by
// one step.
func span(s *props, step float64) (low, high float64) {
	low, high = -3, 12
	if s.Minimum != nil {
		low = *s.Minimum
		if s.ExclusiveMinimum {
			low += step
		}
		high = max(high, low+3)
	}
	if s.Maximum != nil {
		high = *s.Maximum
		if s.ExclusiveMaximum {
			high -= step
		}
		if s.Minimum == nil {
			low = min(low, high-3)
		}
	}
	return low, high
}

// integer makes an integer at a bound or between them.
func (g *objects) integer(s *props) int64 {
	low, high := span(s, 1)
	first, last := whole(math.Ceil(low)), whole(math.Floor(high))
	value := first
	switch g.IntN(4) {
	case 1:
		value = last
	case 2:
		value = first + int64(g.Between(0, int(min(last-first, 20))))
	case 3:
		value = min(max(0, first), last)
	}
	if s.MultipleOf != nil && *s.MultipleOf >= 1 {
		if step := int64(*s.MultipleOf); value%step != 0 {
			value += (step - value%step) % step
			if value > last && value-step >= first {
				value -= step
			}
		}
	}
	return value
}

// whole converts a number to an int64 that can still be increased by a step.
func whole(f float64) int64 {
	return int64(min(max(f, -1<<62), 1<<62))
}

// number makes a number. Most whole numbers are int64, as JSON numbers without a point are decoded.
func (g *objects) number(s *props) any {
	low, high := span(s, 0.5)
	value := Pick(g.Dice, low, high, low+0.5, 0, (low+high)/2)
	if s.MultipleOf != nil && *s.MultipleOf > 0 {
		value = math.Ceil(low / *s.MultipleOf) * *s.MultipleOf
	}
	if value == math.Trunc(value) && math.Abs(value) < 1<<53 && !g.OneIn(3) {
		return int64(value)
	}
	return value
}

func (g *objects) wrongInteger(s *props) any {
	choices := []any{3.5, 3.0, int64(math.MaxInt64), 1e300}
	if s.Minimum != nil {
		choices = append(choices, whole(*s.Minimum)-1, whole(*s.Minimum))
	}
	if s.Maximum != nil {
		choices = append(choices, whole(*s.Maximum)+1, whole(*s.Maximum))
	}
	if s.MultipleOf != nil {
		choices = append(choices, int64(*s.MultipleOf)+1, int64(1))
	}
	if s.Format == "int32" {
		choices = append(choices, int64(math.MaxInt32)+1, int64(math.MinInt32)-1)
	}
	if len(s.Enum) > 0 {
		choices = append(choices, int64(77))
	}
	return Pick(g.Dice, choices...)
}

func (g *objects) wrongNumber(s *props) any {
	choices := []any{int64(math.MaxInt64), 1e300, 0.3}
	if s.Minimum != nil {
		choices = append(choices, *s.Minimum-0.1, *s.Minimum, whole(*s.Minimum)-1)
	}
	if s.Maximum != nil {
		choices = append(choices, *s.Maximum+0.1, *s.Maximum, whole(*s.Maximum)+1)
	}
	if s.MultipleOf != nil {
		choices = append(choices, *s.MultipleOf*1.5, 0.7)
	}
	if len(s.Enum) > 0 {
		choices = append(choices, 77.7)
	}
	return Pick(g.Dice, choices...)
}
