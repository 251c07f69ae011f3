package pruning_test

import (
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/diffrun/diffrun/backends/declarative/pruning"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/testing/randomschema"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// Behaviour of the API server beyond the examples of the proposal; each row is compared with its code.
var servedCases = []struct {
	name, why      string
	schema, object string
	unchanged      bool // the object must not change
}{{
	name: "items of a preserved list", why: "the extension reaches into items, and their declared fields are pruned again",
	schema: `{type: object, properties: {a: {type: array, x-kubernetes-preserve-unknown-fields: true,
	  items: {type: object, properties: {b: {type: object}}}}}}`,
	object: `{a: [{b: {c: 1}, d: {e: 1}}, 5, [{b: {c: 1}}]]}`,
}, {
	name: "lists without items", why: "objects in a list that no schema describes lose all fields",
	schema: `{type: object, properties: {a: {type: array}}}`, object: `{a: [{b: 1}, [{c: 1}], 2]}`,
}, {
	name: "wrong type", why: "a list instead of an object keeps its scalars and loses the fields of its items",
	schema: `{type: object, properties: {a: {type: object, properties: {b: {type: string}}}}}`, object: `{a: [{b: x}, y]}`,
}, {
	name: "additionalProperties beside the extension", why: "true and false prune the values",
	schema: `{type: object, properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true, additionalProperties: true}}}`,
	object: `{a: {b: {c: 1}, d: 2}}`,
}, {
	name: "null where it is not allowed", why: "null without default goes, and is no unknown field",
	schema: `{type: object, properties: {a: {type: string}, b: {type: string, nullable: true}, c: {type: string, default: x},
	  m: {type: object, additionalProperties: {type: string}}, l: {type: array, items: {type: string}},
	  p: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {q: {type: string}}}}}`,
	object: `{a: null, b: null, c: null, m: {x: null, "y": z}, l: [null], p: {q: null, r: null}, unknown: null}`,
}, {
	name: "null in maps that are preserved", why: "a map without properties loses it",
	schema: `{type: object, properties: {m: {type: object, x-kubernetes-preserve-unknown-fields: true,
	  additionalProperties: {type: object, x-kubernetes-preserve-unknown-fields: true}},
	  n: {type: object, x-kubernetes-preserve-unknown-fields: true,
	  additionalProperties: {type: object, nullable: true, x-kubernetes-preserve-unknown-fields: true}}}}`,
	object: `{m: {a: null, b: {c: null}}, n: {a: null, b: {c: null}}}`,
}, {
	name: "embedded resource in a list and a map", why: "keys are in brackets in reported metadata, and after a dot in reported fields",
	schema: `{type: object, properties: {l: {type: array, items: {type: object, x-kubernetes-embedded-resource: true, ` +
		`properties: {spec: {type: object}}}},
	  m: {type: object, additionalProperties: {type: object, x-kubernetes-embedded-resource: true, ` +
		`x-kubernetes-preserve-unknown-fields: true}}}}`,
	object: `{l: [{apiVersion: v1, kind: A, metadata: {name: a, color: red}, status: 1}],
	  m: {k.1: {apiVersion: v1, kind: A, metadata: {finalizers: [], labels: {a: b}, nested: {x: 1}}, more: {x: 1}}}}`,
}, {
	name: "declared metadata of an embedded resource", why: "null in it is dropped before it is coerced",
	schema: `{type: object, properties: {e: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true,
	  properties: {kind: {type: string}, metadata: {type: object, properties: {name: {type: string}, generateName: {type: ` +
		`string, nullable: true}}}}}}}`,
	object: `{e: {apiVersion: v1, kind: null, metadata: {name: null, generateName: null, labels: {}}}}`,
}, {
	name: "malformed metadata", why: "a request is rejected; unreadable fields of a stored object are dropped",
	schema: `{type: object, properties: {e: {type: object, x-kubernetes-embedded-resource: true, ` +
		`x-kubernetes-preserve-unknown-fields: true}}}`,
	object: `{metadata: {name: a, finalizers: 5}, e: {apiVersion: 1, kind: [], metadata: {name: 5, labels: {a: 1}, uid: x, color: red}}}`,
}, {
	name: "metadata that is no object", why: "an embedded one stays for validation, the object's own is refused",
	schema: `{type: object, properties: {e: {type: object, x-kubernetes-embedded-resource: true, ` +
		`x-kubernetes-preserve-unknown-fields: true}}}`,
	object: `{e: {apiVersion: v1, kind: A, metadata: []}}`,
}, {
	name: "root metadata that is no object", why: "it is rejected in every mode",
	schema: `{type: object}`, object: `{metadata: 5}`,
}, {
	name: "root kind that is no string", why: "it is rejected in every mode",
	schema: `{type: object}`, object: `{kind: 5}`,
}, {
	name: "root metadata null", why: "it is read as empty metadata",
	schema: `{type: object, properties: {metadata: {type: object}}}`, object: `{apiVersion: v1, kind: A, metadata: null}`,
}, {
	name: "metadata fields in other spellings", why: "times are written in UTC, empty fields are removed, owner references " +
		"get their required fields",
	schema: `{type: object}`,
	object: `{metadata: {creationTimestamp: "2024-01-02T03:04:05+02:00", deletionTimestamp: null, generation: 0, namespace: "",
	  labels: {a: null}, ownerReferences: [{kind: A}], managedFields: [{manager: m, fieldsV1: {f:a: {}, ".": {}}, time: ` +
		`"2024-01-02T03:04:05Z"}]}}`,
}, {
	name: "metadata that is canonical", why: "it comes back as it is", unchanged: true,
	schema: `{type: object}`,
	object: `{apiVersion: v1, kind: A, metadata: {name: a, generateName: a-, namespace: b, selfLink: s, uid: u, ` +
		`resourceVersion: "1", generation: 3,
	  creationTimestamp: "2024-01-02T03:04:05Z", deletionTimestamp: "2024-01-02T03:04:05Z", deletionGracePeriodSeconds: 0,
	  labels: {a: ""}, annotations: {b: c}, finalizers: [x],
	  ownerReferences: [{apiVersion: v1, kind: K, name: owner, uid: u, controller: true, blockOwnerDeletion: false}],
	  managedFields: [{manager: m, operation: Update, apiVersion: v1, time: "2024-01-02T03:04:05Z", fieldsType: FieldsV1, ` +
		`fieldsV1: {f:a: {}}, subresource: status}]}}`,
}, {
	name: "the extension at the root", why: "nothing is dropped but null and unknown metadata",
	schema: `{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object}}}`,
	object: `{a: {b: 1}, c: {d: 1}, metadata: {name: x, garbage: 1}}`,
}, {
	name: "a resource embedded in a resource", why: "both are coerced",
	schema: `{type: object, properties: {e: {type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: ` +
		`object, properties: {
	  template: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}}}}}}`,
	object: `{e: {apiVersion: v1, kind: A, metadata: {x: 1}, spec: {template: {apiVersion: v1, kind: B, metadata: {"y": 1}, z: 1}, u: 1}}}`,
}}

func TestAsTheAPIServer(t *testing.T) {
	for _, tt := range servedCases {
		t.Run(tt.name, func(t *testing.T) {
			p, obj := served.Props(t, tt.schema), served.Object(t, tt.object)
			checkServed(t, p, obj)
			if !tt.unchanged {
				return
			}
			if got := compileProps(t, p, pruning.Options{Root: true}).Prune(obj); len(got.Errors) > 0 {
				t.Error(got.Errors)
			}
			pruner := compileProps(t, p, pruning.Options{Root: true})
			if n := testing.AllocsPerRun(10, func() { pruner.Prune(obj) }); n != 0 {
				t.Errorf("%s: %v allocations although nothing changes", tt.why, n)
			}
		})
	}
	for _, tt := range examples {
		t.Run("KEP-2332 "+tt.name, func(t *testing.T) { checkServed(t, served.Props(t, tt.schema), served.Object(t, tt.object)) })
	}
}

var pairs = flag.Int("pruning.objects", 1500, "generated objects to hold against the API server's code")

func TestGeneratedAsTheAPIServer(t *testing.T) {
	changed := 0
	for seed := range uint64(*pairs) {
		src := generate.Seeded(seed)
		p := randomschema.Make(src, randomschema.Options{WithoutRules: true, Unadmitted: true})
		obj := generate.Object(src, p, generate.ObjectOptions{Faults: 4})
		spoil(src, obj)
		if !t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) { checkServed(t, p, obj) }) {
			return
		}
		if len(compileProps(t, p, pruning.Options{Root: true}).Prune(obj).Dropped) > 0 {
			changed++
		}
	}
	if changed < *pairs/4 {
		t.Errorf("only %d of %d objects had anything to prune", changed, *pairs)
	}
}

// TestRealCRDs prunes objects of CustomResourceDefinitions that are stored outside of the repository.
func TestRealCRDs(t *testing.T) {
	for _, name := range served.Definitions(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			p := served.Stored(t, name)
			for seed := range uint64(12) {
				src := generate.Seeded(seed)
				obj := generate.Object(src, p, generate.ObjectOptions{Faults: 6, Values: 120})
				spoil(src, obj)
				checkServed(t, p, obj)
			}
		})
	}
}

// spoil adds undeclared fields and nulls in some places.
func spoil(src generate.Source, v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if name == "kind" || name == "apiVersion" {
				continue
			}
			spoil(src, v[name])
		}
		if src.IntN(4) == 0 {
			v["unknown"] = map[string]any{"x": []any{map[string]any{"y": int64(1)}}}
		}
		if src.IntN(6) == 0 {
			v["empty"] = nil
		}
	case []any:
		for _, item := range v {
			spoil(src, item)
		}
	}
}
