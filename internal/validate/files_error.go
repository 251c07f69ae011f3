package validate

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// errorText returns an error on one line: the field and the message.
func errorText(err *field.Error) string {
	shown := *err
	if _, body, found := strings.Cut(err.Detail, " in body must be of type "); found {
		shown.Detail = "must be of type " + body // the field precedes the text
	}
	shown.Detail = strings.TrimPrefix(shown.Detail, err.Field+" in body ")
	text := typeText(&shown)
	if text == "" {
		text = plaintext.ErrorBody(&shown)
	}
	where := plaintext.Cut(strings.TrimPrefix(strings.TrimPrefix(err.Field, "."), noField), plaintext.MaxLine)
	if err.Origin == strictOrigin || where == "" && err.BadValue == nil {
		text = err.Detail
	}
	if where != "" {
		text = where + ": " + text
	}
	return plaintext.Error(errors.New(text))
}

// typeText returns the message for an error about a wrong type, or "" for other errors. kube-openapi calls a
// format a type, and quotes the value in place of its type.
func typeText(err *field.Error) string {
	said, isType := strings.CutPrefix(err.Detail, "must be of type ")
	wanted, after, quoted := strings.Cut(said, fmt.Sprintf(": %q", err.BadValue))
	if !isType || !quoted {
		return ""
	}
	given, _ := err.BadValue.(string)
	name, isName := typeNames()[given]
	isFormat := strings.HasPrefix(err.Origin, "format")
	if isFormat || !isName && (given != "" || err.Origin == "") {
		return fmt.Sprintf("Invalid value: %q: must be of format %s%s", given, wanted, after)
	}
	switch {
	case wanted == "int32" || wanted == "int64":
		wanted = "integer"
	case strings.Contains(wanted, ","): // several types
	case typeNames()[wanted] == "":
		wanted = "string with format " + wanted // of numbers, the format is no type
	}
	if !isName {
		return "must be of type " + wanted // kube-openapi does not name the type of true
	}
	return fmt.Sprintf("must be of type %s, not %s", wanted, name)
}

// typeNames maps the names of types in kube-openapi to JSON types. If the schema has a format, kube-openapi
// uses names of Go types.
func typeNames() map[string]string {
	return map[string]string{
		"array": "array", "boolean": "boolean", "integer": "integer", "null": "null", "number": "number", "object": "object",
		"string": "string",
		"bool":   "boolean", "int64": "integer", "float64": "number", "[]interface {}": "array", "map[string]interface {}": "object",
		"slice": "array", "map": "object",
	}
}

// noField is the path of a whole object in apimachinery.
const noField = "<nil>"
