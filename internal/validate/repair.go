package validate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/object"
	"github.com/diffrun/diffrun/internal/openapi"
)

// A value of a wrong type is one mistake. Validation would report further errors because the value is missing
// or replaced. An object is therefore validated twice, without the value and with another value in its
// place, and only errors in both results count.

// withoutValues returns a document without the values of errors. It sets items of lists to null, which every Go
// type accepts, so that other items keep their index.
func withoutValues(document map[string]any, wrong field.ErrorList) map[string]any {
	for _, err := range wrong {
		left, dropped := dropField(document, err.Field)
		if at, found := object.Find(document, err.Field); found && !dropped {
			left = at.Put(document, nil)
		}
		document = left
	}
	return document
}

// mostTries is the limit of attempts to repair a document. The cost of each is proportional to its size.
const mostTries = 64

// repair returns a document with other values in place of wrong ones: values that the user may mean, or else
// any value that can be decoded. If there is none, or if there are many wrong values, it removes them. reads
// reports whether a document can be decoded.
func repair(document map[string]any, wrong field.ErrorList, reads func(map[string]any) bool) map[string]any {
	stands := map[*field.Error]any{}
	tries := 0
	for i, err := range wrong {
		if tries >= mostTries {
			break
		}
		tried := withoutValues(document, slices.Delete(slices.Clone(wrong), i, i+1))
		at, found := object.Find(tried, err.Field)
		if !found {
			continue
		}
		now, _ := at.Get(tried)
		for _, value := range slices.Concat(meant(now), anyValues()) {
			tries++
			if reads(at.Put(tried, value)) {
				stands[err] = value
				break
			}
		}
	}
	repaired := withoutValues(document, slices.DeleteFunc(slices.Clone(wrong), func(err *field.Error) bool { return stands[err] != nil }))
	for err, value := range stands {
		if at, found := object.Find(repaired, err.Field); found {
			repaired = at.Put(repaired, value)
		}
	}
	return repaired
}

// meant returns the values that the user may mean with a value of a wrong type: a number or true without quotes
// in place of a string, or the reverse.
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

// anyValues returns a value of each type.
func anyValues() []any {
	return []any{int64(1), "a", true, "2006-01-02T15:04:05Z", "2006-01-02T15:04:05.000000Z", map[string]any{}, []any{}}
}

// inBoth returns the errors that are in both lists.
func inBoth(errs, others field.ErrorList) field.ErrorList {
	return slices.DeleteFunc(errs, func(err *field.Error) bool {
		return !slices.ContainsFunc(others, func(other *field.Error) bool {
			return err.Type == other.Type && err.Field == other.Field && err.Detail == other.Detail
		})
	})
}

// apartFrom removes the errors that wrong values may cause, whatever replaces them: errors at their fields and
// at parents, and errors of rules at siblings, because a rule checks the fields of one object and reports one
// of them. A reference may miss the wrong value.
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
const rulesOrigin = openapi.XValidations
