// Package covered is a validator whose code a test counts.
package covered

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// Limits validates a size.
type Limits struct{}

// Name implements harness.Backend.
func (Limits) Name() string { return contract.NativeName }

// Validate implements harness.Backend.
func (Limits) Validate(_ context.Context, in *harness.Input) (errs field.ErrorList, err error) {
	object, old, err := contract.Read(in, (*contract.View).Unstructured)
	if err != nil {
		return nil, err
	}
	if size, _ := object["size"].(int64); size > 9 && old["size"] != object["size"] {
		errs = append(errs, field.Invalid(field.NewPath("size"), size, "must be at most 9"))
	} else if size == 9 {
		return nil, nil // the last one
	}
	return errs, nil
}
