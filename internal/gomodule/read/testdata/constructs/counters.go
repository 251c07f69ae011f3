package constructs

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ValidateTwoCounters counts two kinds of items.
func ValidateTwoCounters(obj *Thing) field.ErrorList {
	large, small := 0, 0
	for _, item := range obj.Spec.Items {
		if item.Count > 1 {
			large++
		} else {
			small++
		}
	}
	if large > small {
		return field.ErrorList{field.Invalid(spec.Child("items"), large, "more are large than small")}
	}
	return nil
}

// ValidateCounterOfGroups counts in a loop in a loop.
func ValidateCounterOfGroups(obj *Thing) field.ErrorList {
	total := 0
	for _, group := range obj.Spec.Groups {
		for range group.Members {
			total++
		}
	}
	if total > 3 {
		return field.ErrorList{field.TooMany(spec.Child("groups"), total, 3)}
	}
	return nil
}

// ValidateSumOfLengths adds up the lengths of lists.
func ValidateSumOfLengths(obj *Thing) field.ErrorList {
	total := 0
	for _, group := range obj.Spec.Groups {
		total += len(group.Members)
	}
	if total > 3 {
		return field.ErrorList{field.TooMany(spec.Child("groups"), total, 3)}
	}
	return nil
}

// ValidateCountOfTwoLoops counts in two loops.
func ValidateCountOfTwoLoops(obj *Thing) field.ErrorList {
	defaults := 0
	for _, item := range obj.Spec.Items {
		if item.Name == "a" {
			defaults++
		}
	}
	for _, item := range obj.Spec.Keyed {
		if item.Name == "a" {
			defaults++
		}
	}
	if defaults != 1 {
		return field.ErrorList{field.Invalid(spec, defaults, "must have one a")}
	}
	return nil
}

// ValidateLargest has the largest number of a list.
func ValidateLargest(obj *Thing) field.ErrorList {
	var largest int32
	for _, item := range obj.Spec.Items {
		if item.Count > largest {
			largest = item.Count
		}
	}
	if largest > obj.Spec.Replicas {
		return field.ErrorList{field.Invalid(spec.Child("replicas"), obj.Spec.Replicas, "must be at least the largest count")}
	}
	return nil
}
