package fielderror

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Value is the bad value of an error, reduced to what two validators can be compared
// by. They often see different Go types (an internal struct, a string made of a
// quantity), so only scalars are compared, by their text. The zero Value says nothing.
type Value struct {
	Scalar bool
	Text   string // of a scalar
	Whole  any    // of a composite value
}

// inGoSyntax is a composite value as older releases of apimachinery print it; what a
// webhook said of it comes back as that text.
var inGoSyntax = regexp.MustCompile(`^&?(?:\*|\[\d*\]|map\[[\w.]+\])*(?:[A-Za-z_][\w./]*|interface \{\}|struct \{.*\})(?:\{.*\}|\(nil\))$`)

// ReadValue reads the BadValue of an error.
func ReadValue(value any) Value {
	if silentValue(value) {
		return Value{}
	}
	v := reflect.ValueOf(value)
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return Value{}
		}
		v = v.Elem()
	}
	if text, ok := scalarText(v); ok {
		if text == "" {
			return Value{} // an empty text of a named type
		}
		if v.Kind() == reflect.String && inGoSyntax.MatchString(text) {
			return Value{Whole: text}
		}
		return Value{Scalar: true, Text: text}
	}
	if marshaler, ok := v.Interface().(json.Marshaler); ok {
		// Quantity, IntOrString and Time are structs that stand for a scalar.
		if text := jsonText(marshaler); text != "" && text[0] != '{' && text[0] != '[' {
			return readJSONScalar(text)
		}
	}
	return Value{Whole: v.Interface()}
}

// silentValue recognizes what says nothing about the value: no value, the
// placeholders of field.TooLong and field.TooMany, and the name of a schema
// type, which apiextensions-apiserver reports for CEL and type errors.
func silentValue(value any) bool {
	switch value := value.(type) {
	case nil, field.OmitValueType:
		return true
	case string:
		switch value {
		case "", "<value omitted>", "object", "array", "string", "integer", "number", "boolean", "null":
			return true
		}
	}
	return false
}

func scalarText(v reflect.Value) (string, bool) {
	switch v.Kind() {
	case reflect.String:
		return v.String(), true
	case reflect.Bool:
		return strconv.FormatBool(v.Bool()), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10), true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.FormatUint(v.Uint(), 10), true
	case reflect.Float32, reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'f', -1, 64), true
	}
	return "", false
}

func readJSONScalar(text string) Value {
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil || value == nil {
		return Value{}
	}
	if s, ok := value.(string); ok {
		return Value{Scalar: true, Text: s}
	}
	return Value{Scalar: true, Text: text}
}

// jsonText gives a value as JSON, or its type where that is impossible: some
// types of Kubernetes panic when they are marshalled.
func jsonText(value any) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("%T", value)
		}
	}()
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprintf("%T", value)
	}
	return string(data)
}

// Identity is a text that is equal for values that a reader cannot tell apart.
func (v Value) Identity() string {
	switch {
	case v.Scalar:
		return "=" + v.Text
	case v.Whole != nil:
		return "{" + jsonText(v.Whole)
	}
	return ""
}
