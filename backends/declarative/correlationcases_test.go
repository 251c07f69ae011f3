package declarative_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
)

// correlated is a schema with values whose old values cannot be found by name alone, or not at all.
const correlated = `
type: object
properties:
  apiVersion: {type: string, maxLength: 3}
  note: {type: string}
  spec:
    type: object
    properties:
      apiVersion: {type: string, maxLength: 3}
      note: {type: string}
      labels: {type: object, minProperties: 1, maxProperties: 1, additionalProperties: {type: string}}
      set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
      few:
        type: array
        minItems: 2
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [name]
        items: &named {type: object, properties: {name: {type: string, nullable: true}, size: {type: integer, maximum: ` +
	`3}, note: {type: string}}}
      many: {type: array, maxItems: 1, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: *named}
      flags:
        type: array
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: ["on"]
        items: {type: object, properties: {"on": {type: boolean}, size: {type: integer, maximum: 3}, note: {type: string}}}
      ports:
        type: array
        maxItems: 1
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [port, protocol]
        items: {type: object, properties: {port: {type: integer}, protocol: {type: string}, size: {type: integer, maximum: ` +
	`3}, note: {type: string}}}
`

// embeddedBeside is a schema with an embedded resource and a set.
const embeddedBeside = `
type: object
properties:
  note: {type: string}
  resource:
    type: object
    x-kubernetes-embedded-resource: true
    properties: {apiVersion: {type: string}, kind: {type: string}, metadata: {type: object, properties: {labels: {type: ` +
	`object, additionalProperties: {type: string}}}}}
  set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
`

// junctorsOfRoot is a schema whose root has a junctor over a property.
const junctorsOfRoot = `
type: object
properties: {v: {type: integer}, note: {type: string}}
anyOf: [{properties: {v: {minimum: 10}}}, {properties: {v: {maximum: 1}}}]
`

// correlationCases are updates in which old values are hard to find.
func correlationCases() []differentialCase {
	const kind = `{type: object, properties: {kind: {type: string, x-kubernetes-validations: [{rule: self != 'Bad'}]}, note: ` +
		`{type: string}}}`
	return []differentialCase{
		{name: "rules on kind only", why: "count though nothing changed", schema: kind, object: `{kind: Bad}`, old: `{kind: Bad}`},
		{name: "apiVersion of the root", why: "cannot be ratcheted on its own", schema: correlated,
			object: `{apiVersion: long, note: x}`, old: `{apiVersion: long}`},
		{name: "apiVersion of a nested object", why: "is a field like others", schema: correlated, valid: true,
			object: `{spec: {apiVersion: long, note: x}}`, old: `{spec: {apiVersion: long}}`},
		{name: "a map that was a list", why: "an empty list does not equal an empty map", schema: correlated,
			object: `{spec: {labels: {}}}`, old: `{spec: {labels: []}}`},
		{name: "a list that was a map", why: "nothing is found in it", schema: correlated,
			object: `{spec: {few: [{name: a, size: 9}]}}`, old: `{spec: {few: {name: a, size: 9}}}`},
		{name: "an empty list that was a map", why: "is not the same as an empty map", schema: correlated,
			object: `{spec: {few: []}}`, old: `{spec: {few: {}}}`},
		{name: "a null that was a text", why: "is a value of a different kind", schema: correlated,
			object: `{spec: {note: null}}`, old: `{spec: {note: x}}`},
		{name: "fewer entries", why: "the map is different, although all its entries existed", schema: correlated,
			object: `{spec: {labels: {}}}`, old: `{spec: {labels: {a: x}}}`},
		{name: "other entries", why: "so it is with as many", schema: correlated,
			object: `{spec: {labels: {a: x, c: z}}}`, old: `{spec: {labels: {a: x, b: "y"}}}`},
		{name: "fewer items", why: "the list is different, although all its items existed", schema: correlated,
			object: `{spec: {few: [{name: a}]}}`, old: `{spec: {few: [{name: a}, {name: b}]}}`},
		{name: "an item that changed", why: "the list is different, although it has the same keys", schema: correlated,
			object: `{spec: {many: [{name: a, note: x}, {name: b}]}}`, old: `{spec: {many: [{name: a}, {name: b}]}}`},
		{name: "an item twice", why: "each item is in the old list, so the list counts as the old one; the duplicate is a separate error",
			schema: correlated,
			object: `{spec: {many: [{name: a}, {name: a}]}}`, old: `{spec: {many: [{name: a}, {name: b}]}}`},
		{name: "no key", why: "an item without its key has no old one", schema: correlated,
			object: `{spec: {many: [{size: 9, note: x}]}}`, old: `{spec: {many: [{size: 9}]}}`},
		{name: "a null key", why: "nor has one whose key is null", schema: correlated,
			object: `{spec: {many: [{name: null, size: 9, note: x}]}}`, old: `{spec: {many: [{name: null, size: 9}]}}`},
		{name: "a compound key", why: "nor one whose key is no scalar", schema: correlated,
			object: `{spec: {many: [{name: {a: b}, size: 9, note: x}]}}`, old: `{spec: {many: [{name: {a: b}, size: 9}]}}`},
		{name: "a boolean key", why: "is a scalar", schema: correlated, valid: true,
			object: `{spec: {flags: [{"on": true, size: 9, note: x}]}}`, old: `{spec: {flags: [{"on": false}, {"on": true, size: 9}]}}`},
		{name: "two keys", why: "all keys count", schema: correlated,
			object: `{spec: {ports: [{port: 1, protocol: UDP, size: 9}]}}`, old: `{spec: {ports: [{port: 1, protocol: TCP, size: 9}]}}`},
		{name: "two keys in a different order", why: "the list is the same", schema: correlated, valid: true,
			object: `{spec: {ports: [{port: 1, protocol: UDP}, {port: 1, protocol: TCP}], note: x}}`,
			old:    `{spec: {ports: [{port: 1, protocol: TCP}, {port: 1, protocol: UDP}]}}`},
		{name: "an embedded resource", why: "is not ratcheted in the API server", schema: embeddedBeside,
			object: `{resource: {kind: "-"}, note: x}`, old: `{resource: {kind: "-"}}`},
		{name: "metadata of an embedded resource", why: "nor is that", schema: embeddedBeside,
			object: `{resource: {apiVersion: v1, kind: Pod, metadata: {labels: {"-": x}}}, note: x}`,
			old:    `{resource: {apiVersion: v1, kind: Pod, metadata: {labels: {"-": x}}}}`},
		{name: "an embedded resource beside a duplicate", why: "nor by rules for lists", schema: embeddedBeside,
			object: `{resource: {kind: "-"}, set: [a, a, b]}`, old: `{resource: {kind: "-"}, set: [a, a]}`},
		{name: "a field named like one of the root", why: "has its own old value",
			schema: `{type: object, properties: {a: {type: integer, maximum: 3}, in: {type: object, properties: {a: {type: ` +
				`integer, maximum: 3}}}}}`,
			object: `{a: 9, in: {a: 9}}`, old: `{a: 9, in: {}}`},
		{name: "a junctor of the root", why: "fails at an unchanged field of a changed object", schema: junctorsOfRoot,
			object: `{v: 5, note: x}`, old: `{v: 5}`},
	}
}

// TestWithoutRatcheting: without ratcheting an update is validated as a create, regardless of the old object.
func TestWithoutRatcheting(t *testing.T) {
	for _, tt := range slices.Concat(updateCases(), correlationCases()) {
		for _, semantics := range []declarative.Semantics{declarative.NativeTypes, declarative.CustomResources} {
			v := compile(t, tt.schema, declarative.Options{Semantics: semantics, WithoutRatcheting: true})
			obj, old := object(t, tt.object), object(t, tt.old)
			want := lines(v.Validate(t.Context(), value.NewValueInterface(obj), nil))
			got := lines(v.Validate(t.Context(), value.NewValueInterface(obj), value.NewValueInterface(old)))
			if d := cmp.Diff(want, got); d != "" || len(want) == 0 {
				t.Errorf("%s, semantics %d (-create +update):\n%s", tt.name, semantics, d)
			}
		}
	}
}
