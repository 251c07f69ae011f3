package declarative_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/generate"
)

// sharing gives an object whose fields are those of the old one, in memory too, where they
// are equal.
func sharing(obj, old map[string]any) map[string]any {
	shared := runtime.DeepCopyJSON(obj)
	for name, x := range shared {
		if before, ok := old[name]; ok && reflect.DeepEqual(x, before) {
			shared[name] = before
		}
	}
	return shared
}

// shares holds that it does not matter for what is found whether an update shares memory
// with the old object. It says whether a part of it was not looked at.
func shares(t *testing.T, v *declarative.Validator, obj, old map[string]any) (found []string, unseen bool) {
	t.Helper()
	before, in := value.NewValueInterface(old), sharing(obj, old)
	want := lines(v.Validate(t.Context(), value.NewValueInterface(runtime.DeepCopyJSON(obj)), before))
	got := lines(v.Validate(t.Context(), value.NewValueInterface(in), before))
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("when it shares memory with the old one (-copied +shared):\n%s\nobject: %s\nold: %s", d, asJSON(t, obj), asJSON(t, old))
	}
	copied, _ := v.ProofOfUpdate(value.NewValueInterface(runtime.DeepCopyJSON(obj)), before)
	shared, _ := v.ProofOfUpdate(value.NewValueInterface(in), before)
	return want, shared && !copied
}

// TestSharedOfGenerated updates generated objects to what shares memory with them.
func TestSharedOfGenerated(t *testing.T) {
	const perSchema = 12
	found, unseen := 0, 0
	for i := range uint64(*pairs) / perSchema {
		src := rand.New(rand.NewPCG(*seed, 3000+i))
		props := generate.Schema(src, generate.SchemaOptions{Unadmitted: i%2 == 1})
		v, err := declarative.Compile(converted(t, props), declarative.Options{Root: true, Estimation: declarative.EstimationOff, Semantics: declarative.CustomResources})
		if err != nil {
			continue // what is no schema for us is another test's
		}
		opts := generate.ObjectOptions{Faults: int(i % 7), Values: 40, Defaulted: i%4 == 0}
		for range perSchema {
			old := generate.Object(src, props, opts)
			obj := old
			if src.IntN(3) > 0 {
				obj = generate.Update(src, props, old, opts)
			}
			errs, skipped := shares(t, v, obj, old)
			if len(errs) > 0 {
				found++
			}
			if skipped {
				unseen++
			}
		}
	}
	t.Logf("%d updates with errors; in %d something wrong was not looked at", found, unseen)
	if min(found, unseen) < 10 {
		t.Error("too few updates for the test to show anything")
	}
}

// TestSharedOfCRDs does so with objects of real schemas, whose status is shared as the API
// server shares it, or all of them.
func TestSharedOfCRDs(t *testing.T) {
	definitions, found, unseen := 0, 0, 0
	eachCRD(t, func(_ *apiextensionsv1.CustomResourceDefinition, v *declarative.Validator, pairs []pair) {
		definitions++
		for _, p := range pairs {
			old := p.old
			if old == nil {
				old = p.obj
			}
			for _, names := range [][]string{{"status"}, {"spec", "status"}} {
				obj := runtime.DeepCopyJSON(p.obj)
				for _, name := range names {
					if x, ok := old[name]; ok {
						obj[name] = x
					}
				}
				errs, skipped := shares(t, v, obj, old)
				if len(errs) > 0 {
					found++
				}
				if skipped {
					unseen++
				}
			}
		}
	})
	t.Logf("%d updates with errors; in %d something wrong was not looked at", found, unseen)
	if definitions > 0 && min(found, unseen) < 10 {
		t.Error("too few updates for the test to show anything")
	}
}

// TestShared has a row for each thing that keeps the API server from seeing that a value did
// not change.
func TestShared(t *testing.T) {
	const schema = `
type: object
properties:
  apiVersion: {type: string}
  kind: {type: string}
  metadata: {type: object}
  spec:
    type: object
    required: [size]
    x-kubernetes-preserve-unknown-fields: true
    properties:
      size: {type: integer}
      name: {type: string, pattern: '^a'}
      free: {type: object, x-kubernetes-preserve-unknown-fields: true}
      labels: {type: object, maxProperties: 1, additionalProperties: {type: string}}
      plain: {type: array, maxItems: 1, items: {type: object, required: [a], properties: {a: {type: string}}}}
      keyed:
        type: array
        maxItems: 1
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [k]
        items: {type: object, required: [a], properties: {k: {type: string}, a: {type: string}, inner: {type: object, required: [b], properties: {b: {type: string}}}}}
  status: {type: object, properties: {name: {type: string, pattern: '^b'}}}
`
	for _, tt := range []struct {
		name, why, object string
		unseen            bool // the mistake was not looked at
		errors            int
	}{
		{"pattern", "a scalar that did not change", `{spec: {size: 1, name: b}}`, true, 0},
		{"required", "all is known, so the map did not change", `{spec: {name: b}}`, true, 0},
		{"required, unknown", "a map with an entry that no schema knows is never the same", `{spec: {name: a, other: 1}}`, false, 1},
		{"required, unknown deeper", "nor is one that has such a map in it", `{spec: {name: a, free: {other: 1}}}`, false, 1},
		{"pattern, unknown", "a scalar has its own old value, whatever is beside it", `{spec: {size: 1, name: b, other: 1}}`, false, 0},
		{"labels", "additionalProperties knows all names", `{spec: {size: 1, labels: {a: x, b: y}}}`, true, 0},
		{"labels that are maps", "but not what is in a map that should be a text", `{spec: {labels: {a: {b: x}}}}`, false, 2},
		{"plain list", "a list that is no map is compared as a whole, unknown entries or not", `{spec: {size: 1, plain: [{b: x}, {}]}}`, true, 0},
		{"keyed list", "each item is found by its key", `{spec: {size: 1, keyed: [{k: x}, {k: z}]}}`, true, 0},
		{"keyed list, twice", "the second item has the first one as its old value", `{spec: {size: 1, keyed: [{k: x, a: a}, {k: x}]}}`, false, 2},
		{"keyed list, no key", "an item without its key has no old value", `{spec: {size: 1, keyed: [{a: a}, {k: x}]}}`, false, 1},
		{"keyed list, unknown", "the item has an entry that is not known, but is found", `{spec: {size: 1, keyed: [{k: x, inner: {c: x}}]}}`, false, 2},
		{"keyed list of texts", "what is no object is not found by a key", `{spec: {size: 1, keyed: [x]}}`, false, 1},
		{"a map for an integer", "which may have entries that are not known", `{spec: {size: {a: 1}}}`, false, 1},
		{"an empty map for an integer", "which has none", `{spec: {size: {}}}`, true, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			old := object(t, tt.object)
			v := compile(t, schema, declarative.Options{Root: true, Semantics: declarative.CustomResources})
			errs, unseen := shares(t, v, old, old)
			if len(errs) != tt.errors || unseen != tt.unseen {
				t.Errorf("%s: %d errors, wanted %d; not looked at: %t, wanted %t\n%q", tt.why, len(errs), tt.errors, unseen, tt.unseen, errs)
			}
			all := compile(t, schema, declarative.Options{Root: true, Semantics: declarative.CustomResources, Ratcheting: declarative.RatchetingOff})
			if errs, unseen := shares(t, all, old, old); len(errs) == 0 || unseen {
				t.Errorf("without ratcheting: not looked at: %t, %q", unseen, errs)
			}
		})
	}
	t.Run("kind", func(t *testing.T) {
		old := object(t, `{kind: {a: b}, metadata: {name: x}}`)
		v := compile(t, `{type: object, properties: {kind: {type: object, required: [b], properties: {a: {type: string}, b: {type: string}}}}}`, declarative.Options{Semantics: declarative.CustomResources})
		if errs, unseen := shares(t, v, old, old); len(errs) != 1 || unseen {
			t.Errorf("kind is converted, so that the API server cannot see its change: not looked at: %t, %q", unseen, errs)
		}
	})
	t.Run("one map at two places", func(t *testing.T) {
		m := map[string]any{"name": "b", "size": int64(1)}
		old := map[string]any{"status": m}
		v := compile(t, schema, declarative.Options{Root: true, Semantics: declarative.CustomResources})
		if errs := v.Validate(context.Background(), value.NewValueInterface(map[string]any{"spec": m, "status": m}), value.NewValueInterface(old)); len(errs) != 1 {
			t.Errorf("a field is not unchanged because another one was this map: %v", errs)
		}
	})
}

// TestSharedUnderRules: rules that look at what was not looked at run as ever.
func TestSharedUnderRules(t *testing.T) {
	for _, tt := range []struct{ why, schema, object string }{
		{"a rule of the root that fails on what does not fit",
			`{type: object, properties: {spec: {type: object, properties: {size: {type: integer, maximum: 5}}}}, x-kubernetes-validations: [{rule: "1 / (6 - self.spec.size) > 0"}]}`, `{spec: {size: 6}}`},
		{"a rule in the field",
			`{type: object, properties: {spec: {type: object, properties: {size: {type: integer, maximum: 5}}, x-kubernetes-validations: [{rule: "1 / (6 - self.size) > 0"}]}}}`, `{spec: {size: 6}}`},
		{"a transition rule",
			`{type: object, properties: {spec: {type: object, properties: {size: {type: integer}}, x-kubernetes-validations: [{rule: "self.size > oldSelf.size"}]}}}`, `{spec: {size: 6}}`},
	} {
		v := compile(t, tt.schema, declarative.Options{Root: true, Semantics: declarative.CustomResources})
		old := object(t, tt.object)
		if errs, _ := shares(t, v, old, old); len(errs) == 0 {
			t.Errorf("%s: no error", tt.why)
		}
	}
}
