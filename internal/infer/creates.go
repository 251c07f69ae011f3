package infer

import (
	"context"
	"slices"

	"github.com/diffrun/diffrun/internal/explore"
)

// A validator may check new objects only: its ValidateUpdate compares the object with the old one, and asks nothing else.
// A rule that forgets this refuses updates that the validator accepts.

// Bounds of the updates that show it.
const (
	mostNew    = 4 // refused new objects
	mostBefore = 3 // accepted objects that become one of them
)

// findCreates finds out whether the errors of a site are about new objects only: the native validator accepts an update to
// an object that it refuses to create.
func (e *evidence) findCreates(ctx context.Context, of *site) error {
	if e.target.Like.Subresource != "" || of.creates {
		return nil
	}
	var refused, accepted []*sample
	for _, s := range e.samples {
		reports := slices.ContainsFunc(s.reported, func(r reported) bool { return r.site == of.key })
		switch {
		case s.Old != nil && reports:
			return nil
		case s.Old != nil || s.masked:
		case reports && len(s.reported) == 1:
			refused = append(refused, s)
		case s.accepted:
			accepted = append(accepted, s)
		}
	}
	bySize := func(a, b *sample) int { return a.size - b.size }
	slices.SortStableFunc(refused, bySize)
	slices.SortStableFunc(accepted, bySize)
	var inputs []explore.Input
	for _, s := range refused[:min(len(refused), mostNew)] {
		for _, before := range nearest(s, accepted) {
			old := stored(before.Object)
			inputs = append(inputs, explore.Input{Object: steps{"metadata"}.set(s.Object, old["metadata"]).(map[string]any), Old: old})
		}
	}
	answers, err := e.ask(ctx, inputs)
	of.creates = err == nil && slices.ContainsFunc(answers, func(s *sample) bool { return s != nil && s.accepted })
	return err
}

// nearest returns the accepted objects that have the most fields in common with one.
func nearest(to *sample, accepted []*sample) []*sample {
	alike := map[*sample]int{}
	for _, s := range accepted {
		alike[s] = inCommon(to.Object, s.Object)
	}
	sorted := slices.SortedStableFunc(slices.Values(accepted), func(a, b *sample) int { return alike[b] - alike[a] })
	return sorted[:min(len(sorted), mostBefore)]
}

// inCommon counts the fields, at most two levels deep, that two objects have with one value.
func inCommon(a, b map[string]any) (n int) {
	for name, part := range a {
		other, has := b[name]
		if has && equal(part, other) {
			n += 2
		}
		fields, _ := part.(map[string]any)
		others, _ := other.(map[string]any)
		for name := range fields {
			if of, has := others[name]; has && equal(fields[name], of) {
				n++
			}
		}
	}
	return n
}
