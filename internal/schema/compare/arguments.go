package compare

import (
	"context"

	"github.com/diffrun/diffrun/internal/schema/source"
)

// Arguments compares what two arguments name: whole definitions if both are files or directories
// with definitions, or else two schemas. The error is a strictyaml.Mistakes with all mistakes of
// both, or that of an ended context.
func Arguments(ctx context.Context, finder source.Finder, a, b string, opts Options) (*Comparison, error) {
	wholeA, isA, errA := finder.Definitions(a)
	wholeB, isB, errB := finder.Definitions(b)
	if isA && isB {
		if err := joined(errA, errB); err != nil {
			return nil, err
		}
		return Releases(ctx, Release{a, wholeA}, Release{b, wholeB}, opts)
	}
	schemaA, errA := finder.One(a)
	schemaB, errB := finder.One(b)
	if err := joined(errA, errB); err != nil {
		return nil, err
	}
	return Schemas(ctx, schemaA, schemaB, opts)
}
