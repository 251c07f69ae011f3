package declarative_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
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
