package evidence

import (
	"context"
	"slices"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/object"
)

// A validator may check new objects only: its ValidateUpdate compares the object with the old one, and asks nothing else.
// A rule that forgets this refuses updates that the validator accepts.

// Bounds of the updates that show it.
const (
	mostNew    = 4 // refused new objects
	mostBefore = 3 // accepted objects that become one of them
)

// FindCreates finds out whether the errors of a site are about new objects only: the native validator accepts an update to
// an object that it refuses to create.
func (e *Evidence) FindCreates(ctx context.Context, of *Site) error {
	if e.Target.Like.Subresource != "" || of.Creates && !e.onlyCreates(of) {
		return nil
	}
	of.Creates = e.onlyCreates(of)
	var refused, accepted []*Sample
	for _, s := range e.Samples {
		reports := slices.ContainsFunc(s.Reported, func(r Reported) bool { return r.Site == of.Key })
		switch {
		case s.Old != nil && reports:
			of.Creates = false
			return nil
		case s.Old != nil || s.Masked:
		case reports && len(s.Reported) == 1:
			refused = append(refused, s)
		case s.Accepted:
			accepted = append(accepted, s)
		}
	}
	bySize := func(a, b *Sample) int { return a.Size - b.Size }
	slices.SortStableFunc(refused, bySize)
	slices.SortStableFunc(accepted, bySize)
	var inputs []explore.Input
	for _, s := range refused[:min(len(refused), mostNew)] {
		for _, before := range nearest(s, accepted) {
			old := Stored(before.Object)
			inputs = append(inputs, explore.Input{Object: object.Of("metadata").Put(s.Object, old["metadata"]), Old: old})
		}
	}
	if of.Creates {
		return nil
	}
	answers, err := e.Ask(ctx, inputs)
	of.Creates = err == nil && slices.ContainsFunc(answers, func(s *Sample) bool { return s != nil && s.Accepted })
	return err
}

// nearest returns the accepted objects that have the most fields in common with one.
func nearest(to *Sample, accepted []*Sample) []*Sample {
	alike := map[*Sample]int{}
	for _, s := range accepted {
		alike[s] = inCommon(to.Object, s.Object)
	}
	sorted := slices.SortedStableFunc(slices.Values(accepted), func(a, b *Sample) int { return alike[b] - alike[a] })
	return sorted[:min(len(sorted), mostBefore)]
}

// inCommon counts the fields, at most two levels deep, that two objects have with one value.
func inCommon(a, b map[string]any) (n int) {
	for name, part := range a {
		other, has := b[name]
		if has && Equal(part, other) {
			n += 2
		}
		fields, _ := part.(map[string]any)
		others, _ := other.(map[string]any)
		for name := range fields {
			if of, has := others[name]; has && Equal(fields[name], of) {
				n++
			}
		}
	}
	return n
}
