package declarative_test

import (
	"testing"

	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
)

// TestChangedInPlace validates an object again after it was changed in place. No result of the first
// validation may be reused.
func TestChangedInPlace(t *testing.T) {
	type object struct {
		M map[string]string `json:"m"`
	}
	for _, rule := range []string{
		"self.m.all(k, k != 'bad')",
		"self.m.all(k, k != 'bad') && size(self.m) > 0",
		"!('bad' in self.m) && size(self.m) > 0",
	} {
		v := compile(t,
			`{type: object, properties: {m: {type: object, additionalProperties: {type: string, maxLength: 3}}}, `+
				`x-kubernetes-validations: [{rule: "`+rule+`"}]}`,
			declarative.Options{WithoutEstimation: true})
		typed, entries := &object{M: map[string]string{"a": "1"}}, map[string]any{"a": "1"}
		data := map[string]any{"m": entries}
		for i, step := range []struct {
			add, remove string
			valid       bool
		}{{"a", "", true}, {"bad", "", false}, {"b", "bad", true}, {"bad", "a", false}, {"c", "bad", true}} {
			typed.M[step.add], entries[step.add] = "1", "1"
			delete(typed.M, step.remove)
			delete(entries, step.remove)
			for _, obj := range []value.Value{goValue(t, typed), value.NewValueInterface(data)} {
				if errs := v.Validate(t.Context(), obj, nil); (len(errs) == 0) != step.valid {
					t.Errorf("%s: step %d: valid is %t for %v: %v", rule, i, len(errs) == 0, entries, errs)
				}
			}
		}
	}
}
