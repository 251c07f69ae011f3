package validate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A value of a wrong type is one mistake. What validation would say because nothing, or
// something else, stands at its place is no mistake of the user: an object is therefore
// validated with the value left out and with another one in its place, and what both say
// counts.

// withoutValues gives a document without the values of errors. An item of a list is null, which
// every Go type reads as nothing, so that the others keep their index.
func withoutValues(document map[string]any, wrong field.ErrorList) map[string]any {
	left := runtime.DeepCopyJSON(document)
	for _, err := range wrong {
		if !dropField(left, err.Field) {
			if item := findField(left, err.Field); item != nil {
				item.set(nil)
			}
		}
	}
	return left
}

// mostTries bounds how often a document is read to repair it: each time costs as much as its size.
const mostTries = 64

// repair gives a document with other values in the place of wrong ones: those that the user may
// mean, or else any that can be read there. Where none can, and of many wrong values, nothing
// stands there. reads reports whether a document can be read.
func repair(document map[string]any, wrong field.ErrorList, reads func(map[string]any) bool) map[string]any {
	stands := map[*field.Error]any{}
	tries := 0
	for i, err := range wrong {
		if tries >= mostTries {
			break
		}
		tried := withoutValues(document, slices.Delete(slices.Clone(wrong), i, i+1))
		at := findField(tried, err.Field)
		if at == nil {
			continue
		}
		for _, value := range slices.Concat(meant(at.value()), anyValues()) {
			tries++
			if at.set(value); reads(tried) {
				stands[err] = value
				break
			}
		}
	}
	repaired := withoutValues(document, slices.DeleteFunc(slices.Clone(wrong), func(err *field.Error) bool { return stands[err] != nil }))
	for err, value := range stands {
		if at := findField(repaired, err.Field); at != nil {
			at.set(value)
		}
	}
	return repaired
}

// meant gives the values that somebody may mean who wrote one of another type: a number or true
// without quotes where a text is wanted, or the reverse.
func meant(value any) []any {
	switch value := value.(type) {
	case int64, float64, bool:
		return []any{fmt.Sprint(value)}
	case string:
		var all []any
		if integer, err := strconv.ParseInt(value, 10, 64); err == nil {
			all = append(all, integer)
		}
		if number, err := strconv.ParseFloat(value, 64); err == nil {
			all = append(all, number)
		}
		if truth, err := strconv.ParseBool(value); err == nil {
			all = append(all, truth)
		}
		return all
	}
	return nil
}

// anyValues are values of all types.
func anyValues() []any {
	return []any{int64(1), "a", true, "2006-01-02T15:04:05Z", "2006-01-02T15:04:05.000000Z", map[string]any{}, []any{}}
}

// inBoth gives the errors of one list that are in the other, too.
func inBoth(errs, others field.ErrorList) field.ErrorList {
	return slices.DeleteFunc(errs, func(err *field.Error) bool {
		return !slices.ContainsFunc(others, func(other *field.Error) bool {
			return err.Type == other.Type && err.Field == other.Field && err.Detail == other.Detail
		})
	})
}

// apartFrom leaves out the errors that wrong values may be the reason for, whatever stands in for them:
// those at their places, those of what contains them, and those of rules beside them: a rule looks at the
// fields of one object, and reports one of them. What a reference does not find may be what is wrong.
func apartFrom(wrong, errs field.ErrorList) field.ErrorList {
	var places []string
	for _, err := range wrong {
		places = append(places, withoutBrackets(err.Field))
	}
	within := func(path string) bool {
		return path == "" || slices.ContainsFunc(places, func(place string) bool { return isWithin(place, []string{path}) })
	}
	return slices.DeleteFunc(errs, func(err *field.Error) bool {
		at := withoutBrackets(strings.TrimPrefix(err.Field, noField))
		beside := at[:max(strings.LastIndexByte(at, '.'), 0)]
		ofRule := err.Origin == rulesOrigin && (beside != "" && within(beside) || err.Type == field.ErrorTypeNotFound)
		return isWithin(at, places) || within(at) || ofRule
	})
}

// rulesOrigin is the origin of errors of CEL rules.
const rulesOrigin = "x-kubernetes-validations"
