package world

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
)

// MutatorFunc is a Mutator made of a function that changes the object in place.
type MutatorFunc func(ctx context.Context, object map[string]any) error

// Mutate calls the function with a copy of the object. Its error refuses the object, as the error of a
// controller-runtime CustomDefaulter does.
func (f MutatorFunc) Mutate(ctx context.Context, in *harness.Input) (map[string]any, field.ErrorList, error) {
	object, err := in.Object.Unstructured()
	if err != nil {
		return nil, nil, err
	}
	object = runtime.DeepCopyJSON(object)
	if err := f(ctx, object); err != nil {
		return nil, field.ErrorList{field.Forbidden(nil, err.Error())}, nil
	}
	return object, nil, nil
}
