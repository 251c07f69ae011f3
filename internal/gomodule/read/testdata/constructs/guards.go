package constructs

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/ptr"
)

// ValidateSkippedByAnnotation validates nothing if an annotation says so.
func ValidateSkippedByAnnotation(obj *Thing) field.ErrorList {
	if obj.Annotations["example.com/skip"] == "true" {
		return nil
	}
	if obj.Spec.Size > 2 {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, "is too large")}
	}
	return nil
}

// ValidateSkippedByKey is skipped by the key of a label, whatever its value is.
func ValidateSkippedByKey(obj *Thing) field.ErrorList {
	if _, skipped := obj.Labels["other"]; !skipped && obj.Spec.Size > 2 {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, "is too large")}
	}
	return nil
}

// ValidateDeleted validates nothing of what is deleted.
func ValidateDeleted(obj *Thing) field.ErrorList {
	if !obj.DeletionTimestamp.IsZero() {
		return nil
	}
	if obj.Spec.Name == "a" {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, "is taken")}
	}
	return nil
}

// ValidatePausedOrNot validates one of two things.
func ValidatePausedOrNot(obj *Thing) field.ErrorList {
	if obj.Spec.Paused {
		if obj.Spec.Size != 0 {
			return field.ErrorList{field.Forbidden(spec.Child("size"), "is zero for what is paused")}
		}
		return nil
	}
	if obj.Spec.Size == 0 {
		return field.ErrorList{field.Required(spec.Child("size"), "")}
	}
	return nil
}

// ValidateTristate treats an absent bool as true.
func ValidateTristate(obj *Thing) field.ErrorList {
	if ptr.Deref(obj.Spec.Enabled, true) && obj.Spec.Name == "" {
		return field.ErrorList{field.Required(spec.Child("name"), "of what is enabled")}
	}
	return nil
}

// isSmall is a predicate whose result has a name.
func isSmall(of *Spec) (small bool) {
	small = of.Size < 2
	return
}

// ValidateNamedResult calls a function whose result has a name.
func ValidateNamedResult(obj *Thing) field.ErrorList {
	if isSmall(&obj.Spec) && obj.Spec.Mode == Fast {
		return field.ErrorList{field.Invalid(spec.Child("mode"), obj.Spec.Mode, "small things are slow")}
	}
	return nil
}

// ValidateNestedGuards has a guard in each of three blocks.
func ValidateNestedGuards(obj *Thing) field.ErrorList {
	if obj.Spec.Roll != nil {
		if step := obj.Spec.Roll.Step; step != nil {
			if at := step.At; at != nil && *at > 2 {
				return field.ErrorList{field.Invalid(spec.Child("roll", "step", "at"), *at, "is too late")}
			}
		}
	}
	return nil
}

// ValidateEarlyChain returns at the first of several guards.
func ValidateEarlyChain(obj *Thing) field.ErrorList {
	if obj.Spec.Network == nil || obj.Spec.Network.Host == "" {
		return nil
	}
	if obj.Spec.Network.Port != 0 {
		return nil
	}
	return field.ErrorList{field.Required(spec.Child("network", "port"), "of a host")}
}

// ValidateSwitchOfTwo switches over two values at once.
func ValidateSwitchOfTwo(obj *Thing) field.ErrorList {
	switch {
	case obj.Spec.Mode == Fast && obj.Spec.Size > 2, obj.Spec.Mode == Slow && obj.Spec.Size > 3:
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, "is too large for the mode")}
	case obj.Spec.Mode == "" && obj.Spec.Size > 0:
		return field.ErrorList{field.Required(spec.Child("mode"), "of a size")}
	}
	return nil
}

// limits are bounds by mode, which nothing changes.
var limits = map[Mode]int32{Fast: 2, Slow: 4}

// ValidateByTable looks a bound up.
func ValidateByTable(obj *Thing) field.ErrorList {
	if limit, known := limits[obj.Spec.Mode]; known && obj.Spec.Size > limit {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, "is over the bound of the mode")}
	}
	return nil
}

// sizeCheck is a check of a table.
type sizeCheck struct {
	wrong func(*Spec) bool
	text  string
}

// ValidateByChecks runs a list of functions.
func ValidateByChecks(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	for _, one := range []sizeCheck{
		{func(s *Spec) bool { return s.Size < 0 }, "is negative"},
		{func(s *Spec) bool { return s.Size > 3 }, "is large"},
	} {
		if one.wrong(&obj.Spec) {
			errs = append(errs, field.Invalid(spec.Child("size"), obj.Spec.Size, one.text))
		}
	}
	return errs
}

// ValidateModeKeptUpdate has a transition that an update may make only in one direction, and never twice.
func ValidateModeKeptUpdate(obj, old *Thing) field.ErrorList {
	if old.Spec.Mode == Slow && obj.Spec.Mode == Fast && obj.Spec.Size >= old.Spec.Size {
		return field.ErrorList{field.Forbidden(spec.Child("mode"), "a thing becomes fast only if it shrinks")}
	}
	return nil
}
