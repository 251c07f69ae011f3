package controllerruntime_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/backends/native/controllerruntime"
	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/harness"
)

// colors is a defaulter.
type colors func(*Widget) error

func (d colors) Default(_ context.Context, object *Widget) error { return d(object) }

// customColors is one with the older interface.
type customColors colors

func (d customColors) Default(_ context.Context, object runtime.Object) error {
	return d(object.(*Widget))
}

func TestMutate(t *testing.T) {
	object := func(more map[string]any) map[string]any {
		all := map[string]any{
			"apiVersion": "example.com/v1",
			"kind":       "Widget",
			"metadata":   map[string]any{"name": "w"},
			"unknown":    "dropped",
			"size":       int64(1),
		}
		for key, value := range more {
			all[key] = value
		}
		return all
	}
	for _, tt := range []struct {
		why    string
		change colors
		want   map[string]any
		errs   field.ErrorList
		fault  string
	}{
		{"a default; fields that the Go type lacks stay", func(w *Widget) error { w.Color = "red"; return nil },
			object(map[string]any{"color": "red"}), nil, ""},
		{"a number stays a number", func(w *Widget) error {
			w.Size = 1 << 50
			return nil
		}, object(map[string]any{"size": int64(1 << 50)}), nil, ""},
		{"nothing to change", func(*Widget) error { return nil }, nil, nil, ""},
		{"a refusal", func(*Widget) error { return field.Required(field.NewPath("color"), "") }, nil,
			field.ErrorList{field.Required(field.NewPath("color"), "")}, ""},
		{"a panic", func(*Widget) error { panic("oh") }, nil, field.ErrorList{{
			Type: field.ErrorTypeInvalid, BadValue: field.OmitValueType{}, Detail: "panic: oh [recovered]",
			Origin: "admission/panic/github.com/diffrun/diffrun/backends/native/controllerruntime_test/mutator_test.go:63 " +
				"(controllerruntime_test.TestMutate.func6)",
		}}, ""},
	} {
		for name, mutator := range map[string]*controllerruntime.Mutator{
			"Defaulter":       controllerruntime.Defaulter(tt.change),
			"CustomDefaulter": controllerruntime.CustomDefaulter(&Widget{}, customColors(tt.change)),
		} {
			in := widgetInput(1)
			got, errs, fault := mutator.Mutate(t.Context(), in)
			if (fault == nil) != (tt.fault == "") || fault != nil && !strings.Contains(fault.Error(), tt.fault) {
				t.Errorf("%s, %s: fault %v", name, tt.why, fault)
			}
			if diff := cmp.Diff(tt.want, got) + cmp.Diff(tt.errs, errs); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", name, tt.why, diff)
			}
			if sent, err := in.Object.Unstructured(); err != nil || cmp.Diff(object(nil), sent) != "" {
				t.Errorf("%s, %s: the input was changed: %v, %v", name, tt.why, sent, err)
			}
		}
	}
}

// A patch that cannot be applied is a fault.
func TestBadPatches(t *testing.T) {
	jsonPatch := admission.PatchResponseFromRaw([]byte(`{}`), []byte(`{"a":1}`)).PatchType
	for _, tt := range []struct{ why, patch, want string }{
		{"not a patch", `{"a": 1}`, "the patch"},
		{"a path that is not there", `[{"op": "remove", "path": "/spec/none"}]`, "the patch"},
		{"no object left", `[{"op": "replace", "path": "", "value": 3}]`, "the patch"},
	} {
		handler := admission.HandlerFunc(func(context.Context, admission.Request) admission.Response {
			response := admission.Allowed("")
			response.Patch, response.PatchType = []byte(tt.patch), jsonPatch
			return response
		})
		if mutated, errs, fault := controllerruntime.MutatingHandler(handler).Mutate(t.Context(), widgetInput(1)); fault == nil ||
			!strings.Contains(fault.Error(), tt.want) || mutated != nil || len(errs) > 0 {
			t.Errorf("%s: %v, %v, fault %v", tt.why, mutated, errs, fault)
		}
	}
	fails := controllerruntime.Defaulter(colors(func(*Widget) error { return errors.New("not today") }))
	if _, errs, fault := fails.Mutate(t.Context(), widgetInput(1)); fault != nil || len(errs) != 1 || errs[0].Detail != "not today" {
		t.Errorf("errors %v, fault %v", errs, fault)
	}
}

// A defaulter is the mutating webhook of a world: the fields that it sets are validated.
func TestWorld(t *testing.T) {
	definition, err := customresource.ReadDefinition([]byte(widgetDefinition))
	if err != nil {
		t.Fatal(err)
	}
	grows := controllerruntime.Defaulter(colors(func(w *Widget) error { w.Size += 2; return nil }))
	target, err := world.NewTarget(
		world.World{
			Definition: definition,
			Mutate:     world.Mutating{Mutator: grows},
			Then:       []world.Validating{{Backend: controllerruntime.Validator(widgetValidator{})}},
		},
		world.World{Definition: definition},
	)
	if err != nil {
		t.Fatal(err)
	}
	for size, want := range map[int64]string{
		8:  "",                                   // the validator sees 10
		9:  "must be less than or equal to 10",   // the validator sees 11
		11: "should be less than or equal to 12", // the definition sees 13
	} {
		results, err := harness.For(t, target).Check(t.Context(),
			harness.Case{Object: &Widget{ObjectMeta: metav1.ObjectMeta{Name: "w", Namespace: "n"}, Size: size}})
		if err != nil || results[0].Fault != nil || results[0].Native.Fault != nil {
			t.Fatalf("%v, %v, %v", err, results[0].Fault, results[0].Native.Fault)
		}
		got := ""
		if errs := results[0].Native.Errors; len(errs) > 0 {
			got = errs[0].Detail
		}
		if !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("size %d: %v, want %q", size, results[0].Native.Errors, want)
		}
	}
}
