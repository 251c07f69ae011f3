package rules

import (
	"slices"

	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// MostGuards bounds the fields whose values may be the condition of a rule about other fields.
const MostGuards = 24

// families are the kinds of conditions about a field that an error may be about.
var families = []func(s *Facts, p evidence.Place) []Condition{
	Presence,
	Equalities,
	boundsAtMarks,
	updates,
	duplicates,
	members,
}

// guardFamilies are the kinds of conditions on which others may depend.
var guardFamilies = []func(s *Facts, p evidence.Place) []Condition{
	Presence,
	Equalities,
	members,
}

// Conditions returns the conditions of a site, and those that other conditions may depend on.
func Conditions(s *Facts) (single, guards []*Condition) {
	add := func(from []Condition) {
		for i := range from {
			if from[i].oneText {
				continue
			}
			if len(s.Target) > 0 && !slices.Equal(from[i].About, s.Target) {
				from[i].Weight++
			}
			single = append(single, &from[i])
		}
	}
	near := s.Fields[:min(len(s.Fields), MostGuards)]
	for _, p := range s.Focus {
		for _, family := range families {
			add(family(s, p))
		}
		for _, other := range near {
			add(order(s, p, other))
		}
	}
	if s.KindOf(s.Target) == Text {
		add(formats(s, s.Target))
	}
	add(unions(s))
	for _, p := range near {
		for _, family := range guardFamilies {
			guards = append(guards, Pointers(family(s, p))...)
		}
	}
	return single, guards
}

// Pointers returns pointers to conditions.
func Pointers(of []Condition) (all []*Condition) {
	for n := range of {
		all = append(all, &of[n])
	}
	return all
}

// OtherFormats returns the conditions about the forms of texts that the error may be about if it is at an object. There are
// many, and they are slow, so they come last.
func OtherFormats(s *Facts) (all []*Condition) {
	if len(s.Target) > 0 {
		return nil
	}
	for _, p := range textFocus(s) {
		for _, c := range Pointers(formats(s, p)) {
			c.Weight++
			all = append(all, c)
		}
	}
	return all
}

// textFocus returns the texts whose form the error may be about.
func textFocus(s *Facts) []evidence.Place {
	var all []evidence.Place
	for _, p := range s.Focus {
		if s.KindOf(p) == Text && len(all) < 3 {
			all = append(all, p)
		}
	}
	return all
}

// mostTries bounds the changes for some conditions on one object.
const mostTries = 400

// TriesOf returns the changes that make some conditions true and false, one at a time and together.
func TriesOf(of []*Condition) []Try {
	all := of[0].Tries
	for _, part := range of[1:] {
		var both []Try
		for _, other := range part.Tries[:min(len(part.Tries), 4)] {
			for _, one := range all {
				both = append(both, slices.Concat(one, other))
			}
		}
		all = slices.Concat(both, all, part.Tries)
	}
	return all[:min(len(all), mostTries)]
}
