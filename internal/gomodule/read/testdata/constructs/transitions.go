package constructs

import (
	"reflect"
	"slices"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var next = map[Phase][]Phase{
	"":      {Pending},
	Pending: {Running, Done},
	Running: {Done},
}

// ValidateTransitionUpdate has a table of the values that may follow each value.
func ValidateTransitionUpdate(obj, old *Thing) field.ErrorList {
	if obj.Status.Phase != old.Status.Phase && !slices.Contains(next[old.Status.Phase], obj.Status.Phase) {
		return field.ErrorList{field.Invalid(field.NewPath("status", "phase"), obj.Status.Phase, "cannot follow")}
	}
	return nil
}

// ValidateSwitchedTransitionUpdate says it by a switch over the value before.
func ValidateSwitchedTransitionUpdate(obj, old *Thing) field.ErrorList {
	var allowed sets.Set[Phase]
	switch old.Status.Phase {
	case Pending:
		allowed = sets.New(Pending, Running)
	case Running:
		allowed = sets.New(Running, Done)
	default:
		return nil
	}
	if !allowed.Has(obj.Status.Phase) {
		return field.ErrorList{field.Invalid(field.NewPath("status", "phase"), obj.Status.Phase, "cannot follow")}
	}
	return nil
}

// ValidateGrowingUpdate has a list that may get items at its end alone.
func ValidateGrowingUpdate(obj, old *Thing) field.ErrorList {
	if len(obj.Spec.Names) < len(old.Spec.Names) {
		return field.ErrorList{field.Forbidden(spec.Child("names"), "cannot shrink")}
	}
	for i, name := range old.Spec.Names {
		if obj.Spec.Names[i] != name {
			return field.ErrorList{field.Forbidden(spec.Child("names"), "the first cannot change")}
		}
	}
	return nil
}

// ValidateIncreasingUpdate has a number that cannot fall, unless it was not set.
func ValidateIncreasingUpdate(obj, old *Thing) field.ErrorList {
	if old.Spec.Limit != nil && (obj.Spec.Limit == nil || *obj.Spec.Limit < *old.Spec.Limit) {
		return field.ErrorList{field.Invalid(spec.Child("limit"), obj.Spec.Limit, "cannot fall")}
	}
	return nil
}

// ValidateSetOnceUpdate has a field that can be set, and then not change.
func ValidateSetOnceUpdate(obj, old *Thing) field.ErrorList {
	if old.Spec.Selected != nil && !reflect.DeepEqual(obj.Spec.Selected, old.Spec.Selected) {
		return field.ErrorList{field.Forbidden(spec.Child("selected"), "cannot change once set")}
	}
	return nil
}

// ValidateUnlessPausedUpdate lets paused things change, by the object before.
func ValidateUnlessPausedUpdate(obj, old *Thing) field.ErrorList {
	if old.Spec.Paused && obj.Spec.Paused {
		return nil
	}
	return apivalidation.ValidateImmutableField(obj.Spec.Roll, old.Spec.Roll, spec.Child("roll"))
}

// ValidateRemovedNamesUpdate looks for names that are gone.
func ValidateRemovedNamesUpdate(obj, old *Thing) field.ErrorList {
	if gone := sets.New(old.Spec.Names...).Difference(sets.New(obj.Spec.Names...)); gone.Len() > 0 {
		return field.ErrorList{field.Forbidden(spec.Child("names"), "cannot be removed")}
	}
	return nil
}

// ValidateSameSetUpdate compares lists without regard to order.
func ValidateSameSetUpdate(obj, old *Thing) field.ErrorList {
	if !sets.New(obj.Spec.Names...).Equal(sets.New(old.Spec.Names...)) {
		return field.ErrorList{field.Forbidden(spec.Child("names"), "cannot change")}
	}
	return nil
}

// ValidateAnnotatedUpdate has an annotation that allows a change.
func ValidateAnnotatedUpdate(obj, old *Thing) field.ErrorList {
	if _, ok := obj.Annotations["skip"]; !ok && obj.Spec.Name != old.Spec.Name {
		return field.ErrorList{field.Forbidden(spec.Child("name"), "cannot change without the annotation")}
	}
	return nil
}

// ValidateOnlyChangedUpdate validates a field only if it changes.
func ValidateOnlyChangedUpdate(obj, old *Thing) field.ErrorList {
	if obj.Spec.Size != old.Spec.Size && obj.Spec.Size > 2 {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, "is too large")}
	}
	return nil
}

// ValidateOldFlagUpdate computes an option of the object before.
func ValidateOldFlagUpdate(obj, old *Thing) field.ErrorList {
	allowLarge := old != nil && old.Spec.Size > 3
	if obj.Spec.Size > 3 && !allowLarge {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, "must be at most 3")}
	}
	return nil
}

// ValidateItemsByIndexUpdate compares items by their index.
func ValidateItemsByIndexUpdate(obj, old *Thing) field.ErrorList {
	var errs field.ErrorList
	for i := range obj.Spec.Items {
		if i < len(old.Spec.Items) && obj.Spec.Items[i].Name != old.Spec.Items[i].Name {
			errs = append(errs, field.Forbidden(spec.Child("items").Index(i).Child("name"), "cannot change"))
		}
	}
	return errs
}

// ValidateGroupsUpdate looks up groups of before by their names, and compares lists in them.
func ValidateGroupsUpdate(obj, old *Thing) field.ErrorList {
	var errs field.ErrorList
	for i, group := range obj.Spec.Groups {
		for _, before := range old.Spec.Groups {
			if before.Name == group.Name && len(before.Members) > len(group.Members) {
				errs = append(errs, field.Forbidden(spec.Child("groups").Index(i).Child("members"), "cannot shrink"))
			}
		}
	}
	return errs
}

// ValidateMaskedSpecUpdate compares the specs with one field of the copy set to that of before.
func ValidateMaskedSpecUpdate(obj, old *Thing) field.ErrorList {
	masked := *obj.Spec.DeepCopy()
	masked.Replicas = old.Spec.Replicas
	if obj.Spec.Network != nil && old.Spec.Network != nil {
		network := *obj.Spec.Network
		network.Port = old.Spec.Network.Port
		masked.Network = &network
	}
	if !reflect.DeepEqual(masked.Network, old.Spec.Network) || masked.Replicas != old.Spec.Replicas {
		return field.ErrorList{field.Forbidden(spec.Child("network"), "only the port can change")}
	}
	return nil
}

// ValidatePanicUpdate indexes a list of before by an index of now.
func ValidatePanicUpdate(obj, old *Thing) field.ErrorList {
	for i, name := range obj.Spec.Names {
		if old.Spec.Names[i] != name {
			return field.ErrorList{field.Forbidden(spec.Child("names"), "cannot change")}
		}
	}
	return nil
}

// ValidateScaledUpdate allows a change by at most one step, of numbers that may not have the difference.
func ValidateScaledUpdate(obj, old *Thing) field.ErrorList {
	if diff := obj.Spec.Size - old.Spec.Size; diff > 2 {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, "grows too fast")}
	}
	return nil
}
