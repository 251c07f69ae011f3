package registry

import (
	"context"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// WithNative is kubernetes.WithNative.
func WithNative[T any](validate func(ctx context.Context, object, old T) field.ErrorList) TargetOption {
	return func(of kind, target *harness.Target) {
		for i := range target.Versions {
			target.Versions[i].Native = function[T]{of, validate}
		}
	}
}

// function validates one kind, or a part of it, with a function of the caller. It implements
// harness.Backend.
type function[T any] struct {
	kind     kind
	validate func(ctx context.Context, object, old T) field.ErrorList
}

// Name is "native".
func (function[T]) Name() string { return contract.NativeName }

// Validate calls the function with objects of the internal type.
func (f function[T]) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	object, old, err := contract.Read(in, func(view *contract.View) (T, error) { return f.argument(in, view) })
	if err != nil {
		return nil, err
	}
	return f.validate(ctx, object, old), nil
}

// argument converts a view to the internal type.
func (f function[T]) argument(in *harness.Input, view *contract.View) (argument T, err error) {
	hub, err := f.kind.hubOf(in, view)
	if err != nil {
		return argument, err
	}
	argument, fits := hub.(T)
	if !fits {
		return argument, fmt.Errorf("the native function takes %s, and the case has %T", reflect.TypeFor[T](), hub)
	}
	return argument, nil
}

// hubOf converts the content of a view to the internal type: an object, or a pointer to a part.
func (k kind) hubOf(in *harness.Input, view *contract.View) (any, error) {
	if typed, whole := view.Typed(); whole {
		return k.hub(typed.DeepCopyObject())
	}
	versioned, err := legacyscheme.Scheme.New(in.Version)
	if err != nil {
		return nil, err
	}
	whole := reflect.ValueOf(versioned).Elem()
	given := reflect.Indirect(reflect.ValueOf(view.Go()))
	found, err := partNamed(whole.Type(), given.Type(), in.Part)
	if err != nil {
		return nil, err
	}
	inVersion, _, err := found.in(whole, in.Version)
	if err != nil {
		return nil, err
	}
	inVersion.Set(given)
	hub, err := k.hub(versioned.DeepCopyObject())
	if err != nil {
		return nil, err
	}
	inHub, _, err := found.in(reflect.ValueOf(hub).Elem(), in.Version)
	if err != nil {
		return nil, err
	}
	return inHub.Addr().Interface(), nil
}
