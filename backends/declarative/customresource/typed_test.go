package customresource_test

import (
	"context"
	"strings"
	"testing"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/harness"
)

// typedGadget is a Go type like those of operators.
type typedGadget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Replicas int64  `json:"replicas,omitempty"`
		Typo     string `json:"typo,omitempty"`
	} `json:"spec,omitempty"`
}

func newTypedGadget(replicas int64) *typedGadget {
	g := &typedGadget{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "b"}}
	g.Spec.Replicas = replicas
	return g
}

// Go objects are handled like documents: defaulted, pruned and compared in every version.
func TestGoObjects(t *testing.T) {
	var seen []int64
	validate := native.Func[*typedGadget](func(_ context.Context, g, old *typedGadget) field.ErrorList {
		seen = append(seen, g.Spec.Replicas)
		if old != nil && g.Spec.Replicas < old.Spec.Replicas {
			return field.ErrorList{field.Invalid(field.NewPath("spec", "replicas"), g.Spec.Replicas, "must not shrink")}
		}
		return nil
	})
	second := strings.Replace(gadgets, "  versions:\n", "  versions:\n  - {name: v2, served: true, storage: false, schema: "+
		"{openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}\n", 1)
	misspelt := newTypedGadget(1)
	misspelt.Spec.Typo = "x"
	named := newTypedGadget(0)
	named.APIVersion, named.Kind = "example.dev/v1", "Gadget"
	for _, test := range []struct {
		why, definition string
		in              harness.Case
		seen            int64
		differences     int
		fault           string
	}{
		{"a default is filled in", gadgets, harness.Case{Object: newTypedGadget(0)}, 1, 0, ""},
		{"objects that only the schema rejects are a difference", gadgets, harness.Case{Object: newTypedGadget(101)}, 101, 1, ""},
		{"both objects of an update", gadgets, harness.Case{Object: newTypedGadget(2), Old: newTypedGadget(3)}, 2, 1, ""},
		{"a field that the schema does not have is pruned", gadgets, harness.Case{Object: misspelt}, 1, 0, ""},
		{"if there are several versions, none is guessed", second, harness.Case{Object: newTypedGadget(1)}, 0, 0,
			`a *customresource_test.typedGadget does not declare its version; set it once for all cases, as target.TypedVersion ` +
				`= "v1", or for one, as harness.Case{Version: schema.GroupVersionKind{Group: "example.dev", Version: "v1", Kind: ` +
				`"Gadget"}}; the versions are v1, v2`},
		{"the message names the version of the Go type's package", second, harness.Case{Object: &autoscalingv2.HorizontalPodAutoscaler{}},
			0, 0, `as target.TypedVersion = "v2", or for one, as harness.Case{Version: schema.GroupVersionKind{Group: "example.dev", ` +
				`Version: "v2", Kind: "Gadget"}}; the versions are v1, v2`},
		{"the case names the version", second, harness.Case{
			Object:  newTypedGadget(1),
			Version: schema.GroupVersionKind{Group: "example.dev", Version: "v1", Kind: "Gadget"},
		}, 1, 0, ""},
		{"the object names it", second, harness.Case{Object: named}, 1, 0, ""},
		{"a struct by value may be a mistake", gadgets, harness.Case{Object: *newTypedGadget(1)}, 0, 0, "or a pointer to its Go struct"},
		{"a pointer to nothing", gadgets, harness.Case{Object: (*typedGadget)(nil)}, 0, 0, "or a pointer to its Go struct"},
	} {
		seen = nil
		target, err := customresource.NewTarget([]byte(test.definition), validate, "v1")
		if test.definition == second {
			target, err = customresource.NewTarget([]byte(test.definition), validate)
		}
		if err != nil {
			t.Fatal(err)
		}
		both, err := harness.New(target, harness.Options{})
		if err != nil {
			t.Fatal(err)
		}
		results, err := both.Check(t.Context(), test.in)
		if err != nil {
			t.Fatal(err)
		}
		first := results[len(results)-1] // v1 is last
		if test.fault != "" {
			if first.Fault == nil || !strings.Contains(first.Fault.Error(), test.fault) {
				t.Errorf("%s: fault %v", test.why, first.Fault)
			}
			continue
		}
		if first.Fault != nil || len(seen) == 0 || seen[len(seen)-1] != test.seen || len(first.Differences()) != test.differences {
			t.Errorf("%s: the validator saw %v, differences %v, fault %v", test.why, seen, first.Differences(), first.Fault)
		}
	}
}

// A target declares once to which version its Go objects belong.
func TestTypedVersion(t *testing.T) {
	second := strings.Replace(gadgets, "  versions:\n", "  versions:\n  - {name: v2, served: true, storage: false, schema: "+
		"{openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}\n", 1)
	target, err := customresource.NewTarget([]byte(second),
		native.Func[*typedGadget](func(context.Context, *typedGadget, *typedGadget) field.ErrorList { return nil }))
	if err != nil {
		t.Fatal(err)
	}
	target.TypedVersion = "v1"
	named := newTypedGadget(101)
	named.APIVersion, named.Kind = "example.dev/v2", "Gadget"
	for _, test := range []struct {
		why  string
		in   harness.Case
		want int // differences in v1, which limits the replicas
	}{
		{"the object does not declare its version", harness.Case{Object: newTypedGadget(101)}, 1},
		{"both objects of an update", harness.Case{Object: newTypedGadget(102), Old: newTypedGadget(101)}, 1},
		{"the object declares a different version", harness.Case{Object: named}, 1},
		{"a document declares its own version",
			harness.Case{Object: map[string]any{"apiVersion": "example.dev/v2", "kind": "Gadget", "metadata": map[string]any{"name": "a"}}},
			0},
	} {
		both := harness.For(t, target)
		results, err := both.Check(t.Context(), test.in)
		if err != nil {
			t.Fatal(err)
		}
		if last := results[1]; last.Fault != nil || len(last.Differences()) != test.want {
			t.Errorf("%s: differences %v, fault %v", test.why, last.Differences(), last.Fault)
		}
	}
	target.TypedVersion = "v3"
	if _, err := harness.New(target, harness.Options{}); err == nil ||
		!strings.Contains(err.Error(), `it has no version "v3" for TypedVersion; its versions are v2, v1`) {
		t.Errorf("another version: %v", err)
	}
}

// A target that compares a single version needs no declaration, whatever its scheme converts.
func TestOneTypedVersion(t *testing.T) {
	second := strings.Replace(gadgets, "  versions:\n", "  versions:\n  - {name: v2, served: true, storage: false, schema: "+
		"{openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}\n", 1)
	target, err := customresource.NewTarget([]byte(second),
		native.Func[*typedGadget](func(context.Context, *typedGadget, *typedGadget) field.ErrorList { return nil }))
	if err != nil {
		t.Fatal(err)
	}
	target.Versions = target.Versions[1:] // the scheme has both
	results, err := harness.For(t, target).Check(t.Context(), harness.Case{Object: newTypedGadget(101)})
	if err != nil || len(results) != 1 || results[0].Fault != nil || len(results[0].Differences()) != 1 {
		t.Errorf("%+v, %v", results, err)
	}
}
