package declarative_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/declarative"
)

// settledItem and settledStruct are Go types of a schema that does not declare Unknown.
type settledItem struct {
	Name string `json:"name,omitempty"`
	Note string `json:"note,omitempty"`
	Size *int64 `json:"size,omitempty"`
}

type settledStruct struct {
	A       *string                `json:"a,omitempty"`
	B       *string                `json:"b,omitempty"`
	Unknown *string                `json:"unknown,omitempty"`
	List    []settledItem          `json:"list,omitempty"`
	Keyed   []settledItem          `json:"keyed,omitempty"`
	Named   map[string]settledItem `json:"named,omitempty"`
	Texts   map[string]string      `json:"texts,omitempty"`
	Free    map[string]string      `json:"free,omitempty"`
}

// settledTurned has fields of settledStruct in another order.
type settledTurned struct {
	B *string `json:"b,omitempty"`
	A *string `json:"a,omitempty"`
}

type settledRoot struct {
	Spec any    `json:"spec,omitempty"`
	Note string `json:"note,omitempty"`
}

// TestSettledOfStructs holds that updates of Go objects are told what the same data is,
// which the API server is told. Nothing that is wrong is ratcheted with what changed.
func TestSettledOfStructs(t *testing.T) {
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
	large := settledItem{Name: "a", Size: &nine}
	noted := settledItem{Name: "a", Size: &nine, Note: "x"}
	all := settledStruct{A: &long, List: []settledItem{large}, Keyed: []settledItem{large}, Named: map[string]settledItem{"a": large}, Texts: map[string]string{"a": "b"}}
	for _, tt := range []struct {
		why      string
		spec     any
		old      any
		unsound  bool // for NativeTypes
		rejected bool // by CustomResources
	}{
		{"nothing changed", all, all, false, false},
		{"an unknown field, which nobody can say is unchanged", settledStruct{Unknown: &short}, settledStruct{Unknown: &short}, false, true},
		{"nor what is in a map of such", settledStruct{A: &short, Free: map[string]string{"a": "b"}}, settledStruct{A: &short, Free: map[string]string{"a": "b"}}, false, true},
		{"a field fewer", settledStruct{A: &short}, settledStruct{A: &short, B: &short}, true, true},
		{"a field more", settledStruct{A: &short, B: &short, Texts: all.Texts}, settledStruct{A: &short, B: &short}, true, true},
		{"another text", settledStruct{A: &long}, settledStruct{A: &short}, true, true},
		{"another type with the same fields", settledStruct{A: &short}, settledTurned{A: &short}, false, false},
		{"and with others at their places", settledStruct{A: &long, B: &short}, settledTurned{A: &short, B: &long}, true, true},
		{"an item fewer", settledStruct{List: []settledItem{large}, B: &short}, settledStruct{List: []settledItem{large, large}, B: &short}, true, true},
		{"an item that changed", settledStruct{List: []settledItem{noted}, B: &short}, settledStruct{List: []settledItem{large}, B: &short}, true, true},
		{"an item by key that did not", settledStruct{Keyed: []settledItem{large, {Name: "b"}}, B: &short}, settledStruct{Keyed: []settledItem{{Name: "b"}, large}, B: &short}, false, false},
		{"an item by key that did", settledStruct{Keyed: []settledItem{large, noted}, B: &short}, settledStruct{Keyed: []settledItem{large, large}, B: &short}, true, true},
		{"items twice", settledStruct{Keyed: []settledItem{large, large}, B: &short}, settledStruct{Keyed: []settledItem{large, large}, B: &short}, true, false},
		{"items without a key", settledStruct{Keyed: []settledItem{{Size: &nine}}, B: &short}, settledStruct{Keyed: []settledItem{{Size: &nine}}, B: &short}, true, true},
		{"an entry fewer", settledStruct{Named: map[string]settledItem{"a": large}, B: &short}, settledStruct{Named: map[string]settledItem{"a": large, "b": large}, B: &short}, true, true},
		{"another entry", settledStruct{Named: map[string]settledItem{"a": noted}, B: &short}, settledStruct{Named: map[string]settledItem{"a": large}, B: &short}, true, true},
		{"another text in a map", settledStruct{Texts: map[string]string{"a": "b"}, B: &short}, settledStruct{Texts: map[string]string{"a": "c"}, B: &short}, true, true},
		{"the same texts", settledStruct{Texts: map[string]string{"a": "b"}, B: &short}, settledStruct{Texts: map[string]string{"a": "b"}, B: &short}, false, false},
	} {
		for _, semantics := range []declarative.Semantics{declarative.NativeTypes, declarative.CustomResources} {
			v := compile(t, schema, declarative.Options{Semantics: semantics})
			obj, old := &settledRoot{Spec: tt.spec, Note: "new"}, &settledRoot{Spec: tt.old, Note: "old"}
			settles(t, v, seen(t, obj), seen(t, old), func() string { return tt.why })
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
