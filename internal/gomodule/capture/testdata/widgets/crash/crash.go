// Package crash has a validator that panics.
package crash

import (
	v1 "example.com/widgets/api/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Validate panics if there is no color.
func Validate(w *v1.Widget) field.ErrorList {
	if w.Spec.Color == "" {
		panic("no color")
	}
	return nil
}
