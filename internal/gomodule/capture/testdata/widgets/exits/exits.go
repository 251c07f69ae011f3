// Package exits has a validator whose tests call os.Exit.
package exits

import (
	v1 "example.com/widgets/api/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ValidateStatusUpdate accepts everything.
func ValidateStatusUpdate(_, _ *v1.Widget) field.ErrorList { return nil }
