package graph

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// reasons maps the accepted reasons of rules and of x-kubernetes-validation-errors: the names of
// apiextensions (FieldValueRequired) and the short names of KEP-4153 ("Definition of
// validationRule": Required, Forbidden, Invalid). The KEP also lists RequestEntityTooLarge, which
// is not a type of field errors; TooLong is used instead.
func reasons() map[string]field.ErrorType {
	all := map[string]field.ErrorType{"RequestEntityTooLarge": field.ErrorTypeTooLong}
	for _, t := range []field.ErrorType{
		field.ErrorTypeNotFound, field.ErrorTypeRequired, field.ErrorTypeDuplicate,
		field.ErrorTypeInvalid, field.ErrorTypeNotSupported, field.ErrorTypeForbidden,
		field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTooFew,
		field.ErrorTypeTypeInvalid, field.ErrorTypeTooShort,
	} {
		all[string(t)] = t
		all[strings.TrimPrefix(string(t), "FieldValue")] = t
	}
	return all
}

func errorType(reason string) (field.ErrorType, bool) {
	t, ok := reasons()[reason]
	return t, ok
}

// reasonNames lists the short names, for messages.
func reasonNames() string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(reasons())), func(name string) bool { return strings.HasPrefix(name, "FieldValue") })
	return strings.Join(names, ", ")
}
