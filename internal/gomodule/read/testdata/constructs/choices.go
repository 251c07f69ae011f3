package constructs

import (
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ValidateClearedError clears an error on a condition.
func ValidateClearedError(obj *Thing) field.ErrorList {
	err := checkName(obj.Spec.Name)
	if obj.Spec.Paused {
		err = nil
	}
	if err != nil {
		return field.ErrorList{field.Required(spec.Child("name"), err.Error())}
	}
	return nil
}

// ValidateReplacedError has another error on a condition.
func ValidateReplacedError(obj *Thing) field.ErrorList {
	err := checkName(obj.Spec.Name)
	if obj.Spec.Paused {
		err = checkName(obj.Spec.Text)
	}
	if err != nil {
		return field.ErrorList{field.Required(spec, err.Error())}
	}
	return nil
}

// ValidateReplacedErrors returns the errors of one of two functions.
func ValidateReplacedErrors(obj *Thing) field.ErrorList {
	errs := ValidateZero(obj)
	if obj.Spec.Paused {
		errs = ValidateNil(obj)
	}
	return errs
}

// ValidateErrorOfMap appends the error that a map has for a text.
func ValidateErrorOfMap(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	reserved := map[string]*field.Error{
		"a": field.Forbidden(spec.Child("name"), "a is reserved"),
		"b": field.Forbidden(spec.Child("text"), "b is reserved"),
	}
	if err, ok := reserved[obj.Spec.Name]; ok {
		errs = append(errs, err)
	}
	return errs
}

// ValidateChosenError appends an error of a list that a condition chooses.
func ValidateChosenError(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	all := []*field.Error{field.Forbidden(spec.Child("mode"), "is taken")}
	err := field.Required(spec.Child("mode"), "")
	for _, one := range all {
		if obj.Spec.Mode != "" {
			err = one
		}
	}
	if obj.Spec.Paused {
		errs = append(errs, err)
	}
	return errs
}

// ValidateMadeList fills a list that is made without items.
func ValidateMadeList(obj *Thing) field.ErrorList {
	errs := make(field.ErrorList, 0)
	for i, item := range obj.Spec.Items {
		if item.Count > 2 {
			errs = append(errs, field.Invalid(spec.Child("items").Index(i).Child("count"), item.Count, "is too large"))
		}
	}
	return errs
}

// ValidateNilList fills a list that is nil.
func ValidateNilList(obj *Thing) field.ErrorList {
	errs := field.ErrorList(nil)
	if obj.Spec.Paused {
		errs = nil
	}
	for i, item := range obj.Spec.Items {
		if item.Count > 2 {
			errs = append(errs, field.Invalid(spec.Child("items").Index(i).Child("count"), item.Count, "is too large"))
		}
	}
	return errs
}

// ValidateErrorOfNil makes an error of one that is nil.
func ValidateErrorOfNil(obj *Thing) field.ErrorList {
	if err := describe(obj, nil); err != nil {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, err.Error())}
	}
	return nil
}

func describe(obj *Thing, cause error) error {
	if obj.Spec.Size > 2 {
		return fmt.Errorf("is too large: %w", cause)
	}
	return nil
}

// ValidateErrorOfUnasked makes an error of one that was not asked.
func ValidateErrorOfUnasked(obj *Thing) field.ErrorList {
	err := checkName(obj.Spec.Name)
	if err = fmt.Errorf("name: %w", err); obj.Spec.Paused && err != nil {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, err.Error())}
	}
	return nil
}

// ValidateLastReason keeps the last of several errors.
func ValidateLastReason(obj *Thing) field.ErrorList {
	var last error
	if obj.Spec.Size < 0 {
		last = errors.New("is negative")
	}
	if obj.Spec.Limit != nil && obj.Spec.Size > *obj.Spec.Limit {
		last = errors.New("is above the limit")
	}
	if last != nil && obj.Spec.Paused {
		last = nil
	}
	if last != nil {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, last.Error())}
	}
	return nil
}

// ValidateNotFound has an error that a loop clears.
func ValidateNotFound(obj *Thing) field.ErrorList {
	err := field.NotFound(spec.Child("name"), obj.Spec.Name)
	for _, item := range obj.Spec.Items {
		if item.Name == obj.Spec.Name {
			err = nil
			break
		}
	}
	if err != nil {
		return field.ErrorList{err}
	}
	return nil
}

// ValidateClearedInLoop has an error that each of some items clears.
func ValidateClearedInLoop(obj *Thing) (errs field.ErrorList) {
	if obj.Spec.Size > 1 {
		errs = append(errs, field.Invalid(spec.Child("size"), obj.Spec.Size, "is large"))
	}
	for i, item := range obj.Spec.Items {
		if item.Name == "a" {
			errs = nil
		}
		if item.Count < 0 {
			return append(errs, field.Invalid(spec.Child("items").Index(i).Child("count"), item.Count, "is negative"))
		}
	}
	return errs
}

// ValidateFirstOfLoop keeps the first error of a loop.
func ValidateFirstOfLoop(obj *Thing) field.ErrorList {
	var err *field.Error
	for i, item := range obj.Spec.Items {
		if item.Count > 2 {
			err = field.Invalid(spec.Child("items").Index(i).Child("count"), item.Count, "is too large")
			break
		}
	}
	if err != nil {
		return field.ErrorList{err}
	}
	return nil
}

// ValidateOneReason has one of several errors.
func ValidateOneReason(obj *Thing) field.ErrorList {
	var err *field.Error
	switch {
	case obj.Spec.Size < 0:
		err = field.Invalid(spec.Child("size"), obj.Spec.Size, "is negative")
	case obj.Spec.Replicas > 2:
		err = field.Invalid(spec.Child("replicas"), obj.Spec.Replicas, "is too large")
	}
	if err == nil && obj.Spec.Name == "" {
		err = field.Required(spec.Child("name"), "")
	}
	if obj.Spec.Paused || err == nil {
		return nil
	}
	return field.ErrorList{err}
}

// ValidateEditedError sets the text and the field of an error.
func ValidateEditedError(obj *Thing) field.ErrorList {
	err := field.NotFound(spec.Child("name"), obj.Spec.Name)
	err.Detail = "must be a name"
	if obj.Spec.Paused {
		err.Detail += " also if paused"
		err.Field = "spec.otherName"
	}
	if !slices.Contains(obj.Spec.Names, obj.Spec.Name) {
		return field.ErrorList{err}
	}
	return nil
}
