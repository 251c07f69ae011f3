package constructs

import (
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func ValidateLibrary(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	for _, text := range utilvalidation.IsDNS1123Label(obj.Spec.Name) {
		errs = append(errs, field.Invalid(spec.Child("name"), obj.Spec.Name, text))
	}
	if text := utilvalidation.IsDNS1035Label(obj.Spec.Other); len(text) > 0 && obj.Spec.Other != "" {
		errs = append(errs, field.Invalid(spec.Child("otherName"), obj.Spec.Other, "is no label"))
	}
	return errs
}

var letters = regexp.MustCompile(`^[a-z]+$`)

func ValidateRegexp(obj *Thing) field.ErrorList {
	if !letters.MatchString(obj.Spec.Name) {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, "must be letters")}
	}
	return nil
}

func ValidateStrings(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	if strings.HasPrefix(obj.Spec.Name, "a") && !strings.HasSuffix(obj.Spec.Name, "b") {
		errs = append(errs, field.Invalid(spec.Child("name"), obj.Spec.Name, "must end with b"))
	}
	if strings.Contains(obj.Spec.Other, obj.Spec.Name) {
		errs = append(errs, field.Invalid(spec.Child("otherName"), obj.Spec.Other, "must not contain the name"))
	}
	return errs
}

func ValidateSplit(obj *Thing) field.ErrorList {
	parts := strings.SplitN(obj.Spec.Name, "/", 2)
	if len(parts) == 2 && parts[0] == "" {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, "needs a prefix")}
	}
	return nil
}

// ValidateMarked asks for labels and annotations with the functions of their package.
func ValidateMarked(obj *Thing) field.ErrorList {
	if metav1.HasAnnotation(obj.ObjectMeta, "skip") || metav1.HasLabel(obj.ObjectMeta, "app") && obj.Labels["app"] != "x" {
		return nil
	}
	if obj.Spec.Size > 3 {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, "is too large")}
	}
	return nil
}

// ValidateQuantities compares quantities, of which one that is absent is zero.
func ValidateQuantities(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	if cpu := obj.Needed.Resources.Cpu(); cpu.IsZero() && obj.Spec.Size > 0 {
		errs = append(errs, field.Required(field.NewPath("needed", "resources", "cpu"), "is needed"))
	}
	if obj.Needed.Storage.Sign() < 0 || obj.Needed.Storage.Cmp(resource.MustParse("1Gi")) > 0 {
		errs = append(errs, field.Invalid(field.NewPath("needed", "storage"), obj.Needed.Storage.String(), "must be between 0 and 1Gi"))
	}
	return errs
}

// ValidateShares reads numbers and percentages, and rounds what they are of.
func ValidateShares(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	at := field.NewPath("needed", "share")
	share := obj.Needed.Share
	down, err := intstr.GetScaledValueFromIntOrPercent(&share, int(obj.Spec.Size), false)
	if err != nil {
		return append(errs, field.Invalid(at, share, "is no number and no percentage"))
	}
	up, err := intstr.GetScaledValueFromIntOrPercent(&share, int(obj.Spec.Size), true)
	if err == nil && down == 0 && up != 0 {
		errs = append(errs, field.Invalid(at, share, "must be a whole part of the size"))
	}
	return errs
}

// ValidateNumber reads a number in a text.
func ValidateNumber(obj *Thing) field.ErrorList {
	n, err := strconv.Atoi(obj.Spec.Name)
	if err != nil {
		return nil
	}
	if n < int(obj.Spec.Size) {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, "must be at least the size")}
	}
	return nil
}

// ValidateCharacters asks the first and the last byte of a text.
func ValidateCharacters(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	if name := obj.Spec.Name; len(name) > 0 && (name[0] == '/' || name[len(name)-1] == 'b') {
		errs = append(errs, field.Invalid(spec.Child("name"), name, "must not begin or end so"))
	}
	return errs
}

// ValidateParts asks a part of a text that an earlier error says is there.
func ValidateParts(obj *Thing) field.ErrorList {
	parts := strings.SplitN(obj.Spec.Name, "/", 2)
	if len(parts) != 2 {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, "needs a slash")}
	}
	if !letters.MatchString(parts[1]) {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, "must end with letters")}
	}
	return nil
}
