// Package named validates widgets by functions whose results are not field errors.
package named

import (
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	v1 "example.com/widgets/api/v1"
)

func causes(w *v1.Widget) (all []metav1.StatusCause) {
	if w.Spec.Size > 10 {
		all = append(all, metav1.StatusCause{Type: metav1.CauseTypeFieldValueInvalid, Field: "spec.size", Message: "Invalid value: 11: too big"})
	}
	return all
}

func validate(w *v1.Widget) (warnings []string, err error) {
	if w.Spec.Size > 10 {
		return []string{"is large"}, errors.New("the widget is too big")
	}
	return nil, nil
}

// Problems returns what is wrong with a widget.
func Problems(w *v1.Widget) []string {
	if w.Spec.Size > 10 {
		return []string{"spec.size: Invalid value: 11: too big"}
	}
	return nil
}

// Load is no validator.
func Load(w *v1.Widget) error { return nil }
