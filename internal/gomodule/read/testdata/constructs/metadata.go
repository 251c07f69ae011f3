package constructs

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ValidateZeroTime asks whether times are set.
func ValidateZeroTime(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	if obj.Spec.From.IsZero() {
		errs = append(errs, field.Required(spec.Child("from"), ""))
	}
	if obj.Spec.Until.IsZero() && obj.Spec.Paused {
		errs = append(errs, field.Required(spec.Child("until"), ""))
	}
	return errs
}

// ValidateOrderOfTimes compares times.
func ValidateOrderOfTimes(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	if obj.Spec.Until.Before(obj.Spec.Since) {
		errs = append(errs, field.Invalid(spec.Child("until"), obj.Spec.Until, "must not be before since"))
	}
	if obj.Spec.Until.Equal(obj.Spec.Since) {
		errs = append(errs, field.Invalid(spec.Child("since"), obj.Spec.Since, "must not be the same"))
	}
	return errs
}

var metadata = field.NewPath("metadata")

func checkMetadata(obj metav1.Object) field.ErrorList {
	var errs field.ErrorList
	if obj.GetName() == "x" && obj.GetNamespace() == "" && obj.GetLabels()["app"] == "y" {
		errs = append(errs, field.Forbidden(metadata.Child("labels"), "x is no y"))
	}
	if _, ok := obj.GetAnnotations()["skip"]; !ok && obj.GetGeneration() > 1 {
		errs = append(errs, field.Forbidden(metadata.Child("generation"), "was changed"))
	}
	return errs
}

// ValidateMetadata has a function that gets the object as an interface.
func ValidateMetadata(obj *Thing) field.ErrorList { return checkMetadata(obj) }

// ValidateUnlessDeleted asks nothing of an object that is being deleted.
func ValidateUnlessDeleted(obj *Thing) field.ErrorList {
	if !obj.GetDeletionTimestamp().IsZero() {
		return nil
	}
	return wrong(obj.GetName() == "x" && obj.Spec.Text == "a")
}
