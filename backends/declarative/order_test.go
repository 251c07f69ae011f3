package declarative_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	upstream "github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/generate"
	"github.com/diffrun/diffrun/internal/served"
)

// TestOneOrder holds that both validators give errors in the order in which results
// show them.
func TestOneOrder(t *testing.T) {
	const schemas, perSchema = 100, 8
	several := 0
	for i := range uint64(schemas) {
		src := rand.New(rand.NewPCG(*seed, i))
		props := generate.Schema(src, generate.SchemaOptions{})
		ours, err := declarative.Compile(served.Converted(t, props), declarative.Options{Semantics: declarative.Semantics(i % 2), Estimation: declarative.EstimationOff})
		if err != nil {
			continue // not every generated schema is legal
		}
		theirs, err := upstream.CompileProps(props, upstream.Options{})
		if err != nil {
			continue
		}
		for range perSchema {
			obj := generate.Object(src, props, generate.ObjectOptions{Faults: 6, Values: 40})
			errs := ours.Validate(t.Context(), value.NewValueInterface(obj), nil)
			if d := cmp.Diff(equivalence.Canonical(errs), errs); d != "" {
				t.Fatalf("schema %d, declarative (-canonical +got):\n%s", i, d)
			}
			errs = theirs.Validate(t.Context(), obj, nil)
			if d := cmp.Diff(equivalence.Canonical(errs), errs); d != "" {
				t.Fatalf("schema %d, reference (-canonical +got):\n%s", i, d)
			}
			if len(errs) > 3 {
				several++
			}
		}
	}
	if several < schemas/2 {
		t.Errorf("only %d objects have several errors", several)
	}
}
