package controllerruntime_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/diffrun/diffrun/backends/native/controllerruntime"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	reviews "github.com/diffrun/diffrun/internal/admission"
)

var widgetV1 = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}

// Widget is a resource as kubebuilder scaffolds it.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Size              int64  `json:"size,omitempty"`
	Color             string `json:"color,omitempty"`
}

func (w *Widget) DeepCopyObject() runtime.Object {
	if w == nil {
		return nil
	}
	copied := *w
	w.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	return &copied
}

// widgets is a validator whose errors a function makes.
type widgets func(ctx context.Context, object, old *Widget) error

func (v widgets) ValidateCreate(ctx context.Context, object *Widget) (admission.Warnings, error) {
	return admission.Warnings{"created"}, v(ctx, object, nil)
}

func (v widgets) ValidateUpdate(ctx context.Context, old, object *Widget) (admission.Warnings, error) {
	return nil, v(ctx, object, old)
}

func (v widgets) ValidateDelete(ctx context.Context, object *Widget) (admission.Warnings, error) {
	return nil, v(ctx, nil, object)
}

// custom is the same with the older interface.
type custom widgets

func (v custom) ValidateCreate(ctx context.Context, object runtime.Object) (admission.Warnings, error) {
	return widgets(v).ValidateCreate(ctx, object.(*Widget))
}

func (v custom) ValidateUpdate(ctx context.Context, old, object runtime.Object) (admission.Warnings, error) {
	return widgets(v).ValidateUpdate(ctx, old.(*Widget), object.(*Widget))
}

func (v custom) ValidateDelete(ctx context.Context, object runtime.Object) (admission.Warnings, error) {
	return widgets(v).ValidateDelete(ctx, object.(*Widget))
}

func widgetInput(size int64) *harness.Input {
	return &harness.Input{
		Request: harness.Request{Version: widgetV1, Resource: widgetV1.GroupVersion().WithResource("widgets"),
			Operation: admissionv1.Create},
		Object: contract.NewView(map[string]any{
			"apiVersion": "example.com/v1",
			"kind":       "Widget",
			"metadata":   map[string]any{"name": "w"},
			"size":       size,
			"unknown":    "dropped",
		}),
	}
}

// The errors of a validator arrive in whatever form they are returned, from every kind of validator.
func TestErrors(t *testing.T) {
	size, color := field.NewPath("size"), field.NewPath("color")
	list := field.ErrorList{field.Invalid(size, int64(-1), "too small"), field.Required(color, "")}
	text := func(detail string) field.ErrorList {
		return field.ErrorList{{Type: field.ErrorTypeInvalid, BadValue: field.OmitValueType{}, Detail: detail, Origin: reviews.OriginText}}
	}
	for _, tt := range []struct {
		why  string
		err  error
		want field.ErrorList
	}{
		{"none", nil, nil},
		{"an aggregate keeps its values", list.ToAggregate(), list},
		{"one error", list[0], list[:1]},
		{"a status with causes", apierrors.NewInvalid(widgetV1.GroupKind(), "w", list), list},
		{"a status that was wrapped", fmt.Errorf("widget: %w", apierrors.NewInvalid(widgetV1.GroupKind(), "w", list)), list},
		{"a status with only a text", apierrors.NewForbidden(schema.GroupResource{Resource: "widgets"}, "w", errors.New("not today")),
			text(`widgets "w" is forbidden: not today`)},
		{"a plain error", errors.New("a widget cannot shrink"), text("a widget cannot shrink")},
		{"a plain error with the text of an aggregate", errors.New(list.ToAggregate().Error()), list},
	} {
		validator := widgets(func(context.Context, *Widget, *Widget) error { return tt.err })
		for name, backend := range map[string]harness.Backend{
			"Validator":       controllerruntime.Validator(validator),
			"CustomValidator": controllerruntime.CustomValidator(&Widget{}, custom(validator)),
			"Handler":         controllerruntime.Handler(admission.WithValidator(runtime.NewScheme(), validator)),
		} {
			got, fault := backend.Validate(t.Context(), widgetInput(-1))
			if diff := cmp.Diff(tt.want, got); diff != "" || fault != nil {
				t.Errorf("%s, %s: fault %v (-want +got):\n%s", name, tt.why, fault, diff)
			}
		}
	}
}

// A validator sees both objects and the request, as in a cluster.
func TestRequests(t *testing.T) {
	validator := widgets(func(ctx context.Context, object, old *Widget) error {
		request, err := admission.RequestFromContext(ctx)
		if err != nil {
			return err
		}
		name, was := "none", int64(-1)
		if object != nil {
			name = object.Name
		}
		if old != nil {
			was = old.Size
		}
		return fmt.Errorf("%s of %s by %s: %s was %d", request.Operation, request.Resource.Resource, request.UserInfo.Username, name, was)
	})
	update := widgetInput(5)
	update.Operation, update.Old = admissionv1.Update, widgetInput(7).Object
	remove := widgetInput(7)
	remove.Operation, remove.Old, remove.Object = admissionv1.Delete, remove.Object, nil
	for _, tt := range []struct {
		in   *harness.Input
		want string
	}{
		{widgetInput(5), "CREATE of widgets by diffrun: w was -1"},
		{update, "UPDATE of widgets by diffrun: w was 7"},
		{remove, "DELETE of widgets by diffrun: none was 7"},
	} {
		errs, fault := controllerruntime.Validator(validator).Validate(t.Context(), tt.in)
		if fault != nil || len(errs) != 1 || errs[0].Detail != tt.want {
			t.Errorf("errors %v, fault %v, want %q", errs, fault, tt.want)
		}
	}
}

// If nothing can be decided, the result is a fault, never a rejection.
func TestFaults(t *testing.T) {
	panics := widgets(func(context.Context, *Widget, *Widget) error { panic("oh") })
	dies := admission.HandlerFunc(func(context.Context, admission.Request) admission.Response { panic("oh") })
	patches := admission.HandlerFunc(func(context.Context, admission.Request) admission.Response {
		return admission.PatchResponseFromRaw([]byte(`{}`), []byte(`{"a":1}`))
	})
	for _, tt := range []struct {
		why     string
		backend harness.Backend
		want    string
	}{
		{"a panic that nobody recovers", controllerruntime.Handler(dies), "panic: oh"},
		{"a webhook that does not recover",
			controllerruntime.Handler(admission.WithValidator(runtime.NewScheme(), panics).WithRecoverPanic(false)), "panic: oh"},
		{"a validator of any object", controllerruntime.Validator[runtime.Object](custom(panics)),
			"the validator takes a runtime.Object; pass CustomValidator a pointer to that struct"},
		{"a patch", controllerruntime.Handler(patches), "a patch, which a validating webhook must not return"},
		{"a mutator instead of a validator", controllerruntime.MutatingHandler(patches),
			"a Mutator changes objects and does not validate them"},
	} {
		outcome := harness.Ask(t.Context(), tt.backend, widgetInput(1), contract.DefaultTimeout)
		if outcome.Fault == nil || !strings.Contains(outcome.Fault.Error(), tt.want) || len(outcome.Errors) > 0 {
			t.Errorf("%s: errors %v, fault %v", tt.why, outcome.Errors, outcome.Fault)
		}
	}
}

// An object that does not fit the Go type is rejected, as the webhook rejects it.
func TestMisfit(t *testing.T) {
	in := widgetInput(1)
	in.Object = contract.NewView(map[string]any{"apiVersion": "example.com/v1", "kind": "Widget", "size": "large"})
	validator := controllerruntime.Validator(widgets(func(context.Context, *Widget, *Widget) error { return nil }))
	errs, fault := validator.Validate(t.Context(), in)
	if fault != nil || len(errs) != 1 || !strings.Contains(errs[0].Detail, "cannot unmarshal string into Go struct field") {
		t.Errorf("errors %v, fault %v", errs, fault)
	}
}

// Warnings of a validator are part of the outcome, in this process and from another one.
func TestWarnings(t *testing.T) {
	for _, refusal := range []error{nil, errors.New("no")} {
		validator := controllerruntime.Validator(widgets(func(context.Context, *Widget, *Widget) error { return refusal }))
		outcome := harness.Ask(t.Context(), validator, widgetInput(1), contract.DefaultTimeout)
		if diff := cmp.Diff([]string{"created"}, outcome.Warnings); diff != "" || outcome.Fault != nil {
			t.Errorf("refusal %v, fault %v (-want +got):\n%s", refusal, outcome.Fault, diff)
		}
	}
}
