package main

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/harness"
)

// schemaBackend is a compiled schema as a backend.
type schemaBackend struct{ validator *declarative.Validator }

func (schemaBackend) Name() string { return "declarative" }

func (b schemaBackend) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	var old value.Value
	if in.Old != nil {
		old = in.Old.Value()
	}
	return b.validator.Validate(ctx, in.Object.Value(), old), nil
}
