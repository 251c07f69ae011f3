package customresource_test

import (
	"strings"
	"testing"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/harness"
)

// TestNewTarget: one line of a test binds every served version, or the named ones.
func TestNewTarget(t *testing.T) {
	nothing := native.Func[*Gadget](validateGadget)
	target, err := customresource.NewTarget([]byte(gadgets), nothing)
	if err != nil {
		t.Fatal(err)
	}
	// Strict decoding into a Gadget would reject the unknown field if it were not pruned.
	object := map[string]any{
		"apiVersion": "example.dev/v1",
		"kind":       "Gadget",
		"metadata":   map[string]any{"name": "a", "namespace": "b"},
		"spec":       map[string]any{"unknown": true},
	}
	if errs := harness.For(t, target).Test(t, harness.Case{Object: object}); len(errs) > 0 {
		t.Errorf("the hand-written errors: %v", errs)
	}
	two := strings.Replace(gadgets, "  versions:", "  versions:\n  - {name: v2, served: true, storage: false, schema: "+
		"{openAPIV3Schema: {type: object}}}\n  - {name: v0, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}", 1)
	for _, tt := range []struct {
		why      string
		versions []string
		want     string
	}{
		{"those that are served, in their order", nil, "v2 v1"},
		{"those that are named", []string{"v1", "v0"}, "v1 v0"},
	} {
		target, err := customresource.NewTarget([]byte(two), nothing, tt.versions...)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, v := range target.Versions {
			got = append(got, v.Version)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %v", tt.why, got)
		}
	}
}

func TestNewTargetMistakes(t *testing.T) {
	for _, tt := range []struct {
		why, crd string
		native   harness.Backend
		versions []string
		want     []string
	}{
		{"no validator", gadgets, nil, nil, []string{"the hand-written validator is missing"}},
		{"a different version", gadgets, native.Func[*Gadget](validateGadget), []string{"v7"},
			[]string{`CustomResourceDefinition:9: there is no version "v7" with a schema; there are v1`}},
		{"mistakes of the schema", strings.Replace(gadgets, "minimum: 0", `pattern: "(", minimum: 0, x-kubernetes-validations: `+
			`[{rule: "self +"}]`, 1), native.Func[*Gadget](validateGadget), nil,
			[]string{
				"CustomResourceDefinition:21: the schema does not compile: properties[spec].properties[replicas].pattern",
				"x-kubernetes-validations[0].rule",
			}},
		{"no definition", "kind: Pod", native.Func[*Gadget](validateGadget), nil, []string{"expected a CustomResourceDefinition"}},
	} {
		_, err := customresource.NewTarget([]byte(tt.crd), tt.native, tt.versions...)
		for _, want := range tt.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: want %q in %v", tt.why, want, err)
			}
		}
	}
}
