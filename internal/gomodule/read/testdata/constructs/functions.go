package constructs

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

func ValidateClosure(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	check := func(name, text string) {
		if text == "b" {
			errs = append(errs, field.Invalid(spec.Child(name), text, "must not be b"))
		}
	}
	check("name", obj.Spec.Name)
	check("otherName", obj.Spec.Other)
	return errs
}

func (n *Network) validate(path *field.Path) field.ErrorList {
	if n == nil {
		return nil
	}
	if n.Port == 0 {
		return field.ErrorList{field.Required(path.Child("port"), "")}
	}
	return nil
}

func ValidateMethod(obj *Thing) field.ErrorList {
	errs := obj.Spec.Network.validate(spec.Child("network"))
	for i, item := range obj.Spec.Items {
		errs = append(errs, item.Network.validate(spec.Child("items").Index(i).Child("network"))...)
	}
	return errs
}

func atMost[T int32 | int64](path *field.Path, value, most T) *field.Error {
	if value > most {
		return field.Invalid(path, value, fmt.Sprintf("must be at most %d", most))
	}
	return nil
}

func ValidateGeneric(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	if err := atMost(spec.Child("size"), obj.Spec.Size, 2); err != nil {
		errs = append(errs, err)
	}
	return errs
}

func ValidateMasked(obj *Thing) field.ErrorList {
	if errs := ValidateRequired(obj); len(errs) > 0 {
		return errs
	}
	if obj.Spec.Size == 0 {
		return field.ErrorList{field.Required(spec.Child("size"), "")}
	}
	return nil
}

func ValidateErrorAsCondition(obj *Thing) field.ErrorList {
	if errs := ValidateZero(obj); len(errs) > 0 {
		return field.ErrorList{field.Invalid(spec, "", "has a wrong size")}
	}
	return nil
}

func mistakes(name string) []string {
	var all []string
	if name == "" {
		all = append(all, "is empty")
	}
	for _, word := range []string{"a", "b"} {
		if name == word {
			all = append(all, fmt.Sprintf("must not be %q", word))
		}
	}
	return all
}

func ValidateAppended(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	for _, text := range mistakes(obj.Spec.Name) {
		errs = append(errs, field.Invalid(spec.Child("name"), obj.Spec.Name, text))
	}
	if len(mistakes(obj.Spec.Other)) > 0 {
		errs = append(errs, field.Invalid(spec.Child("otherName"), obj.Spec.Other, "is wrong"))
	}
	return errs
}

func isShort(name string) bool { return len(name) < 2 }

func isFirst(name string) bool { return name == "a" || name == "ab" }

// ValidateChosenFunction calls one of two functions.
func ValidateChosenFunction(obj *Thing) field.ErrorList {
	is := isShort
	if obj.Spec.Paused {
		is = isFirst
	}
	if !is(obj.Spec.Name) {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, "is not")}
	}
	return nil
}

// ValidateHidden has an error that is hidden only sometimes: the later one keeps that condition.
func ValidateHidden(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	if problems := mistakes(obj.Spec.Name); len(problems) == 0 {
		if obj.Spec.Size > 1 {
			errs = append(errs, field.Invalid(spec.Child("size"), obj.Spec.Size, "too large for the name"))
		}
	} else if obj.Spec.Paused {
		errs = append(errs, field.Invalid(spec.Child("name"), obj.Spec.Name, problems[0]))
	}
	return errs
}

// mistake returns the first mistake of those of a table, or those that it gathers.
func mistake(name string) []string {
	for _, word := range []string{"a", "b"} {
		if name == word {
			return []string{fmt.Sprintf("must not be %q", word)}
		}
	}
	var all []string
	if name == "" {
		all = append(all, "is empty")
	}
	return all
}

// ValidateReturnedTexts has mistakes that a function returns early, and others that it gathers.
func ValidateReturnedTexts(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	for _, text := range mistake(obj.Spec.Name) {
		errs = append(errs, field.Invalid(spec.Child("name"), obj.Spec.Name, text))
	}
	return errs
}

// rejected makes an error for others: its places are theirs.
func rejected(action string, arguments ...any) *field.Error {
	text := action
	if arguments != nil {
		text = fmt.Sprintf(action, arguments...)
	}
	return field.Forbidden(spec, "it tried to "+text)
}

// ValidateRejected has two errors that the same function makes.
func ValidateRejected(obj *Thing) field.ErrorList {
	if obj.Spec.Name == "reserved" {
		return field.ErrorList{rejected("take a reserved name")}
	}
	if len(obj.Spec.Items) > 2 {
		return field.ErrorList{rejected("have %d items", len(obj.Spec.Items))}
	}
	return nil
}

// ValidateParsed reads two results of a function that is not read, and two fields and items of what it returns: each is a
// part of its own.
func ValidateParsed(obj *Thing) field.ErrorList {
	var parsed map[string]any
	if err := json.Unmarshal([]byte(obj.Spec.Name), &parsed); err != nil {
		return field.ErrorList{field.Forbidden(spec, "no JSON")}
	}
	if _, has := parsed["a"]; has {
		return field.ErrorList{field.Forbidden(spec, "a is not allowed")}
	}
	if _, has := parsed["b"]; !has {
		return field.ErrorList{field.Forbidden(spec, "b is missing")}
	}
	return nil
}
