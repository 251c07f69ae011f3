// Package fieldvalue has the sides of pairs that are values of a field, not errors.
package fieldvalue

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// The types of sides that are values of a field: after defaulting, or after mutation and defaulting.
const (
	DefaultType field.ErrorType = "FieldDefault"
	ResultType  field.ErrorType = "FieldResult"
)

// IsValue reports whether an entry of this type is the value of a field.
func IsValue(errorType field.ErrorType) bool {
	return errorType == DefaultType || errorType == ResultType
}

// Default returns one side of a pair of class equivalence.Default: the value of the field at a path, such as
// spec.ports[0].protocol, after defaulting. The value is decoded JSON; nil means an absent field. Detail
// contains it as JSON.
func Default(at string, value any) *field.Error {
	return side(DefaultType, at, value, value != nil, "after defaulting")
}

// Result returns one side of a pair of class equivalence.Result: the value of the field at a path in the object
// that would be stored. Unlike in Default, nil is null; present is false for an absent field.
func Result(at string, value any, present bool) *field.Error {
	return side(ResultType, at, value, present, stored)
}

// What the details of results say, and when their values are taken.
const (
	absent    = "absent"
	stored    = "after mutation and defaulting"
	converted = "after conversion to "
	lost      = "absent: lost at the write, which stores the object as "
)

// Converted returns a copy of one side of Result: the value of the field in the object as another version of its kind
// returns it, such as autoscaling/v1.
func Converted(result *field.Error, version string) *field.Error {
	copied := *result
	copied.Detail = strings.TrimSuffix(copied.Detail, stored) + converted + version
	return &copied
}

// Lost returns a copy of one side of Result, an absent field, that says that it was lost at the write: the version
// that objects are stored in, such as autoscaling/v1, does not have it. A side that has a value is returned as it is.
func Lost(result *field.Error, version string) *field.Error {
	if result.Detail != absent+" "+stored {
		return result
	}
	copied := *result
	copied.Detail = lost + strconv.Quote(version) // quoted: findings do not differ in it
	return &copied
}

// Text returns the value in the detail of one side of Result, and the version that the object was converted to; empty:
// that of the request.
func Text(detail string) (value, version string) {
	if value, is := strings.CutSuffix(detail, " "+stored); is {
		return value, ""
	}
	if at := strings.LastIndex(detail, " "+converted); at >= 0 {
		return detail[:at], detail[at+1+len(converted):]
	}
	if strings.HasPrefix(detail, lost) {
		return absent, ""
	}
	return detail, ""
}

func side(errorType field.ErrorType, at string, value any, present bool, when string) *field.Error {
	made := &field.Error{Type: errorType, Field: at, BadValue: value, Detail: absent + " " + when}
	if !present {
		return made
	}
	text, err := json.Marshal(value)
	if err != nil {
		text = fmt.Append(nil, value)
	}
	made.Detail = string(text) + " " + when
	return made
}
