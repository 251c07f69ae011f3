package diff

import (
	"context"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// side makes objects for one of the schemas.
type side struct {
	schema   *apiextensionsv1.JSONSchemaProps
	validate Validate
	// valid are objects that the schema accepts. Large schemas with many rules accept almost no
	// object that is made from scratch, but many that are similar to a valid one.
	valid []map[string]any
}

// The numbers of valid objects that a side looks for, of attempts for each, and of changes that may
// make one valid.
const (
	enoughValid = 6
	beginnings  = 3
	mendSteps   = 1500
)

// findValid looks for valid objects: known ones, and generated ones that are fixed if they are
// invalid.
func (s *side) findValid(ctx context.Context, src generate.Source, known []map[string]any) {
	for _, object := range known {
		if len(s.validate(ctx, object)) == 0 {
			s.valid = append(s.valid, object)
		}
	}
	wrong := s.mistakes(ctx)
	for range beginnings * enoughValid {
		if len(s.valid) >= enoughValid || ctx.Err() != nil {
			return
		}
		opts := generate.ObjectOptions{Values: 1 + src.IntN(20), Defaulted: true}
		object := generate.Object(src, s.schema, opts)
		mended, ok := generate.Mend(src, s.schema, object, generate.Mending{Wrong: wrong, Steps: mendSteps, Object: opts})
		if ok {
			s.valid = append(s.valid, mended)
		}
	}
}

// mistakes returns a function that returns what is wrong with an object, as the generator expects
// it.
func (s *side) mistakes(ctx context.Context) func(map[string]any) []generate.Mistake {
	return func(object map[string]any) []generate.Mistake {
		var mistakes []generate.Mistake
		for _, rejection := range s.validate(ctx, object) {
			mistakes = append(mistakes, generate.Mistake{Field: rejection.Field, Text: rejection.Text})
		}
		return mistakes
	}
}

// object makes the i-th object: from scratch, or by changing a valid one.
func (s *side) object(src generate.Source, i int) map[string]any {
	opts := generate.ObjectOptions{
		Faults: []int{0, 0, 40, 12, 4}[i%5], Values: []int{10, 40, 120}[i%3], Generous: i%7 == 0, Defaulted: i%2 == 0,
	}
	if len(s.valid) == 0 || i%3 == 0 {
		return generate.Object(src, s.schema, opts)
	}
	opts.Faults, opts.Values = []int{0, 12, 3}[i/3%3], 12
	return generate.Vary(src, s.schema, s.valid[src.IntN(len(s.valid))], opts)
}
