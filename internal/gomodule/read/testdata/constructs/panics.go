package constructs

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

func ValidateNilDereference(obj *Thing) field.ErrorList {
	if *obj.Spec.Limit > 3 {
		return field.ErrorList{field.Invalid(spec.Child("limit"), *obj.Spec.Limit, "must be at most 3")}
	}
	return nil
}

func ValidateNilInLoop(obj *Thing) (errs field.ErrorList) {
	for i, item := range obj.Spec.Items {
		if item.Count > 0 && item.Network.Host == "" {
			errs = append(errs, field.Required(spec.Child("items").Index(i).Child("network", "host"), ""))
		}
	}
	return errs
}

func ValidateGuardedDereference(obj *Thing) field.ErrorList {
	if obj.Spec.Limit == nil || len(obj.Spec.Items) == 0 {
		return field.ErrorList{field.Required(spec.Child("limit"), "")}
	}
	if *obj.Spec.Limit > obj.Spec.Items[0].Count {
		return field.ErrorList{field.Invalid(spec.Child("limit"), *obj.Spec.Limit, "must not be above the first count")}
	}
	return nil
}

func ValidateIndexOutOfRange(obj *Thing) field.ErrorList {
	if len(obj.Spec.Items) != 1 && obj.Spec.Items[1].Name == "a" {
		return field.ErrorList{field.Invalid(spec.Child("items"), nil, "a must not be second")}
	}
	return nil
}

func ValidateSliceOutOfRange(obj *Thing) field.ErrorList {
	if obj.Spec.Name != "" && obj.Spec.Name[:2] == "ab" {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, "must not start with ab")}
	}
	return nil
}

func ValidateDivision(obj *Thing) field.ErrorList {
	if obj.Spec.Limit != nil && 6%*obj.Spec.Limit != 0 {
		return field.ErrorList{field.Invalid(spec.Child("limit"), *obj.Spec.Limit, "must divide 6")}
	}
	if obj.Spec.Size > 0 && 6/obj.Spec.Size > 2 {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, "must be large")}
	}
	return nil
}

func ValidateNilMap(obj *Thing) field.ErrorList {
	if obj.Spec.Paused {
		marked := obj.Spec.DeepCopy()
		marked.Labels["paused"] = "a"
	}
	if obj.Spec.Size > 3 {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, "must be at most 3")}
	}
	return nil
}

func ValidateSplitParts(obj *Thing) field.ErrorList {
	parts := strings.Split(obj.Spec.Name, "/")
	if len(parts) == 2 && parts[1] == "" || parts[0] == "b" {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, "must have two parts")}
	}
	return nil
}

func ValidateLastItem(obj *Thing) field.ErrorList {
	if items := obj.Spec.Items; items[len(items)-1].Name == "a" {
		return field.ErrorList{field.Invalid(spec.Child("items"), nil, "a must not be last")}
	}
	return nil
}

func ValidateGuardedLastItem(obj *Thing) field.ErrorList {
	if items := obj.Spec.Items; len(items) > 1 && items[len(items)-2].Name == "a" {
		return field.ErrorList{field.Invalid(spec.Child("items"), nil, "a must not be before the last")}
	}
	return nil
}

func ValidateComputedIndex(obj *Thing) field.ErrorList {
	if obj.Spec.Items[obj.Spec.Size].Name == "a" {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, "must not be that of a")}
	}
	return nil
}

func ValidateIndexOfOtherList(obj *Thing) (errs field.ErrorList) {
	for i, name := range obj.Spec.Names {
		if i < len(obj.Spec.Items) && obj.Spec.Items[i].Name != name {
			errs = append(errs, field.Invalid(spec.Child("names").Index(i), name, "must be the name of the item"))
		}
	}
	return errs
}

func ValidatePointerByCase(obj *Thing) field.ErrorList {
	var limit *int32
	if obj.Spec.Size == 1 {
		limit = &obj.Spec.Size
	}
	if obj.Spec.Size > 1 && *limit > 0 {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, "must be 1")}
	}
	return nil
}

func ValidateDivisionByZero(obj *Thing) field.ErrorList {
	var parts int32
	if obj.Spec.Paused && 6/parts > 2 {
		return field.ErrorList{field.Invalid(spec.Child("paused"), nil, "must not be paused")}
	}
	return nil
}
