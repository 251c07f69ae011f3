package constructs

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

func checkName(name string) error {
	if name == "" {
		return errors.New("is empty")
	}
	return nil
}

func checkBoth(obj *Thing) error {
	if err := checkName(obj.Spec.Name); err != nil {
		return fmt.Errorf("name: %w", err)
	}
	if err := checkName(obj.Spec.Other); err != nil {
		return fmt.Errorf("other: %w", err)
	}
	return nil
}

// ValidateWrappedError has an error that two functions pass on.
func ValidateWrappedError(obj *Thing) field.ErrorList {
	if err := checkBoth(obj); err != nil {
		return field.ErrorList{field.Invalid(spec, nil, err.Error())}
	}
	return nil
}

func parsedSize(obj *Thing) (int32, error) {
	if obj.Spec.Size < 0 {
		return -1, errors.New("is negative")
	}
	return obj.Spec.Size + 1, nil
}

// ValidateNamedResults has results with names, which a return without values returns.
func ValidateNamedResults(obj *Thing) field.ErrorList {
	size, err := namedResults(obj)
	if err != nil {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, err.Error())}
	}
	if size > 3 {
		return field.ErrorList{field.Invalid(spec.Child("replicas"), size, "is too large")}
	}
	return nil
}

func namedResults(obj *Thing) (size int32, err error) {
	if obj.Spec.Size < 0 {
		err = errors.New("is negative")
		return
	}
	size = max(obj.Spec.Replicas, 0)
	return
}

var errEmpty = errors.New("is empty")

func sentinel(name string) error {
	switch name {
	case "":
		return errEmpty
	case "a":
		return fmt.Errorf("%q is taken", name)
	}
	return nil
}

// ValidateSentinel tells one error from others.
func ValidateSentinel(obj *Thing) field.ErrorList {
	if err := sentinel(obj.Spec.Name); err != nil && !errors.Is(err, errEmpty) {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, err.Error())}
	}
	return nil
}

// ValidateJoinedErrors joins errors, of which each may be nil.
func ValidateJoinedErrors(obj *Thing) field.ErrorList {
	if err := errors.Join(checkName(obj.Spec.Name), checkName(obj.Spec.Text)); err != nil {
		return field.ErrorList{field.Required(spec, err.Error())}
	}
	return nil
}

// ValidateOverwrittenError overwrites an error before it is asked.
func ValidateOverwrittenError(obj *Thing) field.ErrorList {
	err := checkName(obj.Spec.Name)
	err = checkName(obj.Spec.Other)
	if err != nil {
		return field.ErrorList{field.Required(spec.Child("otherName"), err.Error())}
	}
	return nil
}

// ValidateIgnoredError calls a function whose error is not asked.
func ValidateIgnoredError(obj *Thing) field.ErrorList {
	_ = checkName(obj.Spec.Name)
	return wrong(obj.Spec.Text == "a")
}

// ValidateFirstError returns the first of several errors.
func ValidateFirstError(obj *Thing) field.ErrorList {
	if err := cmp.Or(checkName(obj.Spec.Name), checkName(obj.Spec.Other)); err != nil {
		return field.ErrorList{field.Required(spec, err.Error())}
	}
	return nil
}

// ValidateDefaultedText has the first text that is not empty.
func ValidateDefaultedText(obj *Thing) field.ErrorList {
	return wrong(cmp.Or(obj.Spec.Name, obj.Spec.Other, "c") == "c")
}

// ValidateNumberOfErrors asks how many errors there are.
func ValidateNumberOfErrors(obj *Thing) field.ErrorList {
	errs := ValidateNil(obj)
	if len(errs) == 2 {
		return field.ErrorList{field.Invalid(spec, nil, "has two mistakes")}
	}
	return nil
}

// ValidateFilteredErrors returns only some of the errors of another function.
func ValidateFilteredErrors(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	for _, err := range ValidateNil(obj) {
		if err.Field == "spec.limit" {
			errs = append(errs, err)
		}
	}
	return errs
}

// ValidateMoreErrors appends the errors of functions on a condition.
func ValidateMoreErrors(obj *Thing) (errs field.ErrorList) {
	if !obj.Spec.Paused {
		errs = append(errs, ValidateZero(obj)...)
	}
	if len(errs) == 0 {
		errs = append(errs, ValidateNil(obj)...)
	}
	return errs
}

// validating is an interface with one implementation.
type validating interface {
	mistake(name string) *field.Error
}

type short struct{ most int }

func (s short) mistake(name string) *field.Error {
	if len(name) > s.most {
		return field.TooLong(spec.Child("name"), name, s.most)
	}
	return nil
}

// ValidateInterface calls a method of an interface that one type has.
func ValidateInterface(obj *Thing) field.ErrorList {
	var v validating = short{2}
	if err := v.mistake(obj.Spec.Name); err != nil {
		return field.ErrorList{err}
	}
	return nil
}

// named is an interface with two implementations.
type named interface{ name() string }

func (i Item) name() string { return i.Name }

func (n Network) name() string { return n.Host }

// ValidateTwoImplementations calls a method of an interface whose value has a known type.
func ValidateTwoImplementations(obj *Thing) field.ErrorList {
	if obj.Spec.Network == nil {
		return nil
	}
	for _, one := range []named{*obj.Spec.Network, Item{Name: obj.Spec.Name}} {
		if one.name() == "a" {
			return field.ErrorList{field.Invalid(spec.Child("name"), "a", "is taken")}
		}
	}
	return nil
}

func firstName[T named](all []T) string {
	for _, one := range all {
		return one.name()
	}
	return ""
}

// ValidateGenericMethod calls a method of a parameter of a type.
func ValidateGenericMethod(obj *Thing) field.ErrorList {
	return wrong(firstName(obj.Spec.Items) == "a")
}

func typed(v any) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case string:
		return v
	case *string:
		if v == nil {
			return "nil"
		}
		return *v
	case fmt.Stringer:
		return v.String()
	default:
		return "other"
	}
}

// ValidateTypeSwitch calls a function that switches over the types of values, of which one is a pointer that may be nil.
func ValidateTypeSwitch(obj *Thing) field.ErrorList {
	return wrong(typed(obj.Spec.Name) == "a" || typed(obj.Spec.Selected) == "nil" || typed(obj.Spec.Size) == "a")
}

// ValidateDuration compares durations.
func ValidateDuration(obj *Thing) field.ErrorList {
	if timeout := obj.Spec.Timeout; timeout != nil && (timeout.Duration < time.Second || timeout.Duration > 24*time.Hour) {
		return field.ErrorList{field.Invalid(spec.Child("timeout"), timeout.Duration.String(), "must be between a second and a day")}
	}
	return nil
}

// ValidateSeconds asks for the seconds of a duration, with parts of one.
func ValidateSeconds(obj *Thing) field.ErrorList {
	return wrong(obj.Spec.Timeout != nil && obj.Spec.Timeout.Seconds() < 1)
}

// ValidateParsedDuration reads a duration from a text.
func ValidateParsedDuration(obj *Thing) field.ErrorList {
	d, err := time.ParseDuration(obj.Spec.Text)
	return wrong(err == nil && d > time.Hour/2)
}

// ValidateParsedBeforeUse uses the result of a function with an error only if there was none.
func ValidateParsedBeforeUse(obj *Thing) field.ErrorList {
	size, err := parsedSize(obj)
	return wrong(err == nil && size == 3)
}
