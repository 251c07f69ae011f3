package declarative_test

import (
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// TestKeywordsBehindReferences: a referenced schema has the same effect as in its place, even if there are
// keywords beside the reference.
func TestKeywordsBehindReferences(t *testing.T) {
	opts := declarative.Options{WithoutEstimation: true, Definitions: map[string]*spec.Schema{
		"Zero":  served.Schema(t, `{type: string, x-kubernetes-strip-zero: true}`),
		"Null":  served.Schema(t, `{type: string, nullable: true}`),
		"Zeros": served.Schema(t, `{type: object, properties: {s: {type: string, x-kubernetes-strip-zero: true}}}`),
		"Twice": served.Schema(t, `{$ref: "#/definitions/Zeros", properties: {other: {type: string}}}`),
		"Via":   served.Schema(t, `{type: object, properties: {s: {$ref: "#/definitions/Zero", maxLength: 5}}}`),
		"Others": served.Schema(t,
			`{type: object, additionalProperties: {type: string, x-kubernetes-strip-zero: true, maxLength: 2}}`),
		"List": served.Schema(t, `{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: ["n"],
		  items: {type: object, properties: {"n": {type: string}, size: {type: integer, maximum: 3}, note: {type: string}}}}`),
		"Name": served.Schema(t, `{type: string, maxLength: 3}`),
		"Meta": served.Schema(t, `{type: object, required: [name], properties: {name: {type: string, maxLength: 9}, note: {type: `+
			`string}}}`),
		"Props": served.Schema(t, `
type: object
properties:
  type: {type: string, enum: [object, string]}
  items: {$ref: "#/components/schemas/Props"}
  properties: {type: object, additionalProperties: {$ref: "#/definitions/Props"}}
  allOf: {type: array, items: {$ref: "#/definitions/Props"}}
x-kubernetes-validations: [{rule: "!has(self.items) || has(self.items.type)", message: items need a type, fieldPath: items}]`),
		"Joined": served.Schema(t, `{type: integer, allOf: [{x-kubernetes-validations: [{rule: self < 5, message: five}]}]}`),
	}}
	const beside = `
type: object
properties:
  name: {$ref: "#/definitions/Name", pattern: '^a', x-kubernetes-validations: [{rule: self != 'ab', message: ab}]}
  meta: {$ref: "#/definitions/Meta", nullable: true, properties: {name: {type: string, minLength: 2}}, ` +
		`x-kubernetes-validations: [{rule: self.name != 'abc' && !has(self.note), message: abc}]}
`
	for _, tt := range []wantedCase{
		{why: "a schema that contains itself", schema: `{$ref: "#/definitions/Props"}`,
			object: `{type: object, items: {items: {type: bad}}, properties: {a: {allOf: [{type: string, items: {}}]}}}`, want: []string{
				"x-kubernetes-validations FieldValueInvalid items items need a type",
				`enum FieldValueNotSupported items.items.type supported values: "object", "string"`,
				"x-kubernetes-validations FieldValueInvalid properties[a].allOf[0].items items need a type",
			}},
		{why: "both satisfied", schema: beside, object: `{name: ac, meta: {name: xx}}`},
		{why: "the keyword beside it", schema: beside, object: `{name: b}`,
			want: []string{"pattern FieldValueInvalid name name in body should match '^a'"}},
		{why: "the keyword in the reference", schema: beside, object: `{name: abcd}`,
			want: []string{"maxLength FieldValueTooLong name may not be more than 3 bytes"}},
		{why: "the rule beside it", schema: beside, object: `{name: ab}`,
			want: []string{"x-kubernetes-validations FieldValueInvalid name ab"}},
		{why: "nullable beside it", schema: beside, object: `{name: ac, meta: null}`},
		{why: "properties beside and in the reference", schema: beside, object: `{meta: {name: x}}`,
			want: []string{"minLength FieldValueInvalid meta.name meta.name in body should be at least 2 chars long"}},
		{why: "a property in the reference", schema: beside, object: `{meta: {name: abcdefghij}}`,
			want: []string{"maxLength FieldValueTooLong meta.name may not be more than 9 bytes"}},
		{why: "required in the reference", schema: beside, object: `{meta: {}}`, want: []string{"required FieldValueRequired meta.name "}},
		{why: "a rule over both", schema: beside, object: `{meta: {name: abc}}`,
			want: []string{"x-kubernetes-validations FieldValueInvalid meta abc"}},
		{why: "a zero is stripped", schema: `{type: object, required: [z], properties: {z: {$ref: "#/definitions/Zero", maxLength: 5}}}`,
			object: `{z: ""}`, want: []string{"required FieldValueRequired z "}},
		{why: "so are the zeros of fields", schema: `{$ref: "#/definitions/Zeros", required: [s]}`,
			object: `{s: ""}`, want: []string{"required FieldValueRequired s "}},
		{why: "and they do not count", schema: `{$ref: "#/definitions/Zeros", minProperties: 1}`,
			object: `{s: ""}`, want: []string{"minProperties FieldValueInvalid <nil>  in body should have at least 1 properties"}},
		{why: "after two references", schema: `{$ref: "#/definitions/Twice", required: [s], minProperties: 1}`,
			object: `{s: ""}`, want: []string{
				"minProperties FieldValueInvalid <nil>  in body should have at least 1 properties",
				"required FieldValueRequired s ",
			}},
		{why: "after one, and a different one in a field", schema: `{$ref: "#/definitions/Via", required: [s], minProperties: 1}`,
			object: `{s: ""}`, want: []string{
				"minProperties FieldValueInvalid <nil>  in body should have at least 1 properties",
				"required FieldValueRequired s ",
			}},
		{why: "zeros of other names", schema: `{$ref: "#/definitions/Others", required: [x]}`,
			object: `{x: ""}`, want: []string{"required FieldValueRequired x "}},
		{why: "zeros of other names, replaced", schema: `{type: object, required: [x], additionalProperties: {type: string, ` +
			`x-kubernetes-strip-zero: true}}`,
			object: `{x: ""}`, want: []string{"required FieldValueRequired x "}},
		{why: "null is accepted", schema: `{type: object, properties: {x: {$ref: "#/definitions/Null", maxLength: 3}}}`,
			object: `{x: null}`},
		{why: "fields that it declares are allowed", schema: `{$ref: "#/definitions/Zeros", additionalProperties: false}`,
			object: `{s: x}`},
		{why: "even if others are not", schema: `{$ref: "#/definitions/Zeros", additionalProperties: false}`,
			object: `{s: x, t: x}`, want: []string{"additionalProperties FieldValueInvalid <nil> .t in body is a forbidden property"}},
		{why: "null is accepted beside a type", schema: `{type: object, properties: {x: {$ref: "#/definitions/Null", type: ` +
			`string}, "y": {type: string}}}`, object: `{x: null, "y": 1}`,
			want: []string{`type FieldValueTypeInvalid y y in body must be of type string: "integer"`}},
		{why: "null is accepted beside a wrong value", schema: `{type: object, properties: {x: {$ref: "#/definitions/Null", ` +
			`maxLength: 3}, "y": {type: string}}}`, object: `{x: null, "y": 1}`,
			want: []string{`type FieldValueTypeInvalid y y in body must be of type string: "integer"`}},
		{why: "and nothing else", schema: `{$ref: "#/definitions/Zeros", additionalProperties: false}`,
			object: `{t: x}`, want: []string{"additionalProperties FieldValueInvalid <nil> .t in body is a forbidden property"}},
		{why: "items are found by their keys", schema: `{type: object, properties: {l: {$ref: "#/definitions/List", maxItems: 5}}}`,
			object: `{l: [{"n": b, size: 8, note: x}, {"n": a, size: 9}]}`, old: `{l: [{"n": a, size: 8}, {"n": b, size: 8}]}`,
			want: []string{"maximum FieldValueInvalid l[1].size l[1].size in body should be less than or equal to 3"}},
		{why: "entries by their names", schema: `{type: object, properties: {m: {$ref: "#/definitions/Others", maxProperties: 5}}}`,
			object: `{m: {a: long, b: longer}}`, old: `{m: {a: long, b: long}}`,
			want: []string{"maxLength FieldValueTooLong m[b] may not be more than 2 bytes"}},
		{why: "a rule of a branch is as old as the object of its value", schema: `{type: object, properties: {v: {$ref: ` +
			`"#/definitions/Joined", minimum: 1}, note: {type: string}}}`,
			object: `{v: 7, note: x}`, old: `{v: 7}`, want: []string{"x-kubernetes-validations FieldValueInvalid v five"}},
	} {
		tt.opts = opts
		tt.check(t)
	}
}

// TestRulesOfBranches: rules in a branch see a value as the schema around the branch declares it, and find
// its old value accordingly.
func TestRulesOfBranches(t *testing.T) {
	const list = `{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: ["n"], items: {type: object, ` +
		`properties: {"n": {type: string}, v: {type: integer}}}}`
	const small, grows = `x-kubernetes-validations: [{rule: self < 5, message: large}]`, `x-kubernetes-validations: [{rule: ` +
		`self >= oldSelf, message: shrank}]`
	for _, tt := range []wantedCase{
		{why: "items",
			schema: `{type: object, properties: {l: {type: array, items: {type: integer}}}, allOf: [{properties: {l: {items: {` + small +
				`}}}}]}`,
			object: `{l: [1, 9]}`, want: []string{"x-kubernetes-validations FieldValueInvalid l[1] large"}},
		{why: "entries",
			schema: `{type: object, properties: {m: {type: object, additionalProperties: {type: integer}}}, allOf: [{properties: ` +
				`{m: {additionalProperties: {` + small + `}}}}]}`,
			object: `{m: {x: 9, "y": 1}}`, want: []string{"x-kubernetes-validations FieldValueInvalid m[x] large"}},
		{why: "other names are no properties",
			schema: `{type: object, properties: {a: {type: integer}}, additionalProperties: {type: integer, ` + small + `}}`,
			object: `{a: 9, b: 9}`, want: []string{"x-kubernetes-validations FieldValueInvalid [b] large"}},
		{why: "a zero that is stripped", schema: `{type: object, properties: {s: {type: integer, x-kubernetes-strip-zero: true, ` +
			`x-kubernetes-validations: [{rule: self > 0}]}}}`, object: `{s: 0}`},
		{why: "a zero that is stripped around the branch", schema: `{type: object, properties: {s: {type: integer, ` +
			`x-kubernetes-strip-zero: true}}, allOf: [{properties: {s: {x-kubernetes-validations: [{rule: self > 0}]}}}]}`,
			object: `{s: 0}`},
		{why: "a field with a different name in the branch", schema: `{type: object, properties: {s: {type: integer, ` +
			`x-kubernetes-strip-zero: true}}, additionalProperties: {type: integer}, allOf: [{additionalProperties: ` +
			`{x-kubernetes-validations: [{rule: self > 0}]}}]}`,
			object: `{s: 0}`},
		{why: "old items by the keys around the branch",
			schema: `{type: object, properties: {l: ` + list + `}, allOf: [{properties: {l: {items: {properties: {v: {` + grows +
				`}}}}}}]}`,
			object: `{l: [{"n": b, v: 1}, {"n": a, v: 5}]}`, old: `{l: [{"n": a, v: 6}, {"n": b, v: 0}]}`,
			want: []string{"x-kubernetes-validations FieldValueInvalid l[1].v shrank"}},
		{why: "the same for a field with a different name in the branch, written as the branch does",
			schema: `{type: object, properties: {l: ` + list + `}, additionalProperties: ` + list +
				`, allOf: [{additionalProperties: {items: {properties: {v: {` + grows + `}}}}}]}`,
			object: `{l: [{"n": b, v: 1}, {"n": a, v: 5}]}`, old: `{l: [{"n": a, v: 6}, {"n": b, v: 0}]}`,
			want: []string{"x-kubernetes-validations FieldValueInvalid [l][1].v shrank"}},
		{why: "items of items",
			schema: `{type: object, properties: {l: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: ["n"], ` +
				`items: {type: object, properties: {"n": {type: string}, in: ` + list +
				`}}}}, allOf: [{properties: {l: {items: {properties: {in: {items: {` +
				`x-kubernetes-validations: [{rule: self.v >= oldSelf.v, message: shrank}]}}}}}}}]}`,
			object: `{l: [{"n": x, in: [{"n": b, v: 1}, {"n": a, v: 5}]}]}`, old: `{l: [{"n": "y"}, {"n": x, in: [{"n": a, v: 6}, ` +
				`{"n": b, v: 0}]}]}`,
			want: []string{"x-kubernetes-validations FieldValueInvalid l[0].in[1] shrank"}},
		{why: "a property that strips zeros only in its branch", schema: `{type: object, properties: {a: {type: string}}, not: ` +
			`{required: [b], properties: {b: {x-kubernetes-strip-zero: true}}}}`, object: `{b: ""}`},
		{why: "the same beside a wrong value", schema: `{type: object, properties: {a: {type: string}}, not: {required: [b], ` +
			`properties: {b: {x-kubernetes-strip-zero: true}}}}`, object: `{b: "", a: 1}`,
			want: []string{`type FieldValueTypeInvalid a a in body must be of type string: "integer"`}},
		{why: "a zero that is stripped around a branch that wants it", schema: `{type: object, properties: {a: {type: string}, ` +
			`s: {type: string, x-kubernetes-strip-zero: true}}, not: {required: [s]}}`, object: `{s: "", a: 1}`,
			want: []string{`type FieldValueTypeInvalid a a in body must be of type string: "integer"`}},
		{why: "in a field", schema: `{type: object, properties: {a: {type: string}, m: {type: object, properties: {s: {type: ` +
			`string, x-kubernetes-strip-zero: true}}}}, not: {properties: {m: {required: [s]}}}}`, object: `{m: {s: ""}, a: 1}`,
			want: []string{`type FieldValueTypeInvalid a a in body must be of type string: "integer"`}},
		{why: "in an item", schema: `{type: object, properties: {a: {type: string}, l: {type: array, items: {type: object, ` +
			`properties: {s: {type: string, x-kubernetes-strip-zero: true}}}}}, not: {properties: {l: {items: {required: [s]}}}}}`,
			object: `{l: [{s: ""}], a: 1}`,
			want:   []string{`type FieldValueTypeInvalid a a in body must be of type string: "integer"`}},
		{why: "a name that begins like that of an error does not explain one", schema: `{type: object, properties: {other: ` +
			`{type: string}, o: {type: object, properties: {r: {type: string}}, x-kubernetes-validations: [{rule: self.r == 'a', ` +
			`message: r}]}}}`,
			object: `{o: {}, other: 1}`,
			want: []string{
				`x-kubernetes-validations FieldValueInvalid o no such key: r evaluating rule: r`,
				`type FieldValueTypeInvalid other other in body must be of type string: "integer"`,
			}},
		{why: "nor does a rule explain a different one", schema: `{type: object, properties: {r: {type: string}}, ` +
			`x-kubernetes-validations: [{rule: 'false', message: "no"}, {rule: self.r == 'a', message: r}]}`,
			object: `{}`,
			want: []string{
				`x-kubernetes-validations FieldValueInvalid <nil> no`,
				`x-kubernetes-validations FieldValueInvalid <nil> no such key: r evaluating rule: r`,
			}},
	} {
		tt.check(t)
	}
}
