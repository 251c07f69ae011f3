package controllerruntime

import (
	"context"
	"errors"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/diffrun/diffrun/harness"
)

// Mutator changes objects as a mutating webhook of controller-runtime does. It implements
// world.Mutator; exec.Serve and webhook.Handler can serve it.
type Mutator struct{ Backend }

// Defaulter returns a Mutator for the defaulter of a Go type T, such as *v1.Widget.
func Defaulter[T runtime.Object](defaulter admission.Defaulter[T], options ...admission.DefaulterOption) *Mutator {
	if of := reflect.TypeFor[T](); of.Kind() != reflect.Pointer {
		return &Mutator{Backend{mistake: untyped("defaulter", "CustomDefaulter", of)}}
	}
	return MutatingHandler(admission.WithDefaulter(runtime.NewScheme(), defaulter, options...))
}

// CustomDefaulter returns a Mutator for a webhook.CustomDefaulter. object has the Go type that the
// defaulter takes, such as &v1.Widget{}.
func CustomDefaulter(object runtime.Object, defaulter admission.Defaulter[runtime.Object], options ...admission.DefaulterOption) *Mutator {
	return MutatingHandler(admission.WithCustomDefaulter(runtime.NewScheme(), object, defaulter, options...))
}

// MutatingHandler returns a Mutator for a handler of mutating requests.
func MutatingHandler(handler admission.Handler) *Mutator { return &Mutator{Backend{handler: handler}} }

// Validate returns an error: a Mutator is not the validator of a comparison.
func (*Mutator) Validate(context.Context, *harness.Input) (field.ErrorList, error) {
	return nil, errors.New("a Mutator changes objects and does not validate them; compare a Validator, CustomValidator or Handler")
}

// Mutate returns the object as the webhook changes it; nil leaves it unchanged. The errors refuse
// the object. The error is a fault: the webhook failed, or its patch does not apply.
func (m *Mutator) Mutate(ctx context.Context, in *harness.Input) (map[string]any, field.ErrorList, error) {
	return m.client().Mutate(ctx, in)
}
