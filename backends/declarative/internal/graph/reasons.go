package graph

import (
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// reasons maps what a rule or x-kubernetes-validation-errors may give as a reason:
// the names of apiextensions (FieldValueRequired), and the short names that
// KEP-4153 uses ("Definition of validationRule": Required, Forbidden, Invalid).
// RequestEntityTooLarge is in the KEP's list and no type of a field error; the
// field error of that meaning is TooLong.
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
	var names []string
	for name := range reasons() {
		if !strings.HasPrefix(name, "FieldValue") {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return strings.Join(names, ", ")
}
