package infer

import "slices"

// mostGuards bounds the fields whose values may be the condition of a rule about other fields.
const mostGuards = 24

// conditions returns the conditions of a site, and those that other conditions may depend on.
func (s *subject) conditions(u *universe, l labels) (single, guards []*condition) {
	seen := map[string]bool{}
	add := func(to *[]*condition, from []condition) {
		for i := range from {
			if to == &single && from[i].oneValue {
				continue
			}
			if to == &single && len(s.target) > 0 && !slices.Equal(from[i].about, s.target) {
				from[i].weight++
			}
			*to = append(*to, &from[i])
		}
	}
	for _, p := range s.focus {
		add(&single, s.presence(p))
		add(&single, s.equalities(p))
		for _, m := range measuresOf(s.kindOf(p)) {
			add(&single, s.bounds(p, m, s.marks(u, p, m, nil, l)))
		}
		add(&single, s.intOrStrings(p))
		if !s.site.creates {
			add(&single, s.updates(p))
		}
		add(&single, s.duplicates(p))
		add(&single, s.keysOf(p))
		add(&single, s.lifted(p))
		if slices.Equal(p, s.target) && (s.site.creates || len(s.site.blamed) > 0) { // else the scope of the items says it
			add(&single, s.textItems(p))
		}
		add(&single, s.ends(p))
		add(&single, s.itemReferences(p))
		add(&single, s.sums(p))
		add(&single, s.indices(p))
		add(&single, s.members(p))
		for _, other := range s.fields[:min(len(s.fields), mostGuards)] {
			add(&single, s.order(p, other))
			add(&single, s.numberOrder(p, other))
			add(&single, s.networks(p, other))
			add(&single, s.references(p, other))
			add(&single, s.disjoint(p, other))
			add(&single, s.quantities(p, other))
		}
	}
	if s.kindOf(s.target) == text {
		add(&single, s.formats(s.target))
	}
	add(&single, s.unions())
	for _, p := range s.fields[:min(len(s.fields), mostGuards)] {
		add(&guards, s.presence(p))
		add(&guards, s.equalities(p))
		add(&guards, s.alternatives(p))
		if s.requests != nil {
			add(&guards, s.members(p))
		}
	}
	for _, p := range s.focus {
		add(&guards, s.itemValues(p))
	}
	add(&single, s.itemValues(s.target))
	add(&single, s.conditionalBounds(u, l, guards))
	single = slices.DeleteFunc(single, func(c *condition) bool {
		known := seen[c.expr]
		seen[c.expr] = true
		return known
	})
	return single, guards
}

// otherFormats returns the conditions about the forms of texts that the error may be about if it is at an object. There are
// many, and they are slow, so they come last.
func (s *subject) otherFormats() (all []*condition) {
	if len(s.target) > 0 {
		return nil
	}
	for _, p := range s.textFocus() {
		formats := s.formats(p)
		for n := range formats {
			formats[n].weight++
			all = append(all, &formats[n])
		}
	}
	return all
}

// textFocus returns the texts whose form the error may be about.
func (s *subject) textFocus() []place {
	var all []place
	for _, p := range s.focus {
		if s.kindOf(p) == text && len(all) < 3 {
			all = append(all, p)
		}
	}
	return all
}

// conditionalBounds returns bounds at the numbers that separate refused from accepted values where a
// guard holds.
func (s *subject) conditionalBounds(u *universe, l labels, guards []*condition) []condition {
	if len(s.target) == 0 {
		return nil
	}
	var all []condition
	for _, m := range measuresOf(s.kindOf(s.target)) {
		for _, guard := range guards {
			holds := u.holds(guard.expr)
			if holds.and(l.accepted).empty() || holds.and(l.refused).empty() {
				continue
			}
			var at []float64
			steps := s.steps(u, s.target, m, holds, l)
			if len(steps) > mostChanges {
				continue
			}
			for _, step := range steps {
				at = append(at, step.low, step.high)
			}
			all = append(all, s.bounds(s.target, m, at)...)
		}
	}
	return all
}
