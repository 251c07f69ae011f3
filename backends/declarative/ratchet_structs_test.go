package declarative_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/declarative"
)

// ratchetItem and ratchetStruct are Go types of a schema that does not declare Unknown.
type ratchetItem struct {
	Name string `json:"name,omitempty"`
	Note string `json:"note,omitempty"`
	Size *int64 `json:"size,omitempty"`
}

type ratchetStruct struct {
	A       *string                `json:"a,omitempty"`
	B       *string                `json:"b,omitempty"`
	Unknown *string                `json:"unknown,omitempty"`
	List    []ratchetItem          `json:"list,omitempty"`
	Keyed   []ratchetItem          `json:"keyed,omitempty"`
	Named   map[string]ratchetItem `json:"named,omitempty"`
	Texts   map[string]string      `json:"texts,omitempty"`
	Free    map[string]string      `json:"free,omitempty"`
}

// reorderedStruct has fields of ratchetStruct in another order.
type reorderedStruct struct {
	B *string `json:"b,omitempty"`
	A *string `json:"a,omitempty"`
}

type ratchetRoot struct {
	Spec any    `json:"spec,omitempty"`
	Note string `json:"note,omitempty"`
}

// TestRatchetStructs holds that an update of Go objects has the errors that an update of the
// same data has.
func TestRatchetStructs(t *testing.T) {
	const items = `{type: object, properties: {name: {type: string}, note: {type: string}, size: {type: integer, maximum: 3}}}`
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
      list: {type: array, minItems: 2, items: ` + items + `}
      keyed: {type: array, minItems: 3, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: ` + items + `}
      named: {type: object, minProperties: 2, additionalProperties: ` + items + `}
      texts: {type: object, minProperties: 2, additionalProperties: {type: string}}
      free: {type: object, minProperties: 2, x-kubernetes-preserve-unknown-fields: true}
`
	long, short, nine := "long", "x", int64(9)
	large := ratchetItem{Name: "a", Size: &nine}
	noted := ratchetItem{Name: "a", Size: &nine, Note: "x"}
	all := ratchetStruct{A: &long, List: []ratchetItem{large}, Keyed: []ratchetItem{large}, Named: map[string]ratchetItem{"a": large}, Texts: map[string]string{"a": "b"}}
	for _, tt := range []struct {
		why      string
		spec     any
		old      any
		unsound  bool // for NativeTypes
		rejected bool // by CustomResources
	}{
		{"nothing changed", all, all, false, false},
		{"an unknown field, which nobody can say is unchanged", ratchetStruct{Unknown: &short}, ratchetStruct{Unknown: &short}, false, true},
		{"nor what is in a map of such", ratchetStruct{A: &short, Free: map[string]string{"a": "b"}}, ratchetStruct{A: &short, Free: map[string]string{"a": "b"}}, false, true},
		{"a field fewer", ratchetStruct{A: &short}, ratchetStruct{A: &short, B: &short}, true, true},
		{"a field more", ratchetStruct{A: &short, B: &short, Texts: all.Texts}, ratchetStruct{A: &short, B: &short}, true, true},
		{"another text", ratchetStruct{A: &long}, ratchetStruct{A: &short}, true, true},
		{"another type with the same fields", ratchetStruct{A: &short}, reorderedStruct{A: &short}, false, false},
		{"and with others at their places", ratchetStruct{A: &long, B: &short}, reorderedStruct{A: &short, B: &long}, true, true},
		{"an item fewer", ratchetStruct{List: []ratchetItem{large}, B: &short}, ratchetStruct{List: []ratchetItem{large, large}, B: &short}, true, true},
		{"an item that changed", ratchetStruct{List: []ratchetItem{noted}, B: &short}, ratchetStruct{List: []ratchetItem{large}, B: &short}, true, true},
		{"an item by key that did not", ratchetStruct{Keyed: []ratchetItem{large, {Name: "b"}}, B: &short}, ratchetStruct{Keyed: []ratchetItem{{Name: "b"}, large}, B: &short}, false, false},
		{"an item by key that did", ratchetStruct{Keyed: []ratchetItem{large, noted}, B: &short}, ratchetStruct{Keyed: []ratchetItem{large, large}, B: &short}, true, true},
		{"items twice", ratchetStruct{Keyed: []ratchetItem{large, large}, B: &short}, ratchetStruct{Keyed: []ratchetItem{large, large}, B: &short}, true, false},
		{"items without a key", ratchetStruct{Keyed: []ratchetItem{{Size: &nine}}, B: &short}, ratchetStruct{Keyed: []ratchetItem{{Size: &nine}}, B: &short}, true, true},
		{"an entry fewer", ratchetStruct{Named: map[string]ratchetItem{"a": large}, B: &short}, ratchetStruct{Named: map[string]ratchetItem{"a": large, "b": large}, B: &short}, true, true},
		{"another entry", ratchetStruct{Named: map[string]ratchetItem{"a": noted}, B: &short}, ratchetStruct{Named: map[string]ratchetItem{"a": large}, B: &short}, true, true},
		{"another text in a map", ratchetStruct{Texts: map[string]string{"a": "b"}, B: &short}, ratchetStruct{Texts: map[string]string{"a": "c"}, B: &short}, true, true},
		{"the same texts", ratchetStruct{Texts: map[string]string{"a": "b"}, B: &short}, ratchetStruct{Texts: map[string]string{"a": "b"}, B: &short}, false, false},
	} {
		for _, semantics := range []declarative.Semantics{declarative.NativeTypes, declarative.CustomResources} {
			v := compile(t, schema, declarative.Options{Semantics: semantics})
			obj, old := &ratchetRoot{Spec: tt.spec, Note: "new"}, &ratchetRoot{Spec: tt.old, Note: "old"}
			got := lines(v.Validate(t.Context(), seen(t, obj), seen(t, old)))
			if d := cmp.Diff(lines(v.Validate(t.Context(), dataOf(t, obj), dataOf(t, old))), got); d != "" {
				t.Errorf("%s, semantics %d (-data +struct):\n%s", tt.why, semantics, d)
			}
			if wrong := map[declarative.Semantics]bool{declarative.NativeTypes: tt.unsound, declarative.CustomResources: tt.rejected}[semantics]; (len(got) > 0) != wrong {
				t.Errorf("%s, semantics %d: %v", tt.why, semantics, got)
			}
		}
	}
}
