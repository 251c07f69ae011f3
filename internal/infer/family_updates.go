package infer

// updates returns the conditions that an update changes a field in some way: its value, its
// presence, or both, or makes it smaller.
func (s *facts) updates(p place) []condition {
	if s.site.creates {
		return nil
	}
	now, before := s.refIn(p, "self"), s.refIn(p, "oldSelf")
	has, had := grouped(now.has()), grouped(before.has())
	same := now.access + " == " + before.access
	differs := now.access + " != " + before.access
	value, other := s.value(p), s.another(p)
	tries := []try{
		{{field: p, to: value, before: true}, {field: p, to: other}},
		{{field: p, to: other, before: true}, {field: p, to: value}},
		{{field: p, to: value, before: true}, {field: p, to: value}},
	}
	optional := len(now.guards) > 0
	if optional {
		tries = append(tries,
			try{{field: p, to: absence{}, before: true}, {field: p, to: value}},
			try{{field: p, to: value, before: true}, {field: p, to: absence{}}})
	}
	with := func(weight int, expr, rule string, leafRule string) condition {
		c := condition{expr: expr, rule: rule, weight: weight, about: p, fields: []place{p}, tries: tries, update: true}
		if leafRule != "" {
			c.leaf = s.leafOf(now, "", nil)
			if c.leaf != nil {
				c.leaf.rule = leafRule
			}
		}
		return c
	}
	both := ref{guards: append(append([]string{}, now.guards...), before.guards...)}
	all := []condition{with(3, both.and(differs), both.or(same), "self == oldSelf")}
	if optional {
		all = append(all,
			with(3, has+" != "+had+" || "+both.and(differs), has+" == "+had+" && ("+now.or(same)+")", ""),
			with(3, had+" && ("+now.or(differs)+")", before.or(now.and(same)), ""),
			with(4, has+" && ("+before.or(differs)+")", now.or(before.and(same)), ""),
			with(4, had+" && !"+has, before.or(has), ""),
			with(4, has+" && !"+had, now.or(had), ""),
			with(4, has+" != "+had, has+" == "+had, ""))
	}
	return append(all, s.growing(p, now, before, both, with)...)
}

// growing returns the conditions that a field becomes less, or more.
func (s *facts) growing(p place, now, before, both ref, with func(int, string, string, string) condition) []condition {
	var all []condition
	order := func(bad, good string) {
		c := with(3, both.and(now.access+" "+bad+" "+before.access), both.or(now.access+" "+good+" "+before.access), "self "+good+" oldSelf")
		for _, value := range s.comparedWith(p) {
			if n, is := value.(int64); is {
				c.tries = append(c.tries, try{{field: p, to: n, before: true}, {field: p, to: n + 1}}, try{{field: p, to: n + 1, before: true}, {field: p, to: n}})
			}
		}
		all = append(all, c)
	}
	contained := func(weight int, bigger, smaller ref, leafRule string) {
		good := smaller.access + ".all(x, x in " + bigger.access + ")"
		if s.kindOf(p) == mapping {
			good = smaller.access + ".all(key, key in " + bigger.access + " && " + bigger.access + "[key] == " + smaller.access + "[key])"
		}
		c := with(weight, both.and(negated(good)), both.or(good), leafRule)
		c.tries = append(c.tries, s.sizes(p)...)
		all = append(all, c)
	}
	switch k := s.kindOf(p); k {
	case whole, number:
		order("<", ">=")
		order(">", "<=")
	case list:
		contained(3, now, before, "oldSelf.all(x, x in self)")
		contained(4, before, now, "self.all(x, x in oldSelf)")
	case mapping:
		contained(3, now, before, "oldSelf.all(key, key in self && self[key] == oldSelf[key])")
		contained(4, before, now, "self.all(key, key in oldSelf && oldSelf[key] == self[key])")
	}
	return all
}

// sizes returns updates of a list or map that add or remove a part.
func (s *facts) sizes(p place) []try {
	m := items
	if s.kindOf(p) == mapping {
		m = entries
	}
	var all []try
	for _, n := range [][2]float64{{1, 2}, {2, 1}, {2, 3}, {3, 2}, {0, 1}, {1, 0}} {
		before, ok := s.measuring(p, m, n[0])
		after, fine := s.measuring(p, m, n[1])
		if ok && fine {
			all = append(all, try{{field: p, to: before, before: true}, {field: p, to: after}})
		}
	}
	return all
}

// another returns a value of a field that differs from value.
func (s *facts) another(p place) any {
	value := s.value(p)
	for _, seen := range s.seen[p.String()] {
		if seen != nil && !equal(seen, value) {
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
		for _, name := range sortedKeys(value) {
			if changed := numbered(value[name], 1); !equal(changed, value[name]) {
				return steps{name}.set(value, changed)
			}
		}
	}
	return numbered(value, 1)
}

// grouped returns an expression that can be an operand.
func grouped(expr string) string {
	for i := 1; i < len(expr); i++ {
		if expr[i] == ' ' {
			return "(" + expr + ")"
		}
	}
	return expr
}
