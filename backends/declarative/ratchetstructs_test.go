package declarative_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
)

type ratchetItem struct {
	Name string `json:"name,omitempty"`
	Size int    `json:"size,omitempty"`
}

// ratchetStruct is the Go type of a schema that does not declare Unknown.
type ratchetStruct struct {
	A       *string           `json:"a,omitempty"`
	B       *string           `json:"b,omitempty"`
	Unknown *string           `json:"unknown,omitempty"`
	Keyed   []ratchetItem     `json:"keyed,omitempty"`
	Free    map[string]string `json:"free,omitempty"`
}

// reorderedStruct has the fields of ratchetStruct in a different order.
type reorderedStruct struct {
	B *string `json:"b,omitempty"`
	A *string `json:"a,omitempty"`
}

// TestRatchetStructs: an update of Go objects with features that no built-in type has reports the same errors
// as an update of the same data. TestUnchangedRulesOfKinds checks the rest.
func TestRatchetStructs(t *testing.T) {
	const schema = `
type: object
properties:
  note: {type: string}
  spec:
    type: object
    minProperties: 2
    maxProperties: 2
    properties:
      a: {type: string, maxLength: 2}
      b: {type: string}
      keyed: {type: array, minItems: 3, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: ` +
		`object, properties: {name: {type: string}, size: {type: integer, maximum: 3}}}}
      free: {type: object, minProperties: 2, x-kubernetes-preserve-unknown-fields: true}
`
	type root struct {
		Spec any    `json:"spec,omitempty"`
		Note string `json:"note,omitempty"`
	}
	long, short := "long", "x"
	keyed := func(items ...ratchetItem) ratchetStruct { return ratchetStruct{B: &short, Keyed: items} }
	for _, tt := range []struct {
		why         string
		spec, old   any
		native, crd bool // valid with NativeTypes, and with CustomResources
	}{
		{"nothing changed", ratchetStruct{A: &long}, ratchetStruct{A: &long}, true, true},
		{"an unknown field, which may have changed", ratchetStruct{Unknown: &short}, ratchetStruct{Unknown: &short}, true, false},
		{"nor is a map of such objects", ratchetStruct{A: &short, Free: map[string]string{"a": "b"}},
			ratchetStruct{A: &short, Free: map[string]string{"a": "b"}}, true, false},
		{"a field fewer", ratchetStruct{A: &short}, ratchetStruct{A: &short, B: &short}, false, false},
		{"a different type with the same fields", ratchetStruct{A: &short}, reorderedStruct{A: &short}, true, true},
		{"and with others at their places", ratchetStruct{A: &long, B: &short}, reorderedStruct{A: &short, B: &long}, false, false},
		{"items by key in a different order", keyed(ratchetItem{"a", 9}, ratchetItem{"b", 0}),
			keyed(ratchetItem{"b", 0}, ratchetItem{"a", 9}), true, true},
		{"duplicate items, which no key distinguishes", keyed(ratchetItem{"a", 9}, ratchetItem{"a", 9}),
			keyed(ratchetItem{"a", 9}, ratchetItem{"a", 9}), true, true},
		{"duplicate items, one of which is new", keyed(ratchetItem{"a", 9}, ratchetItem{"a", 9}, ratchetItem{"b", 9}),
			keyed(ratchetItem{"a", 9}, ratchetItem{"a", 9}), false, false},
		{"items without a key", keyed(ratchetItem{"", 9}), keyed(ratchetItem{"", 9}), true, false},
	} {
		for semantics, valid := range map[declarative.Semantics]bool{declarative.NativeTypes: tt.native,
			declarative.CustomResources: tt.crd} {
			v := compile(t, schema, declarative.Options{Semantics: semantics})
			obj, old := &root{Spec: tt.spec, Note: "new"}, &root{Spec: tt.old, Note: "old"}
			got := lines(v.Validate(t.Context(), goValue(t, obj), goValue(t, old)))
			if d := cmp.Diff(lines(v.Validate(t.Context(), dataOf(t, obj), dataOf(t, old))), got); d != "" {
				t.Errorf("%s, semantics %d (-data +struct):\n%s", tt.why, semantics, d)
			}
			if (len(got) == 0) != valid {
				t.Errorf("%s, semantics %d: %v", tt.why, semantics, got)
			}
		}
	}
}

// TestRatchetItemsTwice: if two items have the same key, the old value of both is the first item of the old
// list. For the second item only the list itself can make a rule unchanged.
func TestRatchetItemsTwice(t *testing.T) {
	const schema = `
type: object
properties:
  note: {type: string}
  keyed:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name]
    items:
      type: object
      properties: {name: {type: string}, size: {type: integer}}
      x-kubernetes-validations: [{rule: '!has(self.size) || self.size <= 3', message: too large}]
`
	type root struct {
		Note  string        `json:"note,omitempty"`
		Keyed []ratchetItem `json:"keyed,omitempty"`
	}
	for _, tt := range []struct {
		why      string
		obj, old root
		native   bool // the rule is skipped with NativeTypes, never with CustomResources
	}{
		{"the list stays", root{"new", []ratchetItem{{"a", 1}, {"a", 9}}}, root{"old", []ratchetItem{{"a", 1}, {"a", 9}}}, true},
		{"the list has a different order", root{"", []ratchetItem{{"a", 9}, {"a", 1}}}, root{"", []ratchetItem{{"a", 1}, {"a", 9}}}, false},
		{"the list has one more item", root{"", []ratchetItem{{"a", 1}, {"a", 9}, {"b", 0}}}, root{"", []ratchetItem{{"a", 1}, {"a", 9}}},
			false},
	} {
		for semantics, silent := range map[declarative.Semantics]bool{declarative.NativeTypes: tt.native,
			declarative.CustomResources: false} {
			v := compile(t, schema, declarative.Options{Semantics: semantics})
			for form, update := range map[string][2]value.Value{
				"struct": {goValue(t, &tt.obj), goValue(t, &tt.old)},
				"data":   {dataOf(t, &tt.obj), dataOf(t, &tt.old)},
			} {
				got := v.Validate(t.Context(), update[0], update[1])
				failed := slices.ContainsFunc(got, func(e *field.Error) bool { return e.Detail == "too large" })
				if failed == silent {
					t.Errorf("%s, semantics %d, %s: %v", tt.why, semantics, form, got)
				}
			}
		}
	}
}
