package infer

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

// unmask asks about objects of a site that the schema accepts, if it refuses all of them for other reasons. Explorations
// often find errors in deep places only beside mistakes of the schema, whose objects say nothing about rules.
func (e *evidence) unmask(ctx context.Context, of *site) error {
	var masked []*sample
	for _, s := range e.samples {
		if !slices.ContainsFunc(s.reported, func(r reported) bool { return r.site == of.key && !r.stored }) {
			continue
		}
		if !s.masked {
			return nil
		}
		masked = append(masked, s)
	}
	slices.SortStableFunc(masked, func(a, b *sample) int { return a.size - b.size })
	var inputs []explore.Input
	for _, s := range masked[:min(len(masked), mostMasked)] {
		for n := range mostMended {
			wrong := func(object map[string]any) []generate.Mistake {
				return e.mistakes(explore.Input{Object: object, Old: s.Old})
			}
			mended, ok := generate.Mend(generate.Seeded(e.options.Seed+uint64(n)), e.target.Props, s.Object, generate.Mending{Wrong: wrong, Steps: mendingStep, Object: e.target.Object})
			if ok {
				inputs = append(inputs, explore.Input{Object: mended, Old: s.Old})
			}
		}
	}
	_, err := e.ask(ctx, inputs)
	return err
}

// mistakes returns the errors of the schema without the proposed rules.
func (e *evidence) mistakes(in explore.Input) (all []generate.Mistake) {
	s := &sample{Input: in}
	if !e.decode(s) {
		return []generate.Mistake{{}}
	}
	for _, err := range e.today(context.Background(), s.decoded, s.decodedOld) {
		all = append(all, generate.Mistake{Field: err.Field, Text: err.Error()})
	}
	return all
}
