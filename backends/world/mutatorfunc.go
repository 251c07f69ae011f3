package world

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
)

// MutatorFunc is a Mutator: a function that changes the object in place.
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
	return asPatched(object)
}

// asPatched returns the object as the API server reads it from the JSON of a patch: a Go int or a
// float64 without a fraction is an integer.
func asPatched(object map[string]any) (map[string]any, field.ErrorList, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, nil, fmt.Errorf("the result of the mutator cannot be written as JSON: %w", err)
	}
	var patched map[string]any
	if err := utiljson.Unmarshal(text, &patched); err != nil {
		return nil, nil, fmt.Errorf("reading the result of the mutator: %w", err)
	}
	return patched, nil, nil
}
