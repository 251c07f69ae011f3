package constructs

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ValidateLabelledContinue goes on with the next item from a loop in the loop.
func ValidateLabelledContinue(obj *Thing) field.ErrorList {
	var errs field.ErrorList
items:
	for i, item := range obj.Spec.Items {
		for _, need := range item.Needs {
			if need == "a" {
				continue items
			}
		}
		errs = append(errs, field.Required(spec.Child("items").Index(i).Child("needs"), "must have a"))
	}
	return errs
}

// ValidateLabelledBreak leaves both loops.
func ValidateLabelledBreak(obj *Thing) field.ErrorList {
	found := false
items:
	for _, item := range obj.Spec.Items {
		for _, need := range item.Needs {
			if need == obj.Spec.Name {
				found = true
				break items
			}
		}
	}
	if !found {
		return field.ErrorList{field.NotFound(spec.Child("name"), obj.Spec.Name)}
	}
	return nil
}

// ValidateBreakInSwitch leaves the switch alone, and not the loop.
func ValidateBreakInSwitch(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	for i, item := range obj.Spec.Items {
		switch item.Name {
		case "a":
			if item.Count > 1 {
				break
			}
			errs = append(errs, field.Invalid(spec.Child("items").Index(i).Child("count"), item.Count, "must be above 1"))
		case "b", "c":
			continue
		default:
			if item.Weight == nil {
				errs = append(errs, field.Required(spec.Child("items").Index(i).Child("weight"), ""))
			}
		}
	}
	return errs
}

// ValidateLabelledBreakOfSwitch leaves the loop from a switch.
func ValidateLabelledBreakOfSwitch(obj *Thing) field.ErrorList {
	found := false
search:
	for _, item := range obj.Spec.Items {
		switch {
		case item.Name == "":
			continue
		case item.Count > 2:
			found = true
			break search
		}
	}
	if found {
		return field.ErrorList{field.Invalid(spec.Child("items"), nil, "has a large one")}
	}
	return nil
}

// ValidateReturnInNestedLoop returns from the inner loop: what comes after both is asked only if neither did.
func ValidateReturnInNestedLoop(obj *Thing) field.ErrorList {
	for i, group := range obj.Spec.Groups {
		for j, member := range group.Members {
			if member.Name == "" {
				return field.ErrorList{field.Required(spec.Child("groups").Index(i).Child("members").Index(j).Child("name"), "")}
			}
		}
	}
	if obj.Spec.Replicas < 0 {
		return field.ErrorList{field.Invalid(spec.Child("replicas"), obj.Spec.Replicas, "must not be negative")}
	}
	return nil
}

// ValidateSilentReturn returns without an error in a loop, which is no error that hides others: it is a condition.
func ValidateSilentReturn(obj *Thing) field.ErrorList {
	for _, name := range obj.Spec.Names {
		if name == "a" {
			return nil
		}
	}
	if obj.Spec.Replicas < 0 {
		return field.ErrorList{field.Invalid(spec.Child("replicas"), obj.Spec.Replicas, "must not be negative without a")}
	}
	return nil
}

// ValidateDefaultInTheMiddle has a clause for the rest that is not last, and falls through into it.
func ValidateDefaultInTheMiddle(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	switch obj.Spec.Name {
	case "a":
		fallthrough
	default:
		errs = append(errs, field.Invalid(spec.Child("name"), obj.Spec.Name, "must be b or c"))
	case "b":
		errs = append(errs, field.Invalid(spec.Child("otherName"), obj.Spec.Other, "is not for b"))
	case "c":
	}
	return errs
}

// ValidateFallthroughToLast falls through from a clause to one that is no default.
func ValidateFallthroughToLast(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	switch obj.Spec.Mode {
	case Fast:
		if obj.Spec.Name == "a" {
			errs = append(errs, field.Invalid(spec.Child("name"), obj.Spec.Name, "is slow"))
		}
		fallthrough
	case Slow:
		if obj.Spec.Replicas < 0 {
			errs = append(errs, field.Invalid(spec.Child("replicas"), obj.Spec.Replicas, "must not be negative"))
		}
	}
	return errs
}

// ValidateSwitchWithInit declares what it asks, and compares with values that are no constants.
func ValidateSwitchWithInit(obj *Thing) field.ErrorList {
	switch first, name := firstOf(obj.Spec.Names), obj.Spec.Name; first {
	case name, obj.Spec.Other:
		return field.ErrorList{field.Duplicate(spec.Child("names").Index(0), first)}
	}
	return nil
}

func firstOf(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return names[0]
}

// ValidateSwitchTrue asks conditions of which the earlier hide the later.
func ValidateSwitchTrue(obj *Thing) field.ErrorList {
	var text string
	switch n := len(obj.Spec.Names); true {
	case n == 0:
		text = "none"
	case n > 2:
		text = "many"
	}
	if text == "many" || text == "" && obj.Spec.Paused {
		return field.ErrorList{field.Invalid(spec.Child("names"), text, "has the wrong number")}
	}
	return nil
}

// ValidateElseIf has a chain in which each condition is asked only if those before were false.
func ValidateElseIf(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	if obj.Spec.Network == nil {
		errs = append(errs, field.Required(spec.Child("network"), ""))
	} else if port := obj.Spec.Network.Port; port < 0 {
		errs = append(errs, field.Invalid(spec.Child("network", "port"), port, "must not be negative"))
	} else if obj.Spec.Network.Host == "" && port > 2 {
		errs = append(errs, field.Required(spec.Child("network", "host"), "a large port needs it"))
	}
	return errs
}

// ValidateInfiniteLoop has a loop without a condition.
func ValidateInfiniteLoop(obj *Thing) field.ErrorList {
	n := obj.Spec.Replicas
	for {
		if n < 3 {
			break
		}
		n -= 2
	}
	if n == 1 {
		return field.ErrorList{field.Invalid(spec.Child("replicas"), n, "must be even")}
	}
	return nil
}

// ValidateCountDown has a loop that counts down over a list.
func ValidateCountDown(obj *Thing) field.ErrorList {
	for i := len(obj.Spec.Names) - 1; i >= 0; i-- {
		if obj.Spec.Names[i] == "a" {
			return field.ErrorList{field.Invalid(spec.Child("names").Index(i), "a", "must not be a")}
		}
	}
	return nil
}

// ValidatePairs compares each item with those after it.
func ValidatePairs(obj *Thing) field.ErrorList {
	for i := 0; i < len(obj.Spec.Items); i++ {
		for j := i + 1; j < len(obj.Spec.Items); j++ {
			if obj.Spec.Items[i].Name == obj.Spec.Items[j].Name {
				return field.ErrorList{field.Duplicate(spec.Child("items").Index(j), obj.Spec.Items[j].Name)}
			}
		}
	}
	return nil
}

// ValidateOtherPairs compares each item with all others.
func ValidateOtherPairs(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	for i, item := range obj.Spec.Items {
		for j, other := range obj.Spec.Items {
			if i != j && item.Network != nil && other.Network != nil && item.Network.Port == other.Network.Port {
				errs = append(errs, field.Duplicate(spec.Child("items").Index(i).Child("network", "port"), item.Network.Port))
				break
			}
		}
	}
	return errs
}

// ValidatePrevious compares each item with the one before by its index.
func ValidatePrevious(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	for i := range obj.Spec.Items {
		if i > 0 && obj.Spec.Items[i].Count < obj.Spec.Items[i-1].Count {
			errs = append(errs, field.Invalid(spec.Child("items").Index(i).Child("count"), obj.Spec.Items[i].Count, "must not fall"))
		}
	}
	return errs
}

// ValidateOverNumber has a loop over a number.
func ValidateOverNumber(obj *Thing) field.ErrorList {
	for i := range 2 {
		if i < len(obj.Spec.Names) && obj.Spec.Names[i] == "b" {
			return field.ErrorList{field.Invalid(spec.Child("names").Index(i), "b", "must not be first or second")}
		}
	}
	return nil
}

// ValidateFirstOnly leaves a loop after the first item.
func ValidateFirstOnly(obj *Thing) field.ErrorList {
	for i, item := range obj.Spec.Items {
		if item.Count != 0 {
			return field.ErrorList{field.Invalid(spec.Child("items").Index(i).Child("count"), item.Count, "of the first must be zero")}
		}
		break
	}
	return nil
}

// ValidateSkippedFirst does not ask the first item.
func ValidateSkippedFirst(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	for i, item := range obj.Spec.Items {
		if i == 0 {
			continue
		}
		if item.Weight != nil {
			errs = append(errs, field.Forbidden(spec.Child("items").Index(i).Child("weight"), "is for the first"))
		}
	}
	return errs
}

// ValidateRestOfList loops over a list without its first item.
func ValidateRestOfList(obj *Thing) field.ErrorList {
	if len(obj.Spec.Names) == 0 {
		return nil
	}
	for _, name := range obj.Spec.Names[1:] {
		if name == obj.Spec.Names[0] {
			return field.ErrorList{field.Duplicate(spec.Child("names"), name)}
		}
	}
	return nil
}
