package declarative_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/served"
)

// TestProofOfMaps holds proofs against the walk on maps of few names and of many, those
// that are looked up and those that are visited, before and after the names that are
// mostly there were learned.
func TestProofOfMaps(t *testing.T) {
	for _, tt := range []struct{ why, extra string }{
		{"other names are not looked at", ""},
		{"other names are wrong", "additionalProperties: false"},
		{"other names are integers", "additionalProperties: {type: integer}"},
		{"one name is wanted", "required: [p0]"},
		{"one name is wanted and no other may be there", "required: [p0], additionalProperties: false"},
		{"a name is wanted that no property has", "required: [other]"},
		{"a name is wanted that may not be there", "required: [other], additionalProperties: false"},
		{"a name is wanted that is an integer", "required: [other], additionalProperties: {type: integer}"},
	} {
		for _, properties := range []int{1, 3, 8, 20, 60} {
			v := compile(t, "{type: object, properties: {"+textProperties(properties)+"}, "+tt.extra+"}", declarative.Options{})
			objects := mapsOf(properties)
			for round := range 2 {
				for name, obj := range objects {
					fits, sure := proves(t, v, obj, func() string { return fmt.Sprintf("%s, %d properties, round %d: %s", tt.why, properties, round, name) })
					if valid := v.Walked(value.NewValueInterface(obj)); sure && fits != valid || !sure {
						t.Errorf("%s, %d properties, round %d: %s: fits %t, sure %t", tt.why, properties, round, name, fits, sure)
					}
				}
				for range 300 {
					v.Proof(value.NewValueInterface(objects["the first"]))
				}
			}
		}
	}
}

// textProperties are properties of the type string.
func textProperties(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("p%d: {type: string}", i)
	}
	return strings.Join(all, ", ")
}

// mapsOf are objects with some of the properties, right and wrong, and with other names.
func mapsOf(properties int) map[string]map[string]any {
	all := map[string]any{}
	for i := range properties {
		all[fmt.Sprintf("p%d", i)] = "x"
	}
	with := func(of map[string]any, name string, x any) map[string]any {
		of = maps.Clone(of)
		of[name] = x
		return of
	}
	last := fmt.Sprintf("p%d", properties-1)
	first := map[string]any{"p0": "x"}
	return map[string]map[string]any{
		"nothing": {}, "the first": first, "the last": {last: "x"}, "all": all,
		"the first, wrong": {"p0": int64(1)}, "the last, wrong": {last: int64(1)}, "all, the last wrong": with(all, last, int64(1)),
		"another alone": {"other": "x"}, "another alone that is right": {"other": int64(1)}, "null": {"p0": nil},
		"the first and another": with(first, "other", "x"), "the first and another that is right": with(first, "other", int64(1)),
		"all and another": with(all, "other", "x"), "all and another that is right": with(all, "other", int64(1)),
		"several others": {"other": int64(1), "p": int64(1), "p00": int64(1), "": int64(1)},
	}
}

// TestProofOfZeros: a zero of each kind is not what is required where zeros are stripped,
// and is not looked at.
func TestProofOfZeros(t *testing.T) {
	for _, tt := range []struct {
		schema     string
		zero, some any
	}{
		{"{type: string, minLength: 2}", "", "ab"}, {"{type: integer, minimum: 2}", int64(0), int64(2)}, {"{type: number, minimum: 2}", 0.0, 2.5},
		{"{type: boolean, enum: [true]}", false, true}, {"{type: array, minItems: 1, items: {type: string}}", []any{}, []any{"a"}},
		{"{type: object, minProperties: 1, additionalProperties: {type: string}}", map[string]any{}, map[string]any{"a": "b"}},
	} {
		stripped := strings.TrimSuffix(tt.schema, "}") + ", x-kubernetes-strip-zero: true}"
		for _, row := range []struct {
			schema     string
			zero, some bool // whether it fits
		}{
			{"{type: object, required: [a], properties: {a: " + stripped + "}}", false, true},
			{"{type: object, properties: {a: " + stripped + "}}", true, true},
			{"{type: object, properties: {a: " + tt.schema + "}}", false, true},
		} {
			v := compile(t, row.schema, declarative.Options{})
			for _, of := range []struct {
				value any
				fits  bool
			}{{tt.zero, row.zero}, {tt.some, row.some}} {
				obj := map[string]any{"a": of.value}
				if fits, sure := proves(t, v, obj, func() string { return row.schema }); fits != of.fits || !sure {
					t.Errorf("%v in %s: fits %t, sure %t", of.value, row.schema, fits, sure)
				}
			}
		}
	}
}

// TestProofOfUnset: what Go leaves unset is null where a field has no omitempty. It is not
// there, unless the schema accepts null.
func TestProofOfUnset(t *testing.T) {
	type object struct {
		A *string        `json:"a"`
		L []string       `json:"l"`
		M map[string]any `json:"m"`
	}
	text := "x"
	unset, set := &object{}, &object{A: &text, L: []string{"x"}, M: map[string]any{"x": nil}}
	for _, tt := range []struct {
		why, schema string
		unset, set  bool // whether they fit
	}{
		{"nothing is wanted", "properties: {a: {type: string}, l: {type: array, items: {type: string}}, m: {type: object, additionalProperties: {type: string}}}", true, true},
		{"a null is a text of no length", "properties: {a: {type: string, minLength: 1}}", true, true},
		{"a name is wanted that is not declared", "required: [a]", false, true},
		{"a pointer is wanted", "required: [a], properties: {a: {type: string}}", false, true},
		{"a list is wanted", "required: [l], properties: {l: {type: array, items: {type: string}}}", false, true},
		{"a map is wanted", "required: [m], properties: {m: {type: object}}", false, true},
		{"null is accepted", "required: [a, l], properties: {a: {type: string, nullable: true}, l: {type: array, nullable: true, items: {type: string}}}", true, true},
		{"and is no value of an enum", "properties: {a: {type: string, nullable: true, enum: [x]}}", false, true},
		{"which it is not held against", "properties: {a: {type: string, enum: [x]}}", true, true},
		{"all other names are texts", "additionalProperties: {type: string}", true, false},
		{"no other name may be there", "additionalProperties: false, properties: {a: {type: string}, l: {type: array}}", false, false},
		{"zeros are stripped", "required: [a], properties: {a: {type: string, x-kubernetes-strip-zero: true}}", false, true},
	} {
		v := compile(t, "{type: object, "+tt.schema+"}", declarative.Options{})
		for obj, want := range map[*object]bool{unset: tt.unset, set: tt.set} {
			val := seen(t, obj)
			fits, sure := v.Proof(val)
			if walked := v.Walked(val); fits != want || walked != want || !sure {
				t.Errorf("%s: %+v fits %t (sure: %t), in the walk %t; want %t", tt.why, *obj, fits, sure, walked, want)
			}
		}
		entries := map[string]any{"a": nil, "l": nil, "m": nil}
		// In data that is no Go object a null is one, whatever the maps are.
		foreign := value.NewValueInterface(map[any]any{"a": nil})
		if fits, sure := v.Proof(foreign); sure && fits != v.Walked(foreign) {
			t.Errorf("%s: a null of data fits %t, in the walk %t", tt.why, fits, v.Walked(foreign))
		}
		if fits, _ := v.Proof(seen(t, &entries)); fits != tt.unset || v.Walked(seen(t, &entries)) != tt.unset {
			t.Errorf("%s: a map of nil fits %t, want %t", tt.why, fits, tt.unset)
		}
	}
}

// TestProofOfTwoTypes: what is asked of the fields of one Go type is not asked of another's.
func TestProofOfTwoTypes(t *testing.T) {
	type one struct {
		A string `json:"a"`
		N int    `json:"n"`
	}
	type other struct { // whose fields have other numbers
		More string `json:"A"`
		N    int    `json:"n"`
		A    string `json:"a"`
	}
	v := compile(t, `{type: object, properties: {a: {type: string, maxLength: 2}, "n": {type: integer, maximum: 3}}}`, declarative.Options{})
	for range 2 {
		for _, tt := range []struct {
			object any
			want   bool
		}{{&one{"ab", 3}, true}, {&other{"", 3, "ab"}, true}, {&one{"abc", 3}, false}, {&other{"", 4, "ab"}, false}, {&other{"", 3, "abc"}, false}, {&one{"ab", 4}, false}} {
			if fits, sure := v.Proof(seen(t, tt.object)); fits != tt.want || !sure {
				t.Errorf("%#v: fits %t, sure %t", tt.object, fits, sure)
			}
		}
	}
}

// TestProofBehindReferences: what a reference beside other keywords asks of a field of a
// struct is asked, though nothing is asked beside it.
func TestProofBehindReferences(t *testing.T) {
	v := compile(t, `{type: object, properties: {a: {$ref: "#/definitions/Short", nullable: true}}}`, declarative.Options{
		Definitions: map[string]*spec.Schema{"Short": served.Schema(t, `{type: string, maxLength: 2}`)},
	})
	for text, want := range map[string]bool{"ab": true, "abc": false} {
		obj := seen(t, &struct {
			A string `json:"a"`
		}{text})
		if fits, sure := v.Proof(obj); fits != want || !sure || v.Walked(obj) != want {
			t.Errorf("%s: fits %t, sure %t, in the walk %t", text, fits, sure, v.Walked(obj))
		}
	}
}

// TestProofOfRulesInBranches: that a value fits a branch says nothing where there are rules
// in it, which may refuse it.
func TestProofOfRulesInBranches(t *testing.T) {
	const rule = `{x-kubernetes-validations: [{rule: "self.a < 5"}]}`
	for _, tt := range []struct {
		schema string
		a      int64
		valid  bool
	}{
		{"anyOf: [" + rule + "]", 1, true}, {"anyOf: [" + rule + "]", 7, false},
		{"oneOf: [" + rule + ", {required: [b]}]", 1, true}, {"oneOf: [" + rule + ", {required: [b]}]", 7, false},
		{"not: " + rule, 1, false}, {"not: " + rule, 7, true},
		{"allOf: [" + rule + "]", 1, true}, {"allOf: [" + rule + "]", 7, false},
	} {
		v := compile(t, "{type: object, properties: {a: {type: integer}, b: {type: integer}}, "+tt.schema+"}", declarative.Options{})
		if errs := v.Validate(t.Context(), value.NewValueInterface(map[string]any{"a": tt.a}), nil); (len(errs) == 0) != tt.valid {
			t.Errorf("%s with %d: %v", tt.schema, tt.a, errs)
		}
	}
}
