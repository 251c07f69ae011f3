package converter_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/diffrun/diffrun/internal/gomodule/capture/converter"
	"github.com/diffrun/diffrun/internal/gomodule/capture/recorder"
)

// Widget is internal: its fields have no JSON tags.
type Widget struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec WidgetSpec
	// Lost does not exist in the external version.
	Lost int
}

type WidgetSpec struct{ Size int }

func (w *Widget) DeepCopyObject() runtime.Object { c := *w; return &c }

// WidgetV1 is the external version.
type WidgetV1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              WidgetSpecV1 `json:"spec"`
}

type WidgetSpecV1 struct {
	Size int `json:"size"`
}

func (w *WidgetV1) DeepCopyObject() runtime.Object { c := *w; return &c }

func addToScheme(scheme *runtime.Scheme) error {
	v1 := schema.GroupVersion{Group: "example.com", Version: "v1"}
	scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.com", Version: runtime.APIVersionInternal, Kind: "Widget"},
		&Widget{})
	scheme.AddKnownTypeWithName(v1.WithKind("Widget"), &WidgetV1{})
	spec := func(a, b any) { b.(*WidgetSpecV1).Size = a.(*WidgetSpec).Size }
	scheme.AddTypeDefaultingFunc(&WidgetV1{}, func(a any) {
		if w := a.(*WidgetV1); w.Name == "defaulted" {
			w.Spec.Size = 3
		}
	})
	return errors.Join(
		scheme.SetVersionPriority(v1),
		scheme.AddConversionFunc((*Widget)(nil), (*WidgetV1)(nil), func(a, b any, _ conversion.Scope) error {
			from, to := a.(*Widget), b.(*WidgetV1)
			to.ObjectMeta = from.ObjectMeta
			spec(&from.Spec, &to.Spec)
			return nil
		}),
		scheme.AddConversionFunc((*WidgetV1)(nil), (*Widget)(nil), func(a, b any, _ conversion.Scope) error {
			from, to := a.(*WidgetV1), b.(*Widget)
			to.ObjectMeta, to.Spec.Size = from.ObjectMeta, from.Spec.Size
			return nil
		}),
		scheme.AddConversionFunc((*WidgetSpec)(nil), (*WidgetSpecV1)(nil),
			func(a, b any, _ conversion.Scope) error { spec(a, b); return nil }),
		scheme.AddConversionFunc((*WidgetSpecV1)(nil), (*WidgetSpec)(nil), func(a, b any, _ conversion.Scope) error {
			b.(*WidgetSpec).Size = a.(*WidgetSpecV1).Size
			return nil
		}),
	)
}

type options struct {
	Max    int
	hidden int
}

// validateUpdate takes the old object first.
func validateUpdate(_ context.Context, old, w *Widget, path *field.Path, opts options) field.ErrorList {
	var errs field.ErrorList
	if w.Spec.Size > opts.Max+opts.hidden {
		errs = append(errs, field.Invalid(path.Child("size"), w.Spec.Size, "too big"))
	}
	if old != nil && old.Spec.Size != w.Spec.Size {
		errs = append(errs, field.Forbidden(path.Child("size"), "immutable"))
	}
	if w.Lost > 0 {
		errs = append(errs, field.Forbidden(field.NewPath("lost"), ""))
	}
	return errs
}

func validateSpec(spec WidgetSpec) *field.Error { return nil }

func TestRun(t *testing.T) {
	const pkg = "github.com/diffrun/diffrun/internal/gomodule/capture/converter_test."
	tooBig := recorder.Error{Type: "FieldValueInvalid", Field: "spec.size", Detail: "too big", BadValue: json.RawMessage("3")}
	immutable := recorder.Error{Type: "FieldValueForbidden", Field: "spec.size", Detail: "immutable", BadValue: json.RawMessage(`""`)}
	arguments := map[string]json.RawMessage{"path": json.RawMessage(`"spec"`), "opts": json.RawMessage(`{"Max":2,"hidden":0}`)}
	hidden := map[string]json.RawMessage{"path": json.RawMessage(`"spec"`), "opts": json.RawMessage(`{"Max":2,"hidden":1}`)}
	for _, tt := range []struct {
		why, object   string // the document
		line          recorder.Line
		failed, cause string
	}{
		{why: "an update", object: `{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"a"},"spec":{"size":3}}`,
			line: recorder.Line{
				Function: "v.ValidateUpdate", Type: pkg + "Widget", Object: json.RawMessage(`{"name":"a","Spec":{"Size":3}}`),
				Old:       json.RawMessage(`{"Spec":{"Size":1}}`),
				Arguments: arguments, Errors: []recorder.Error{tooBig, immutable},
			}},
		{why: "a part by value", object: `{"size":3}`, line: recorder.Line{
			Function: "v.ValidateSpec",
			Type:     pkg + "WidgetSpec",
			Part:     true,
			Object:   json.RawMessage(`{"Size":3}`),
		}},
		{why: "other errors", cause: "unknown: the validator does not return FieldValueForbidden at spec.size: immutable",
			line: recorder.Line{
				Function: "v.ValidateUpdate", Type: pkg + "Widget", Object: json.RawMessage(`{"Spec":{"Size":3}}`),
				Arguments: arguments, Errors: []recorder.Error{tooBig, immutable},
			}},
		{why: "fields that a conversion loses", cause: "conversion: without it, the recorded errors come back", line: recorder.Line{
			Function: "v.ValidateUpdate", Type: pkg + "Widget", Object: json.RawMessage(`{"Lost":1}`), Arguments: arguments,
			Errors: []recorder.Error{{Type: "FieldValueForbidden", Field: "lost"}},
		}},
		{why: "defaults", cause: "defaults: with the defaults of the scheme, the recorded errors come back", line: recorder.Line{
			Function: "v.ValidateUpdate", Type: pkg + "Widget", Object: json.RawMessage(`{"name":"defaulted"}`),
			Arguments: arguments, Errors: []recorder.Error{tooBig},
		}},
		{why: "an option that is not recorded and not asked for", line: recorder.Line{
			Function:   "v.ValidateUpdate",
			Type:       pkg + "Widget",
			Object:     json.RawMessage(`{}`),
			Arguments:  arguments,
			Unrecorded: []string{"opts.F: a func"},
		}},
		{why: "an option that is not recorded", cause: "options: not recorded is opts.Max: a func", line: recorder.Line{
			Function: "v.ValidateUpdate", Type: pkg + "Widget", Object: json.RawMessage(`{"Spec":{"Size":3}}`),
			Unrecorded: []string{"opts.Max: a func"},
		}},
		{why: "options that are not exported", cause: "options: opts: hidden",
			line: recorder.Line{Function: "v.ValidateUpdate", Type: pkg + "Widget", Object: json.RawMessage(`{}`), Arguments: hidden}},
		{why: "feature gates", cause: "gates: they cannot be set", line: recorder.Line{
			Function:  "v.ValidateUpdate",
			Type:      pkg + "Widget",
			Object:    json.RawMessage(`{}`),
			Arguments: arguments,
			Gates:     map[string]bool{"A": true},
		}},
		{why: "a method", cause: "function: ", line: recorder.Line{
			Function: "v.T.Validate",
			Type:     pkg + "Widget",
			Object:   json.RawMessage(`{}`),
		}},
		{why: "a different type", failed: "the scheme does not know the Go type p.T",
			line: recorder.Line{Type: "p.T", Object: json.RawMessage(`{}`)}},
		{why: "no such object", failed: "the recorded object is not a",
			line: recorder.Line{Type: pkg + "Widget", Object: json.RawMessage(`[]`)}},
	} {
		program := converter.Program{Schemes: []any{addToScheme}, Functions: map[string]converter.Function{
			"v.ValidateUpdate": {Call: validateUpdate, Parameters: []string{"ctx", "old", "w", "path", "opts"}, Old: true},
			"v.ValidateSpec":   {Call: validateSpec, Parameters: []string{"spec"}},
		}}
		var in, out bytes.Buffer
		if err := json.NewEncoder(&in).Encode(tt.line); err != nil {
			t.Fatal(err)
		}
		if err := program.Run(&in, &out); err != nil {
			t.Fatal(err)
		}
		var answer converter.Answer
		if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		if tt.failed != "" || answer.Failed != "" {
			if tt.failed == "" || !strings.HasPrefix(answer.Failed, tt.failed) {
				t.Errorf("%s: it failed: %s", tt.why, answer.Failed)
			}
			continue
		}
		if tt.object != "" && string(answer.Object) != tt.object {
			t.Errorf("%s: the document is %s", tt.why, answer.Object)
		}
		if !strings.HasPrefix(answer.Differs, tt.cause) || answer.Replayed != (tt.cause == "") {
			t.Errorf("%s: replayed %t, %s", tt.why, answer.Replayed, answer.Differs)
		}
	}
	installs := func(scheme *runtime.Scheme) {
		if err := addToScheme(scheme); err != nil {
			t.Error(err)
		}
	}
	var out bytes.Buffer
	in := `{"type":"` + pkg + `Widget","object":{"name":"a"}}`
	if err := (&converter.Program{Schemes: []any{installs}}).Run(strings.NewReader(in), &out); err != nil ||
		!strings.Contains(out.String(), `"group":"example.com","version":"v1","kind":"Widget"`) {
		t.Errorf("a function without an error: %v, %s", err, out.String())
	}
	if err := (&converter.Program{Schemes: []any{"x"}}).Run(strings.NewReader(""), io.Discard); err == nil ||
		!strings.Contains(err.Error(), "AddToScheme") {
		t.Errorf("what is no scheme: %v", err)
	}
}
