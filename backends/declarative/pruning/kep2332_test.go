package pruning_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/declarative/pruning"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// example is an example of KEP-2332. served is the result of the API server if it deviates.
type example struct {
	name, why     string
	schema        string
	object        string
	want, served  string
	dropped       []string
	droppedServed []string
}

var examples = []example{{
	name: "1 unspecified", why: "everything is pruned that no schema declares",
	schema: `{type: object}`,
	object: `{foo: 42, json: {bar: 43}}`, want: `{}`, dropped: []string{"foo", "json"},
}, {
	name: "2 properties at top-level", why: "the contents of a declared object are pruned too",
	schema: `{type: object, properties: {foo: {type: object}}}`,
	object: `{foo: {abc: 42}, json: {bar: 43}}`, want: `{foo: {}}`, dropped: []string{"foo.abc", "json"},
}, {
	name: "3 properties at multiple levels", why: "only declared fields stay at each level",
	schema: `{type: object, properties: {foo: {type: object, properties: {bar: {type: object}}}}}`,
	object: `{foo: {bar: {abc: 42}, def: 43}, json: {ghi: 44}}`, want: `{foo: {bar: {}}}`,
	dropped: []string{"foo.bar.abc", "foo.def", "json"},
}, {
	name: "4 additionalProperties with a schema", why: "keys of a map are not unknown fields, fields of its values are",
	schema: `{type: object, properties: {foo: {type: object, additionalProperties: {type: object}}}}`,
	object: `{foo: {abc: {x: 42}, def: {"y": 43}}, json: {ghi: 44}}`, want: `{foo: {abc: {}, def: {}}}`,
	dropped: []string{"foo.abc.x", "foo.def.y", "json"},
}, {
	name: "5 additionalProperties false", why: "false is a validation, so the keys stay for it to reject",
	schema: `{type: object, properties: {foo: {type: object, additionalProperties: false}}}`,
	object: `{foo: {abc: {x: 42}, def: {"y": 43}}, json: {ghi: 44}}`, want: `{foo: {abc: {}, def: {}}}`,
	dropped: []string{"foo.abc.x", "foo.def.y", "json"},
}, {
	name: "6 arbitrary JSON", why: "x-kubernetes-preserve-unknown-fields keeps all that is below",
	schema: `{type: object, properties: {json: {x-kubernetes-preserve-unknown-fields: true, nullable: true}}}`,
	object: `{foo: 42, json: {bar: {deep: [{x: 1}]}}}`, want: `{json: {bar: {deep: [{x: 1}]}}}`, dropped: []string{"foo"},
}, {
	name: "7 JSON with properties at the same level", why: "a declared field without properties does not start pruning again; " +
		"in the API server it does",
	schema: `{type: object, properties: {json: {type: object, x-kubernetes-preserve-unknown-fields: true, nullable: true,
	  properties: {bar: {type: object}}}}}`,
	object: `{foo: 42, json: {bar: {abc: 43}, def: 44}}`,
	want:   `{json: {bar: {abc: 43}, def: 44}}`, dropped: []string{"foo"},
	served: `{json: {bar: {}, def: 44}}`, droppedServed: []string{"foo", "json.bar.abc"},
}, {
	name: "8 JSON with properties at the same and lower levels", why: "properties start pruning again",
	schema: `{type: object, properties: {json: {type: object, x-kubernetes-preserve-unknown-fields: true, nullable: true,
	  properties: {bar: {type: object, properties: {inner: {type: integer}}}}}}}`,
	object: `{foo: 42, json: {bar: {inner: 43, abc: 44}, def: 45}}`,
	want:   `{json: {bar: {inner: 43}, def: 45}}`, dropped: []string{"foo", "json.bar.abc"},
}, {
	name: "9 additionalProperties within JSON", why: "the extension stays in effect in the values; in the API server it does not",
	schema: `{type: object, properties: {json: {type: object, x-kubernetes-preserve-unknown-fields: true, nullable: true,
	  additionalProperties: {type: object}}}}`,
	object: `{foo: 42, json: {bar: {inner: 43, abc: 44}, def: 45}}`,
	want:   `{json: {bar: {inner: 43, abc: 44}, def: 45}}`, dropped: []string{"foo"},
	served: `{json: {bar: {}, def: 45}}`, droppedServed: []string{"foo", "json.bar.abc", "json.bar.inner"},
}, {
	name: "10 embedded resource", why: "metadata of an embedded resource is pruned although the fields around it are not",
	schema: `{type: object, properties: {object: {type: object, nullable: true,
	  x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}}`,
	object: `{foo: 42, object: {bar: 43, abc: 44, metadata: {name: example, garbage: 45}}}`,
	want:   `{object: {bar: 43, abc: 44, metadata: {name: example}}}`, dropped: []string{"foo", "object.metadata.garbage"},
}, {
	name: "11 implicit type and metadata", why: "a resource's own apiVersion, kind and metadata need no schema",
	schema: `{type: object}`,
	object: `{apiVersion: example/v1, kind: Foo, metadata: {name: example, garbage: 43}, foo: 42}`,
	want:   `{apiVersion: example/v1, kind: Foo, metadata: {name: example}}`, dropped: []string{"foo", "metadata.garbage"},
}}

func TestExamplesOfTheProposal(t *testing.T) {
	for _, tt := range examples {
		t.Run(tt.name, func(t *testing.T) {
			opts := pruning.Options{Root: true, Preserving: pruning.PreservingDeep}
			checkPruned(t, tt, opts, tt.want, tt.dropped)
			opts.Preserving = pruning.PreservingOneLevel
			if tt.served == "" {
				checkPruned(t, tt, opts, tt.want, tt.dropped)
				return
			}
			if tt.served == tt.want {
				t.Error("served says what want says: leave it out")
			}
			checkPruned(t, tt, opts, tt.served, tt.droppedServed)
		})
	}
	if len(examples) != 11 {
		t.Errorf("%d examples; the proposal has 11", len(examples))
	}
}

func checkPruned(t *testing.T, tt example, opts pruning.Options, want string, dropped []string) {
	t.Helper()
	before, obj := served.Object(t, tt.object), served.Object(t, tt.object)
	got := compile(t, tt.schema, opts).Prune(obj)
	if diff := cmp.Diff(served.Object(t, want), got.Object); diff != "" {
		t.Errorf("%s: pruned object, want against got:\n%s", tt.why, diff)
	}
	if diff := cmp.Diff(dropped, got.Dropped); diff != "" {
		t.Errorf("%s: dropped paths, want against got:\n%s", tt.why, diff)
	}
	if len(got.Errors) > 0 {
		t.Errorf("%s: unexpected errors %v", tt.why, got.Errors)
	}
	if diff := cmp.Diff(before, obj); diff != "" {
		t.Errorf("the object that came in was changed:\n%s", diff)
	}
}
