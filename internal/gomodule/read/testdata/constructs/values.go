package constructs

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/ptr"
)

func ValidateRequired(obj *Thing) field.ErrorList {
	if obj.Spec.Name == "" {
		return field.ErrorList{field.Required(spec.Child("name"), "")}
	}
	return nil
}

func ValidateNil(obj *Thing) (errs field.ErrorList) {
	if obj.Spec.Limit == nil {
		errs = append(errs, field.Required(spec.Child("limit"), "must be set"))
	}
	if obj.Spec.Network != nil && obj.Spec.Network.Host == "" {
		errs = append(errs, field.Required(spec.Child("network", "host"), ""))
	}
	return
}

func ValidateZero(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	if obj.Spec.Size < 1 {
		errs = append(errs, field.Invalid(spec.Child("size"), obj.Spec.Size, "must be positive"))
	}
	if obj.Spec.Size > 3 {
		errs = append(errs, field.Invalid(spec.Child("size"), obj.Spec.Size, fmt.Sprintf("must be at most %d", 3)))
	}
	return errs
}

func ValidateDereferenced(obj *Thing) field.ErrorList {
	if obj.Spec.Limit != nil && *obj.Spec.Limit > obj.Spec.Size {
		return field.ErrorList{field.Invalid(spec.Child("limit"), *obj.Spec.Limit, "must not be above size")}
	}
	return nil
}

func ValidateEnum(obj *Thing) field.ErrorList {
	switch obj.Spec.Mode {
	case "", Fast, Slow:
	default:
		return field.ErrorList{field.NotSupported(spec.Child("mode"), obj.Spec.Mode, []Mode{Fast, Slow})}
	}
	return nil
}

func ValidateSwitch(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	switch {
	case obj.Spec.Paused && obj.Spec.Size > 0:
		errs = append(errs, field.Forbidden(spec.Child("size"), "is for running things"))
	case obj.Spec.Mode == Fast:
		errs = append(errs, field.Forbidden(spec.Child("mode"), "is slow"))
	case obj.Spec.Name == "a":
		fallthrough
	default:
		if obj.Spec.Owner == "" {
			errs = append(errs, field.Required(spec.Child("owner"), ""))
		}
	}
	return errs
}

var known = sets.New("a", "b")

func ValidateSetOfConstants(obj *Thing) field.ErrorList {
	if !known.Has(obj.Spec.Name) {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, "is not known")}
	}
	return nil
}

func ValidateSliceContains(obj *Thing) field.ErrorList {
	if slices.Contains(obj.Spec.Names, "b") {
		return field.ErrorList{field.Forbidden(spec.Child("names"), "b is not allowed")}
	}
	return nil
}

func ValidateArithmetic(obj *Thing) field.ErrorList {
	limit := int32(1)
	if obj.Spec.Limit != nil {
		limit = *obj.Spec.Limit
	}
	if int64(limit)*int64(obj.Spec.Size) > 4 {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, "too many")}
	}
	return nil
}

func ValidatePointers(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	if ptr.Deref(obj.Spec.Enabled, true) && obj.Spec.Name == "" {
		errs = append(errs, field.Required(spec.Child("name"), "if enabled"))
	}
	if ptr.Equal(obj.Spec.Limit, ptr.To(int32(2))) {
		errs = append(errs, field.Invalid(spec.Child("limit"), obj.Spec.Limit, "must not be two"))
	}
	return errs
}

func ValidateMap(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	for key, value := range obj.Spec.Labels {
		if key == "a" && value != "b" {
			errs = append(errs, field.Invalid(spec.Child("labels").Key(key), value, "must be b"))
		}
	}
	if value, ok := obj.Spec.Labels["c"]; ok && value == "" {
		errs = append(errs, field.Required(spec.Child("labels").Key("c"), ""))
	}
	return errs
}

func ValidateLength(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	if len(obj.Spec.Names) > 1 && len(obj.Spec.Items) == 0 {
		errs = append(errs, field.Required(spec.Child("items"), "for names"))
	}
	if len(obj.Spec.Name) > 3 {
		errs = append(errs, field.TooLong(spec.Child("name"), obj.Spec.Name, 3))
	}
	return errs
}

func ValidateLengths(obj *Thing) (errs field.ErrorList) {
	if len(obj.Spec.Name)+len(obj.Spec.Mode) > 70 {
		errs = append(errs, field.Invalid(spec.Child("name"), obj.Spec.Name, "is too long with the mode"))
	}
	if len(obj.Spec.Name) > len(obj.Spec.Mode) {
		errs = append(errs, field.Invalid(spec.Child("mode"), obj.Spec.Mode, "is shorter than the name"))
	}
	return errs
}

func ValidateFirst(obj *Thing) field.ErrorList {
	if len(obj.Spec.Items) > 0 && obj.Spec.Items[0].Weight != nil {
		return field.ErrorList{field.Forbidden(spec.Child("items").Index(0).Child("weight"), "of the first")}
	}
	return nil
}

func ValidateLengthOfBytes(obj *Thing) field.ErrorList {
	if len([]byte(obj.Spec.Name)) > 5 || int64(len(obj.Spec.Name)) == 3 {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, "must have at most 5 bytes, and not 3")}
	}
	return nil
}

func ValidateLengthOfRunes(obj *Thing) field.ErrorList {
	if len([]rune(obj.Spec.Name)) > 3 {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, "must have at most 3 characters")}
	}
	return nil
}

func ValidateComputedLength(obj *Thing) field.ErrorList {
	if len(obj.Spec.Name)-2 == 0 {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, "must not have 2 bytes")}
	}
	return nil
}
