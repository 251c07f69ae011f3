// Package unused has a validator that its tests do not call.
package unused

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "example.com/widgets/api/v1"
)

// Check validates a widget.
func Check(w *v1.Widget) field.ErrorList { return nil }

func size() int { return 1 }
