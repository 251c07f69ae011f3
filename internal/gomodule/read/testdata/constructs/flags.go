package constructs

import (
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// progress is the state of a loop, in the fields of a struct.
type progress struct {
	seen  bool
	names sets.Set[string]
}

// ValidateFlagInStruct asks a flag in a struct, which an earlier item may have set.
func ValidateFlagInStruct(obj *Thing) field.ErrorList {
	var p progress
	for i, item := range obj.Spec.Items {
		if p.seen && item.Weight != nil {
			return field.ErrorList{field.Forbidden(spec.Child("items").Index(i).Child("weight"), "comes after a")}
		}
		if item.Name == "a" {
			p.seen = true
		}
	}
	return nil
}

// ValidateStructAfterLoop asks it after the loop.
func ValidateStructAfterLoop(obj *Thing) field.ErrorList {
	var p progress
	for _, item := range obj.Spec.Items {
		if item.Name == "a" {
			p.seen = true
		}
	}
	if !p.seen {
		return field.ErrorList{field.Required(spec.Child("items"), "must have a")}
	}
	return nil
}

// ValidateMixed has a loop that looks for items of two kinds, which must not be mixed.
func ValidateMixed(obj *Thing) field.ErrorList {
	hasEmpty, hasName := false, false
	for _, item := range obj.Spec.Items {
		if item.Name == "" {
			hasEmpty = true
		} else {
			hasName = true
		}
	}
	if hasEmpty && hasName {
		return field.ErrorList{field.Invalid(spec.Child("items"), nil, "all or none must have names")}
	}
	return nil
}

// ValidateAllOf has a flag that is true until an item clears it.
func ValidateAllOf(obj *Thing) field.ErrorList {
	all := true
	for _, item := range obj.Spec.Items {
		all = all && item.Weight != nil
	}
	if !all {
		return field.ErrorList{field.Required(spec.Child("items"), "all need a weight")}
	}
	return nil
}

// ValidateAnyOf has a flag that is set by an operator.
func ValidateAnyOf(obj *Thing) field.ErrorList {
	some := obj.Spec.Paused
	for _, item := range obj.Spec.Items {
		some = some || item.Count > 2
	}
	if some {
		return field.ErrorList{field.Forbidden(spec.Child("items"), "none may be large, and not if paused")}
	}
	return nil
}
