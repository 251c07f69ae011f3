package controllerruntime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/diffrun/diffrun/harness"
)

// Mutator changes objects as a mutating webhook of controller-runtime does. It is what a
// world mutates objects by, and exec.Serve and webhook.Handler serve it.
type Mutator struct{ Backend }

// Defaulter makes the defaulter of a Go type T, such as *v1.Widget, a Mutator.
func Defaulter[T runtime.Object](defaulter admission.Defaulter[T], options ...admission.DefaulterOption) *Mutator {
	if of := reflect.TypeFor[T](); of.Kind() != reflect.Pointer {
		return &Mutator{Backend{untyped{of}}}
	}
	return MutatingHandler(admission.WithDefaulter(runtime.NewScheme(), defaulter, options...))
}

// CustomDefaulter makes a webhook.CustomDefaulter a Mutator. The object is of the Go type
// that the defaulter gets, such as &v1.Widget{}.
func CustomDefaulter(object runtime.Object, defaulter admission.Defaulter[runtime.Object], options ...admission.DefaulterOption) *Mutator {
	//lint:ignore SA1019 operators still have these
	return MutatingHandler(admission.WithCustomDefaulter(runtime.NewScheme(), object, defaulter, options...))
}

// MutatingHandler makes a handler of mutating requests a Mutator.
func MutatingHandler(handler admission.Handler) *Mutator { return &Mutator{Backend{handler}} }

// Validate gives no verdict: a Mutator is not the validator of a comparison.
func (*Mutator) Validate(context.Context, *harness.Input) (field.ErrorList, error) {
	return nil, errors.New("a Mutator changes objects and does not validate them; compare a Validator, CustomValidator or Handler")
}

// Mutate gives the object as the webhook wants it; nil leaves it as it is. The errors
// refuse the object. The error is a fault: the webhook failed, or its patch does not apply.
func (m *Mutator) Mutate(ctx context.Context, in *harness.Input) (map[string]any, field.ErrorList, error) {
	request, asked, err := requestFor(in)
	if err != nil {
		return nil, nil, err
	}
	response := m.Review(ctx, asked)
	if !response.Allowed {
		errs, err := errorsOf(request, response)
		return nil, errs, err
	}
	if len(response.Patch) == 0 {
		return nil, nil, nil
	}
	mutated, err := patched(asked.Object.Raw, response)
	return mutated, nil, err
}

// patched applies the patch of a response.
func patched(object []byte, response *admissionv1.AdmissionResponse) (map[string]any, error) {
	if response.PatchType == nil || *response.PatchType != admissionv1.PatchTypeJSONPatch {
		return nil, errors.New("the response has a patch that is not of patchType JSONPatch")
	}
	patch, err := jsonpatch.DecodePatch(response.Patch)
	if err != nil {
		return nil, fmt.Errorf("the patch is not a JSON patch: %w", err)
	}
	after, err := patch.Apply(object)
	if err != nil {
		return nil, fmt.Errorf("the patch %s does not apply: %w", json.RawMessage(response.Patch), err)
	}
	var mutated map[string]any
	if err := utiljson.Unmarshal(after, &mutated); err != nil {
		return nil, fmt.Errorf("the patch leaves no object: %w", err)
	}
	return mutated, nil
}
