package rules

import (
	"encoding/json"
	"slices"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/object"
)

// updates returns the conditions that an update changes a field in some way: its value, its
// presence, or both, or makes it smaller.
func updates(s *Facts, p evidence.Place) []Condition {
	if s.Site.Creates {
		return nil
	}
	now, before := s.refIn(p, self), s.refIn(p, oldSelf)
	has, had := now.Has(), before.Has()
	same, differs := equals(now.Access, before.Access)
	stays, changes := equals(has, had)
	value, other := s.value(p), another(s, p)
	tries := []Try{
		{{Field: p, To: value, Before: true}, {Field: p, To: other}},
		{{Field: p, To: other, Before: true}, {Field: p, To: value}},
		{{Field: p, To: value, Before: true}, {Field: p, To: value}},
	}
	accepted := s.acceptedValues(p)
	for n, one := range accepted { // of an error about one value, those may be free
		tries = append(tries, Try{{Field: p, To: one, Before: true}, {Field: p, To: accepted[(n+1)%len(accepted)]}})
	}
	optional := len(now.Guards) > 0
	if optional {
		tries = append(tries,
			Try{{Field: p, To: object.Absence{}, Before: true}, {Field: p, To: value}},
			Try{{Field: p, To: value, Before: true}, {Field: p, To: object.Absence{}}})
		if zero := ZeroOf(s.KindOf(p)); zero != nil {
			tries = append(tries,
				Try{{Field: p, To: zero, Before: true}, {Field: p, To: object.Absence{}}},
				Try{{Field: p, To: object.Absence{}, Before: true}, {Field: p, To: zero}},
				Try{{Field: p, To: zero, Before: true}, {Field: p, To: value}},
				Try{{Field: p, To: value, Before: true}, {Field: p, To: zero}})
		}
	}
	with := func(weight int, refuses, rule, ofLeaf celexpr.Expr) Condition {
		c := Condition{Refuses: refuses, Rule: rule, Weight: weight, About: p, Fields: []evidence.Place{p}, Tries: slices.Clip(tries),
			Update: true}
		if ofLeaf != nil {
			c.Leaf = leafOf(s, now, ofLeaf, nil)
		}
		return c
	}
	both := ref{Guards: slices.Concat(now.Guards, before.Guards)}
	unchanged, _ := equals(self, oldSelf)
	all := []Condition{with(3, both.and(differs), both.or(same), unchanged)}
	if optional {
		all = append(all,
			with(3, celexpr.Or(changes, both.and(differs)), celexpr.And(stays, now.or(same)), nil),
			with(3, celexpr.And(had, now.or(differs)), before.or(now.and(same)), nil),
			with(4, celexpr.And(has, before.or(differs)), now.or(before.and(same)), nil),
			with(4, celexpr.And(had, celexpr.Not(has)), before.or(has), nil),
			with(4, celexpr.And(has, celexpr.Not(had)), now.or(had), nil),
			with(4, changes, stays, nil))
		all = append(all, withZero(s, p, now, before, with)...)
	}
	return append(all, growing(s, p, now, before, both, with)...)
}

// withZero returns the conditions that an update changes an optional field in some way, where none is the zero value: a Go type with
// omitempty does not tell them apart.
func withZero(s *Facts, p evidence.Place, now, before ref, with func(weight int, refuses, rule, ofLeaf celexpr.Expr) Condition) (
	all []Condition) {
	k := s.KindOf(p)
	if k != Whole && k != Number && k != Text && k != Boolean {
		return nil
	}
	zero := literal(ZeroOf(k), k == Number)
	value := func(r ref) celexpr.Expr { return celexpr.Call(operators.Conditional, r.Has(), r.Access, zero) }
	ofZero := func(r ref) (is, not celexpr.Expr) {
		is, not = equals(r.Access, zero)
		return r.or(is), r.and(not)
	}
	isZero, isSet := ofZero(now)
	wasZero, wasSet := ofZero(before)
	same, differs := equals(now.Access, before.Access)
	alike, unlike := equals(value(now), value(before))
	all = []Condition{
		with(4, unlike, alike, nil),
		with(5, celexpr.And(wasSet, now.or(differs)), celexpr.Or(wasZero, now.and(same)), nil),
		with(5, celexpr.And(isSet, before.or(differs)), celexpr.Or(isZero, before.and(same)), nil),
		with(6, celexpr.And(wasSet, isZero), celexpr.Or(wasZero, isSet), nil),
		with(6, celexpr.And(isSet, wasZero), celexpr.Or(isZero, wasSet), nil),
	}
	if k == Whole || k == Number {
		for _, bad := range []string{operators.Less, operators.Greater} {
			good := celexpr.OppositeOf(bad)
			c := with(4, celexpr.Call(bad, value(now), value(before)), celexpr.Call(good, value(now), value(before)), nil)
			for _, n := range []int64{-1, 1} {
				c.Tries = append(c.Tries, Try{{Field: p, To: n, Before: true}, {Field: p, To: object.Absence{}}},
					Try{{Field: p, To: object.Absence{}, Before: true}, {Field: p, To: n}})
			}
			all = append(all, c)
		}
	}
	return all
}

// mostUpdated bounds the accepted values between which a field is changed.
const mostUpdated = 6

// acceptedValues returns values of a field in accepted objects.
func (s *Facts) acceptedValues(p evidence.Place) []any {
	return s.Evidence.AcceptedAt(slices.Concat(s.Scope, p), mostUpdated, func(value any) string {
		data, _ := json.Marshal(value)
		return string(data)
	})
}

// growing returns the conditions that a field becomes less, or more.
func growing(s *Facts, p evidence.Place, now, before, both ref, with func(weight int, refuses, rule, ofLeaf celexpr.Expr) Condition) (
	all []Condition) {
	order := func(bad string) {
		good := celexpr.OppositeOf(bad)
		c := with(3, both.and(celexpr.Call(bad, now.Access, before.Access)), both.or(celexpr.Call(good, now.Access, before.Access)),
			celexpr.Call(good, self, oldSelf))
		for _, value := range comparedWith(s, p) {
			if n, is := value.(int64); is {
				c.Tries = append(c.Tries, Try{{Field: p, To: n, Before: true}, {Field: p, To: n + 1}},
					Try{{Field: p, To: n + 1, Before: true}, {Field: p, To: n}})
			}
		}
		all = append(all, c)
	}
	contained := func(weight int, bigger, smaller ref, more, less celexpr.Expr) {
		in := func(more, less celexpr.Expr) celexpr.Expr {
			item := celexpr.Name("x")
			is := celexpr.Call(operators.In, item, more)
			if s.KindOf(p) == Mapping {
				equal, _ := equals(celexpr.Call(operators.Index, more, item), celexpr.Call(operators.Index, less, item))
				is = celexpr.And(is, equal)
			}
			return celexpr.Method(less, operators.All, item, is)
		}
		good := in(bigger.Access, smaller.Access)
		c := with(weight, both.and(celexpr.Not(good)), both.or(good), in(more, less))
		c.Tries = append(c.Tries, sizes(s, p)...)
		all = append(all, c)
	}
	switch k := s.KindOf(p); k {
	case Whole, Number:
		order(operators.Less)
		order(operators.Greater)
	case List, Mapping:
		contained(3, now, before, self, oldSelf)
		contained(4, before, now, oldSelf, self)
	}
	return all
}

// sizes returns updates of a list or map that add or remove a part.
func sizes(s *Facts, p evidence.Place) []Try {
	m := Items
	if s.KindOf(p) == Mapping {
		m = Entries
	}
	var all []Try
	for _, n := range [][2]float64{{1, 2}, {2, 1}, {2, 3}, {3, 2}, {0, 1}, {1, 0}} {
		before, ok := Measuring(s, p, m, n[0])
		after, fine := Measuring(s, p, m, n[1])
		if ok && fine {
			all = append(all, Try{{Field: p, To: before, Before: true}, {Field: p, To: after}})
		}
	}
	return all
}

// another returns a value of a field that differs from value.
func another(s *Facts, p evidence.Place) any {
	value := s.value(p)
	for _, seen := range s.Seen[p.String()] {
		if seen != nil && !evidence.Equal(seen, value) {
			return seen
		}
	}
	switch value := value.(type) {
	case bool:
		return !value
	case []any:
		if len(value) > 0 {
			return value[:len(value)-1]
		}
	case float64:
		return value + 1
	case map[string]any:
		for _, name := range evidence.SortedKeys(value) {
			if changed := Numbered(value[name], 1); !evidence.Equal(changed, value[name]) {
				return object.Of(name).Set(value, changed)
			}
		}
	}
	return Numbered(value, 1)
}
