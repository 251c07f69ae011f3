package evidence

import (
	"context"
	"slices"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
)

// Bounds of the objects that are mended for a site.
const (
	mostMasked  = 3 // objects
	mostMended  = 8 // attempts for an object
	mendingStep = 80
)

// Unmask asks about objects of a site that the schema accepts, if it refuses all of them for other reasons. Explorations
// often find errors in deep places only beside mistakes of the schema, whose objects say nothing about rules.
func (e *Evidence) Unmask(ctx context.Context, of *Site) error {
	var masked []*Sample
	for _, s := range e.Samples {
		if !slices.ContainsFunc(s.Reported, func(r Reported) bool { return r.Site == of.Key && !r.Stored }) {
			continue
		}
		if !s.Masked {
			return nil
		}
		masked = append(masked, s)
	}
	slices.SortStableFunc(masked, func(a, b *Sample) int { return a.Size - b.Size })
	var inputs []explore.Input
	for _, s := range masked[:min(len(masked), mostMasked)] {
		for n := range mostMended {
			wrong := func(object map[string]any) []generate.Mistake {
				return e.mistakes(explore.Input{Object: object, Old: s.Old})
			}
			mended, ok := generate.Mend(generate.Seeded(e.Options.Seed+uint64(n)), e.Target.Props, s.Object,
				generate.Mending{Wrong: wrong, Steps: mendingStep, Object: e.Target.Object})
			if ok {
				inputs = append(inputs, explore.Input{Object: mended, Old: s.Old})
			}
		}
	}
	_, err := e.Ask(ctx, inputs)
	return err
}

// mistakes returns the errors of the schema without the proposed rules.
func (e *Evidence) mistakes(in explore.Input) (all []generate.Mistake) {
	s := &Sample{Input: in}
	if !e.Decode(s) {
		return []generate.Mistake{{}}
	}
	for _, err := range e.Today(context.Background(), s.Decoded, s.DecodedOld) {
		all = append(all, generate.Mistake{Field: err.Field, Text: err.Error()})
	}
	return all
}
