package declarative_test

import (
	"context"
	"testing"

	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/served"
)

// TestChangedInPlace validates one object again after it was changed where it is. Nothing
// of it may be remembered, whatever became of its rules the first time.
func TestChangedInPlace(t *testing.T) {
	type step struct {
		m     map[string]any // what the map holds
		valid bool
	}
	good, bad := map[string]any{"a": "1", "b": "1"}, map[string]any{"a": "1", "b": "1", "bad": "1"}
	many, badOfMany := map[string]any{"a": "1", "b": "1", "c": "1", "d": "1"}, map[string]any{"a": "1", "b": "1", "c": "1", "bad": "1"}
	for _, tt := range []struct {
		why, rule string
		steps     []step
	}{
		{"a rule that was proven", "self.m.all(k, k != 'bad')", []step{{good, true}, {bad, false}, {good, true}}},
		{"a rule that looked at all keys and was false, so that no plan proved anything", "self.m.all(k, k != 'bad') && size(self.m) > 3",
			[]step{{good, false}, {badOfMany, false}, {many, true}, {badOfMany, false}}},
		{"an entry that was read, not looked for", "!('bad' in self.m) && size(self.m) > 3", []step{{good, false}, {badOfMany, false}, {many, true}}},
		{"the same in a message", "self.m.a == '1' && size(self.m) > 3", []step{{good, false}, {many, true}, {map[string]any{"a": "2", "b": "1", "c": "1", "d": "1"}, false}}},
	} {
		v := compile(t, `{type: object, properties: {m: {type: object, maxProperties: 9, additionalProperties: {type: string, maxLength: 3}}}, x-kubernetes-validations: [{rule: "`+tt.rule+`"}]}`,
			declarative.Options{Semantics: declarative.CustomResources})
		m := map[string]any{}
		obj := map[string]any{"m": m}
		for i, step := range tt.steps {
			clear(m)
			for k, x := range step.m {
				m[k] = x
			}
			if errs := v.Validate(context.Background(), value.NewValueInterface(obj), nil); (len(errs) == 0) != step.valid {
				t.Errorf("%s: step %d: valid is %t for %v: %v", tt.why, i, len(errs) == 0, step.m, errs)
			}
		}
	}
}

// TestTypedChangedInPlace is the same for a Go object.
func TestTypedChangedInPlace(t *testing.T) {
	type object struct {
		M map[string]string `json:"m"`
	}
	v, err := declarative.Compile(served.Schema(t, `{type: object, properties: {m: {type: object, maxProperties: 9, additionalProperties: {type: string, maxLength: 3}}}, x-kubernetes-validations: [{rule: "self.m.all(k, self.m[k] != 'bad') && size(self.m) > 1"}]}`), declarative.Options{})
	if err != nil {
		t.Fatal(err)
	}
	obj := &object{M: map[string]string{"a": "1"}}
	for i, step := range []struct {
		key, text string
		valid     bool
	}{{"a", "2", false}, {"b", "bad", false}, {"b", "1", true}, {"a", "bad", false}, {"a", "1", true}} {
		obj.M[step.key] = step.text
		seen, err := value.NewValueReflect(obj)
		if err != nil {
			t.Fatal(err)
		}
		if errs := v.Validate(context.Background(), seen, nil); (len(errs) == 0) != step.valid {
			t.Errorf("step %d: valid is %t for %v: %v", i, len(errs) == 0, obj.M, errs)
		}
	}
}
