package constructs

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ValidateClosureInLoop adds errors by a closure that a loop calls: no statement of the loop assigns the list.
func ValidateClosureInLoop(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	add := func(path *field.Path, text string) {
		errs = append(errs, field.Invalid(path, nil, text))
	}
	for i, item := range obj.Spec.Items {
		if item.Name == "a" {
			add(spec.Child("items").Index(i), "must not be a")
		}
	}
	return errs
}

// ValidateCounterInClosure counts by a closure that a loop calls.
func ValidateCounterInClosure(obj *Thing) field.ErrorList {
	count := 0
	inc := func() { count++ }
	for _, item := range obj.Spec.Items {
		if item.Weight != nil {
			inc()
		}
	}
	if count > 1 {
		return field.ErrorList{field.TooMany(spec.Child("items"), count, 1)}
	}
	return nil
}

// ValidateFlagInClosure sets a flag by a closure, outside of loops.
func ValidateFlagInClosure(obj *Thing) field.ErrorList {
	sources := 0
	check := func(isSet bool) {
		if isSet {
			sources++
		}
	}
	check(obj.Spec.Network != nil)
	check(obj.Spec.Selected != nil)
	check(obj.Spec.Paused)
	if sources > 1 {
		return field.ErrorList{field.Forbidden(spec, "has several sources")}
	}
	return nil
}

func each(items []Item, visit func(i int, item *Item)) {
	for i := range items {
		visit(i, &items[i])
	}
}

// ValidateVisitor gives a closure to a function with the loop, as those of pods visit containers.
func ValidateVisitor(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	each(obj.Spec.Items, func(i int, item *Item) {
		if item.Count > 3 {
			errs = append(errs, field.Invalid(spec.Child("items").Index(i).Child("count"), item.Count, "is too large"))
		}
	})
	return errs
}

func anyItem(items []Item, is func(Item) bool) bool {
	for _, item := range items {
		if is(item) {
			return true
		}
	}
	return false
}

// ValidatePredicate gives a closure that asks a variable of the caller to a function that asks it in a loop.
func ValidatePredicate(obj *Thing) field.ErrorList {
	least := obj.Spec.Replicas
	if anyItem(obj.Spec.Items, func(item Item) bool { return item.Count > least }) {
		return field.ErrorList{field.Invalid(spec.Child("replicas"), least, "an item is larger")}
	}
	return nil
}

func notEmpty(text string) *field.Error {
	if text == "" {
		return field.Required(spec.Child("name"), "")
	}
	return nil
}

func notLong(text string) *field.Error {
	if len(text) > 3 {
		return field.Invalid(spec.Child("name"), text, "is too long")
	}
	return nil
}

// ValidateListOfFunctions calls each function of a list, up to the first error.
func ValidateListOfFunctions(obj *Thing) field.ErrorList {
	for _, validate := range []func(string) *field.Error{notEmpty, notLong} {
		if err := validate(obj.Spec.Name); err != nil {
			return field.ErrorList{err}
		}
	}
	return nil
}

// ValidateMapOfFunctions chooses a function by a key of a map.
func ValidateMapOfFunctions(obj *Thing) field.ErrorList {
	byMode := map[Mode]func(string) *field.Error{Fast: notEmpty, Slow: notLong}
	validate, ok := byMode[obj.Spec.Mode]
	if !ok {
		return field.ErrorList{field.NotSupported(spec.Child("mode"), obj.Spec.Mode, []Mode{Fast, Slow})}
	}
	if err := validate(obj.Spec.Name); err != nil {
		return field.ErrorList{err}
	}
	return nil
}

// option changes how a function validates.
type option func(*settings)

type settings struct {
	most     int
	required bool
}

func withMost(most int) option { return func(s *settings) { s.most = most } }

func required(s *settings) { s.required = true }

func validateName(name string, options ...option) (errs field.ErrorList) {
	s := settings{most: 2}
	for _, set := range options {
		set(&s)
	}
	if s.required && name == "" {
		errs = append(errs, field.Required(spec.Child("name"), ""))
	}
	if len(name) > s.most {
		errs = append(errs, field.TooLong(spec.Child("name"), name, s.most))
	}
	return errs
}

// ValidateFunctionalOptions calls a function with options that are functions.
func ValidateFunctionalOptions(obj *Thing) field.ErrorList {
	return validateName(obj.Spec.Name, withMost(3), required)
}

func lessThan(most int32) func(int32) bool {
	return func(n int32) bool { return n < most }
}

// ValidateReturnedFunction calls a function that another one made of its parameter.
func ValidateReturnedFunction(obj *Thing) field.ErrorList {
	fits := lessThan(obj.Spec.Replicas)
	if !fits(obj.Spec.Status()) {
		return field.ErrorList{field.Invalid(spec.Child("replicas"), obj.Spec.Replicas, "must be above the limit")}
	}
	return nil
}

// Status returns a number that is never nil.
func (s *Spec) Status() int32 {
	if s.Limit == nil {
		return 0
	}
	return *s.Limit
}

// ValidateMethodValue uses a method as a function.
func ValidateMethodValue(obj *Thing) field.ErrorList {
	limit := obj.Spec.Status
	if limit() > 2 {
		return field.ErrorList{field.Invalid(spec.Child("limit"), limit(), fmt.Sprintf("must be at most %d", 2))}
	}
	return nil
}

// ValidateShadowed has a closure whose parameter and variable have the names of others.
func ValidateShadowed(obj *Thing) field.ErrorList {
	name, errs := obj.Spec.Name, field.ErrorList{}
	check := func(name string) {
		errs := field.ErrorList{field.Required(spec, "is never returned")}
		_ = errs
		if name == "a" {
			name = "b"
		}
	}
	check(name)
	if name == "a" {
		errs = append(errs, field.Invalid(spec.Child("name"), name, "is still a"))
	}
	return errs
}

// ValidateDeferredClosure has a deferred closure that changes nothing that is returned.
func ValidateDeferredClosure(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	done := false
	defer func() { done = true }()
	if obj.Spec.Paused && !done {
		errs = append(errs, field.Forbidden(spec.Child("paused"), "is not done"))
	}
	return errs
}

func nth(n int, texts ...string) string {
	if n >= len(texts) {
		return ""
	}
	return texts[n]
}

// ValidateVariadic counts and indexes the arguments of a variadic function.
func ValidateVariadic(obj *Thing) field.ErrorList {
	if nth(1, obj.Spec.Name, obj.Spec.Other) == "b" || nth(1, obj.Spec.Text) == "b" {
		return field.ErrorList{field.Invalid(spec.Child("otherName"), obj.Spec.Other, "must not be b")}
	}
	return nil
}

// ValidateSpread passes a list of the object as the arguments of a variadic function.
func ValidateSpread(obj *Thing) field.ErrorList {
	if nth(1, obj.Spec.Names...) == "b" {
		return field.ErrorList{field.Invalid(spec.Child("names"), nil, "b must not be second")}
	}
	return nil
}
