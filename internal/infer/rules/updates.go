package rules

import (
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/object"
)

// updates returns the conditions that an update changes a field in some way: its value, its
// presence, or both, or makes it smaller.
func updates(s *Facts, p evidence.Place) []Condition {
	if s.Site.Creates {
		return nil
	}
	now, before := s.refIn(p, "self"), s.refIn(p, "oldSelf")
	has, had := Grouped(now.Has()), Grouped(before.Has())
	same := now.Access + " == " + before.Access
	differs := now.Access + " != " + before.Access
	value, other := s.value(p), another(s, p)
	tries := []Try{
		{{Field: p, To: value, Before: true}, {Field: p, To: other}},
		{{Field: p, To: other, Before: true}, {Field: p, To: value}},
		{{Field: p, To: value, Before: true}, {Field: p, To: value}},
	}
	optional := len(now.Guards) > 0
	if optional {
		tries = append(tries,
			Try{{Field: p, To: object.Absence{}, Before: true}, {Field: p, To: value}},
			Try{{Field: p, To: value, Before: true}, {Field: p, To: object.Absence{}}})
	}
	with := func(weight int, expr, rule string, leafRule string) Condition {
		c := Condition{Expr: expr, Rule: rule, Weight: weight, About: p, Fields: []evidence.Place{p}, Tries: tries, Update: true}
		if leafRule != "" {
			c.Leaf = leafOf(s, now, "", nil)
			if c.Leaf != nil {
				c.Leaf.Rule = leafRule
			}
		}
		return c
	}
	both := ref{Guards: append(append([]string{}, now.Guards...), before.Guards...)}
	all := []Condition{with(3, both.and(differs), both.or(same), "self == oldSelf")}
	if optional {
		all = append(all,
			with(3, has+" != "+had+" || "+both.and(differs), has+" == "+had+" && ("+now.or(same)+")", ""),
			with(3, had+" && ("+now.or(differs)+")", before.or(now.and(same)), ""),
			with(4, has+" && ("+before.or(differs)+")", now.or(before.and(same)), ""),
			with(4, had+" && !"+has, before.or(has), ""),
			with(4, has+" && !"+had, now.or(had), ""),
			with(4, has+" != "+had, has+" == "+had, ""))
	}
	return append(all, growing(s, p, now, before, both, with)...)
}

// growing returns the conditions that a field becomes less, or more.
func growing(s *Facts, p evidence.Place, now, before, both ref, with func(int, string, string, string) Condition) []Condition {
	var all []Condition
	order := func(bad, good string) {
		c := with(3, both.and(now.Access+" "+bad+" "+before.Access), both.or(now.Access+" "+good+" "+before.Access),
			"self "+good+" oldSelf")
		for _, value := range comparedWith(s, p) {
			if n, is := value.(int64); is {
				c.Tries = append(c.Tries, Try{{Field: p, To: n, Before: true}, {Field: p, To: n + 1}},
					Try{{Field: p, To: n + 1, Before: true}, {Field: p, To: n}})
			}
		}
		all = append(all, c)
	}
	contained := func(weight int, bigger, smaller ref, leafRule string) {
		good := smaller.Access + ".all(x, x in " + bigger.Access + ")"
		if s.KindOf(p) == Mapping {
			good = smaller.Access + ".all(key, key in " + bigger.Access + " && " + bigger.Access + "[key] == " + smaller.Access + "[key])"
		}
		c := with(weight, both.and(Negated(good)), both.or(good), leafRule)
		c.Tries = append(c.Tries, sizes(s, p)...)
		all = append(all, c)
	}
	switch k := s.KindOf(p); k {
	case Whole, Number:
		order("<", ">=")
		order(">", "<=")
	case List:
		contained(3, now, before, "oldSelf.all(x, x in self)")
		contained(4, before, now, "self.all(x, x in oldSelf)")
	case Mapping:
		contained(3, now, before, "oldSelf.all(key, key in self && self[key] == oldSelf[key])")
		contained(4, before, now, "self.all(key, key in oldSelf && oldSelf[key] == self[key])")
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

// Grouped returns an expression that can be an operand.
func Grouped(expr string) string {
	for i := 1; i < len(expr); i++ {
		if expr[i] == ' ' {
			return "(" + expr + ")"
		}
	}
	return expr
}
