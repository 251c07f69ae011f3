package infer

import "slices"

// mostGuards bounds the fields whose values may be the condition of a rule about other fields.
const mostGuards = 24

// families are the kinds of conditions about a field that an error may be about.
var families = []func(s *facts, p place) []condition{
	(*facts).presence,
	(*facts).equalities,
	(*facts).boundsAtMarks,
	(*facts).intOrStrings,
	(*facts).updates,
	(*facts).duplicates,
	(*facts).keysOf,
	(*facts).lifted,
	(*facts).ownTextItems,
	(*facts).ends,
	(*facts).itemReferences,
	(*facts).sums,
	(*facts).indices,
	(*facts).members,
}

// pairFamilies are the kinds of conditions about such a field and another one.
var pairFamilies = []func(s *facts, p, other place) []condition{
	(*facts).order,
	(*facts).numberOrder,
	(*facts).networks,
	(*facts).references,
	(*facts).disjoint,
	(*facts).quantities,
}

// guardFamilies are the kinds of conditions on which others may depend.
var guardFamilies = []func(s *facts, p place) []condition{
	(*facts).presence,
	(*facts).equalities,
	(*facts).alternatives,
	(*facts).requestMembers,
}

// conditions returns the conditions of a site, and those that other conditions may depend on.
func conditions(s *facts) (single, guards []*condition) {
	add := func(from []condition) {
		for i := range from {
			if from[i].oneText {
				continue
			}
			if len(s.target) > 0 && !slices.Equal(from[i].about, s.target) {
				from[i].weight++
			}
			single = append(single, &from[i])
		}
	}
	near := s.fields[:min(len(s.fields), mostGuards)]
	for _, p := range s.focus {
		for _, family := range families {
			add(family(s, p))
		}
		for _, other := range near {
			for _, family := range pairFamilies {
				add(family(s, p, other))
			}
		}
	}
	if s.kindOf(s.target) == text {
		add(s.formats(s.target))
	}
	add(s.unions())
	for _, p := range near {
		for _, family := range guardFamilies {
			guards = append(guards, pointers(family(s, p))...)
		}
	}
	for _, p := range s.focus {
		guards = append(guards, pointers(s.itemValues(p))...)
	}
	add(s.itemValues(s.target))
	return single, guards
}

// pointers returns pointers to conditions.
func pointers(of []condition) (all []*condition) {
	for n := range of {
		all = append(all, &of[n])
	}
	return all
}

// otherFormats returns the conditions about the forms of texts that the error may be about if it is at an object. There are
// many, and they are slow, so they come last.
func (s *facts) otherFormats() (all []*condition) {
	if len(s.target) > 0 {
		return nil
	}
	for _, p := range s.textFocus() {
		for _, c := range pointers(s.formats(p)) {
			c.weight++
			all = append(all, c)
		}
	}
	return all
}

// textFocus returns the texts whose form the error may be about.
func (s *facts) textFocus() []place {
	var all []place
	for _, p := range s.focus {
		if s.kindOf(p) == text && len(all) < 3 {
			all = append(all, p)
		}
	}
	return all
}

// mostTries bounds the changes for some conditions on one object.
const mostTries = 400

// triesOf returns the changes that make some conditions true and false, one at a time and together.
func triesOf(of []*condition) []try {
	all := of[0].tries
	for _, part := range of[1:] {
		var both []try
		for _, other := range part.tries[:min(len(part.tries), 4)] {
			for _, one := range all {
				both = append(both, slices.Concat(one, other))
			}
		}
		all = slices.Concat(both, all, part.tries)
	}
	return all[:min(len(all), mostTries)]
}
