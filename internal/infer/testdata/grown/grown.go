// Package grown has a validator of creates and of updates, all of which its source says.
package grown

import (
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
	Items   []Item `json:"items,omitempty"`
}

// Item is a part of a thing.
type Item struct {
	Name  string `json:"name,omitempty"`
	Count int32  `json:"count,omitempty"`
}

var spec = field.NewPath("spec")

// ValidateCreate returns the mistakes of a new thing.
func ValidateCreate(thing *Thing) field.ErrorList {
	errs := validate(thing)
	if thing.Spec.Stage == "done" {
		errs = append(errs, field.Forbidden(spec.Child("stage"), "no thing begins with it"))
	}
	return errs
}

// ValidateUpdate returns those of one that is changed.
func ValidateUpdate(thing, old *Thing) field.ErrorList {
	errs := validate(thing)
	if old.Spec.Name != "" && old.Spec.Name != thing.Spec.Name {
		errs = append(errs, field.Forbidden(spec.Child("name"), "cannot change once it is set"))
	}
	if thing.Spec.Size < old.Spec.Size {
		errs = append(errs, field.Invalid(spec.Child("size"), thing.Spec.Size, "must not shrink"))
	}
	return errs
}

func validate(thing *Thing) (errs field.ErrorList) {
	if thing.Spec.Size > 7 {
		errs = append(errs, field.Invalid(spec.Child("size"), thing.Spec.Size, "is too large"))
	}
	if thing.Spec.Address != thing.Spec.Name+"."+thing.Spec.Stage {
		errs = append(errs, field.Invalid(spec.Child("address"), thing.Spec.Address, "must consist of name and stage"))
	}
	for i, item := range thing.Spec.Items {
		if item.Name == "" && item.Count > 1 {
			errs = append(errs, field.Required(spec.Child("items").Index(i).Child("name"), "is needed for several"))
		}
	}
	return errs
}
