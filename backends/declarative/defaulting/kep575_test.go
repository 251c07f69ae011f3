package defaulting_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/declarative/defaulting"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// The examples of KEP-575, and rows for its prose.
var examples = []struct {
	name, why    string
	schema       string
	object, want string
	served       string // with nulls as the API server keeps them, where that differs
}{{
	name: "1 undefined", why: "a field that is missing gets its default",
	schema: `{type: object, properties: {foo: {type: string, default: abc}}}`, object: `{}`, want: `{foo: abc}`,
}, {
	name: "2 defined", why: "a field that is there keeps its value",
	schema: `{type: object, properties: {foo: {type: string, default: abc}}}`, object: `{foo: def}`, want: `{foo: def}`,
}, {
	name: "3 array", why: "a missing list gets its default",
	schema: `{type: object, properties: {foo: {type: array, items: {type: integer}, default: [1]}}}`, object: `{}`, want: `{foo: [1]}`,
}, {
	name: "3 array that is null", why: "null is a value, which validation rejects; the API server replaces it",
	schema: `{type: object, properties: {foo: {type: array, items: {type: integer}, default: [1]}}}`, object: `{foo: null}`,
	want:   `{foo: null}`,
	served: `{foo: [1]}`,
}, {
	name: "3 empty array", why: "an empty list is a value",
	schema: `{type: object, properties: {foo: {type: array, items: {type: integer}, default: [1]}}}`, object: `{foo: []}`,
	want: `{foo: []}`,
}, {
	name: "4 top-down", why: "defaults are filled into a default too",
	schema: `{type: object, properties: {foo: {type: object, properties: {a: {type: string, default: abc}, b: {type: ` +
		`string}}, default: {b: def}}}}`,
	object: `{}`, want: `{foo: {a: abc, b: def}}`,
}, {
	name: "null where it is allowed", why: "a nullable field keeps its null both ways",
	schema: `{type: object, properties: {foo: {type: string, nullable: true, default: abc}}}`, object: `{foo: null}`, want: `{foo: null}`,
}, {
	name: "zero values", why: "zero numbers, false, empty strings and maps are values",
	schema: `{type: object, properties: {i: {type: integer, default: 5}, b: {type: boolean, default: true}, s: {type: string, default: x},
	  m: {type: object, default: {a: 1}, additionalProperties: {type: integer}}}}`,
	object: `{i: 0, b: false, s: "", m: {}}`, want: `{i: 0, b: false, s: "", m: {}}`,
}, {
	name: "items and values of a map", why: "their contents are defaulted; the API server replaces a null in their place",
	schema: `{type: object, properties: {l: {type: array, items: {type: object, default: {c: 2}, properties: {a: {type: ` +
		`integer, default: 1}, c: {type: integer}}}},
	  m: {type: object, additionalProperties: {type: object, default: {}, properties: {a: {type: integer, default: 1}}}}}}`,
	object: `{l: [{}, {a: 7}, null], m: {x: {}, z: null}}`,
	want:   `{l: [{a: 1}, {a: 7}, null], m: {x: {a: 1}, z: null}}`,
	served: `{l: [{a: 1}, {a: 7}, {a: 1, c: 2}], m: {x: {a: 1}, z: {a: 1}}}`,
}, {
	name: "wrong type", why: "a value of a different type is left to validation",
	schema: `{type: object, properties: {foo: {type: object, properties: {a: {type: string, default: abc}}}}}`,
	object: `{foo: [5]}`, want: `{foo: [5]}`,
}, {
	name: "absent parent", why: "the default inside of a missing field without a default is not used",
	schema: `{type: object, properties: {foo: {type: object, properties: {a: {type: string, default: abc}}}}}`, object: `{}`, want: `{}`,
}}

func TestExamplesOfTheProposal(t *testing.T) {
	for _, tt := range examples {
		t.Run(tt.name, func(t *testing.T) {
			for _, mode := range []struct {
				nulls defaulting.Nulls
				want  string
			}{{defaulting.KeepNulls, tt.want}, {defaulting.DefaultNulls, or(tt.served, tt.want)}} {
				before, obj := served.Object(t, tt.object), served.Object(t, tt.object)
				got := compile(t, served.Props(t, tt.schema), defaulting.Options{Nulls: mode.nulls}).Default(obj)
				if diff := cmp.Diff(served.Object(t, mode.want), got); diff != "" {
					t.Errorf("%s (nulls %d): want against got:\n%s", tt.why, mode.nulls, diff)
				}
				if diff := cmp.Diff(before, obj); diff != "" {
					t.Errorf("the object that came in was changed:\n%s", diff)
				}
			}
			checkServed(t, served.Props(t, tt.schema), served.Object(t, tt.object))
		})
	}
}

func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
