package world_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/testing/onecase"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// The API server answers with an internal error when a mutating webhook leaves an object that it cannot
// convert back. That is not a verdict, on either side of a comparison. The e2e test TestWebhooks compares
// these rows with a real API server.
func TestMutatedType(t *testing.T) {
	set := func(field string, value any) func(map[string]any) {
		return func(object map[string]any) { object[field] = value }
	}
	remove := func(field string) func(map[string]any) { return func(object map[string]any) { delete(object, field) } }
	scale := `{apiVersion: autoscaling/v1, kind: Scale, spec: {replicas: 5}}`
	for _, tc := range []struct {
		why, object string
		patch       func(map[string]any)
		fault       string
		want        []string
	}{
		{"nothing to decode it by", "", remove("apiVersion"), `has the apiVersion "", from which the API server cannot convert ` +
			`it; accepted: those of example.com/v1 Gadget, example.com/v1beta1 Gadget`, nil},
		{"no kind", "", remove("kind"), "mutate: the mutated object has the apiVersion example.com/v1 and the kind <nil>; " +
			"the API server accepts no object without them", nil},
		{"an empty kind", "", set("kind", ""), "the API server accepts no object without them", nil},
		{"a kind that is no text", "", set("kind", int64(1)), "the API server accepts no object without them", nil},
		{"without a valid apiVersion there is no kind either", "", set("apiVersion", "a/b/c"),
			"the API server accepts no object without them", nil},
		{"a version that is not defined", "", set("apiVersion", "example.com/v9"), `has the apiVersion "example.com/v9"`, nil},
		{"a different group", "", set("apiVersion", "example.org/v1"), `has the apiVersion "example.org/v1"`, nil},
		{"validation rejects a different kind", "", set("kind", "Gizmo"), "", []string{"kind: must be Gadget"}},
		{"a different version is converted", "", set("apiVersion", "example.com/v1beta1"), "", nil},
		{"a Scale has a Go type, which knows both", scale, func(object map[string]any) {
			delete(object, "apiVersion")
			delete(object, "kind")
		}, "", nil},
		{"a Scale that becomes something else", scale, set("kind", "Gadget"), "the mutated object is of autoscaling/v1 Gadget; " +
			"the API server accepts only an object of autoscaling/v1 Scale there", nil},
		{"a Scale of a different group", scale, set("apiVersion", "example.com/v1"),
			"the API server accepts only an object of autoscaling/v1 Scale there", nil},
	} {
		t.Run(tc.why, func(t *testing.T) {
			c := harness.Case{
				Version: gadgetV1,
				Object:  served.Object(t, `{apiVersion: example.com/v1, kind: Gadget, metadata: {name: a, namespace: b}, spec: {}}`),
			}
			if tc.object != "" {
				c.Old, c.Object, c.Subresource = c.Object, served.Object(t, tc.object), "scale"
			}
			mutating := world.World{Definition: gadget(t, 1, ""), Mutate: world.Mutating{Mutator: &seen{patch: tc.patch}}}
			withoutDefinition := world.World{Mutate: mutating.Mutate, Then: []world.Validating{{Backend: &seen{}}}}
			for name, w := range map[string]world.World{"a definition": mutating, "only a webhook": withoutDefinition} {
				target, err := world.NewTarget(w, world.World{Definition: mutating.Definition}, "v1")
				if err != nil {
					t.Fatal(err)
				}
				results := onecase.Results(t, target, c)
				fault := ""
				if got := results[0].Native.Fault; got != nil {
					fault = got.Error()
				}
				if !strings.Contains(fault, tc.fault) || (fault == "") != (tc.fault == "") {
					t.Errorf("%s: fault %q; want %q", name, fault, tc.fault)
				}
				if diff := cmp.Diff(tc.want, texts(results[0].Native.Errors)); diff != "" {
					t.Errorf("%s: -want +got:\n%s", name, diff)
				}
			}
		})
	}
}

// TestMutated: what validation reads is the object after mutating admission, with its defaults, and nothing if a stage before refuses.
func TestMutated(t *testing.T) {
	set := func(object map[string]any) { object["spec"] = map[string]any{"size": int64(3)} }
	for _, tc := range []struct {
		why  string
		w    world.World
		want any
	}{
		{"nothing mutates", world.World{Definition: gadget(t, 1, "")}, map[string]any{"replicas": int64(1)}},
		{"a webhook sets a field", world.World{
			Definition: gadget(t, 1, ""), Mutate: world.Mutating{Mutator: &seen{patch: set}},
		}, map[string]any{"size": int64(3), "replicas": int64(1)}},
		{"a webhook refuses", world.World{
			Definition: gadget(t, 1, ""),
			Mutate: world.Mutating{Mutator: world.MutatorFunc(func(context.Context, map[string]any) error {
				return errors.New("no")
			})},
		}, nil},
	} {
		c := harness.Case{
			Version: gadgetV1,
			Object:  served.Object(t, `{apiVersion: example.com/v1, kind: Gadget, metadata: {name: a, namespace: b}, spec: {}}`),
		}
		if got := tc.w.Mutates(); got != (tc.w.Mutate.Mutator != nil) {
			t.Errorf("%s: Mutates() = %v", tc.why, got)
		}
		object, err := tc.w.Mutated(t.Context(), c.InputOf(harness.Version{GroupVersionKind: gadgetV1}))
		if err != nil {
			t.Fatalf("%s: %v", tc.why, err)
		}
		var spec any
		if object != nil {
			spec = object["spec"]
		}
		if diff := cmp.Diff(tc.want, spec); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.why, diff)
		}
	}
}
