// Package stated validates things. What it refuses is in its source: answers alone do not show all of it.
package stated

import (
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Thing is what is validated.
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

// Spec has the fields of a thing.
type Spec struct {
	Name    string `json:"name,omitempty"`
	Stage   string `json:"stage,omitempty"`
	Address string `json:"address,omitempty"`
	Size    int32  `json:"size,omitempty"`
}

// Validate returns the mistakes of a thing.
func Validate(thing *Thing) (errs field.ErrorList) {
	at := field.NewPath("spec")
	if thing.Spec.Size > 7 {
		errs = append(errs, field.Invalid(at.Child("size"), thing.Spec.Size, "is too large"))
	}
	if thing.Spec.Address != thing.Spec.Name+"."+thing.Spec.Stage {
		errs = append(errs, field.Invalid(at.Child("address"), thing.Spec.Address, "must consist of name and stage"))
	}
	if thing.Spec.Size > 5 && os.Getenv("QUOTA") == "small" {
		errs = append(errs, field.Forbidden(at.Child("size"), "is beyond the quota"))
	}
	return errs
}
