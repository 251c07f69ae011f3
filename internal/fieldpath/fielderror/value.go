package fielderror

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Kind is the kind of a bad value. It is a closed set.
type Kind int

const (
	// Unnamed: the error does not name its value.
	Unnamed Kind = iota
	// Composite: an object, a list or any other Go value that is not a scalar.
	Composite
	// TypeName: the name of a schema type, which apiextensions-apiserver reports in place of the
	// value. It may also be a text that equals the name.
	TypeName
	// String, Number and Boolean are values of JSON.
	String
	Number
	Boolean
	// Quantity, Duration and Time are Go values that are texts in JSON.
	Quantity
	Duration
	Time
)

// Value is the bad value of an error in a form that can be compared between two validators. They often
// see different Go types (an internal struct, a string made from a quantity), so only scalars are
// compared. The zero Value names no value.
type Value struct {
	Kind  Kind
	Text  string // of a scalar: a text as it is, a number in decimal
	Whole any    // of a composite value
}

// Scalar reports whether the error names its value and the value is not composite.
func (v Value) Scalar() bool { return v.Kind >= String }

// inGoSyntax matches a composite value as older releases of apimachinery print it, which webhooks return
// as a text. Texts of users may have braces too, but do not begin with the type of a list or map, or with
// a type of a package and the name of a field.
var inGoSyntax = regexp.MustCompile(`^&?(?:` +
	`(?:\*|\[\d*\]|map\[[\w.]+\])+(?:[A-Za-z_][\w./]*|interface \{\}|struct \{.*\})(?:\{.*\}|\(nil\))` +
	`|[a-z]\w*\.[A-Za-z]\w*(?:\{(?:\w+:.*)?\}|\(nil\)))$`)

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
	if read, ok := readAmount(v.Interface()); ok {
		return read
	}
	if read, ok := readScalar(v); ok {
		return read
	}
	if marshaler, ok := v.Interface().(json.Marshaler); ok {
		// IntOrString and others are structs that stand for a scalar.
		if text := jsonText(marshaler); text != "" && text[0] != '{' && text[0] != '[' {
			return readJSONScalar(text)
		}
	}
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 && v.Len() > 0 {
		return Value{Kind: String, Text: base64.StdEncoding.EncodeToString(v.Bytes())} // as in JSON
	}
	return Value{Kind: Composite, Whole: v.Interface()}
}

// silentValue reports whether a bad value names no value: nil, and the placeholders of field.TooLong and
// field.TooMany.
func silentValue(value any) bool {
	switch value := value.(type) {
	case nil, field.OmitValueType:
		return true
	case string:
		return value == "" || value == "<value omitted>"
	}
	return false
}

// namesType reports whether a text is the name of a schema type, which
// apiextensions-apiserver reports for CEL and type errors.
func namesType(text string) bool {
	switch text {
	case "object", "array", "string", "integer", "number", "boolean", "null":
		return true
	}
	return false
}

// readAmount reads the types of apimachinery that JSON has as texts.
func readAmount(value any) (Value, bool) {
	switch value := value.(type) {
	case resource.Quantity:
		return Value{Kind: Quantity, Text: value.String()}, true
	case time.Duration:
		return Value{Kind: Duration, Text: value.String()}, true
	case metav1.Duration:
		return Value{Kind: Duration, Text: value.Duration.String()}, true
	case time.Time:
		return readTime(value), true
	case metav1.Time:
		return readTime(value.Time), true
	case metav1.MicroTime:
		return readTime(value.Time), true
	}
	return Value{}, false
}

func readTime(at time.Time) Value {
	if at.IsZero() {
		return Value{}
	}
	return Value{Kind: Time, Text: at.UTC().Format(time.RFC3339Nano)}
}

func readScalar(v reflect.Value) (Value, bool) {
	switch v.Kind() {
	case reflect.String:
		if number, ok := v.Interface().(json.Number); ok {
			return Value{Kind: Number, Text: canonicalNumber(string(number))}, true
		}
		return readString(v.String()), true
	case reflect.Bool:
		return Value{Kind: Boolean, Text: strconv.FormatBool(v.Bool())}, true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return Value{Kind: Number, Text: strconv.FormatInt(v.Int(), 10)}, true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return Value{Kind: Number, Text: strconv.FormatUint(v.Uint(), 10)}, true
	case reflect.Float32:
		return Value{Kind: Number, Text: canonicalNumber(strconv.FormatFloat(v.Float(), 'g', -1, 32))}, true
	case reflect.Float64:
		return Value{Kind: Number, Text: canonicalNumber(strconv.FormatFloat(v.Float(), 'g', -1, 64))}, true
	}
	return Value{}, false
}

func readString(text string) Value {
	switch {
	case text == "":
		return Value{} // an empty text of a named type
	case namesType(text):
		return Value{Kind: TypeName, Text: text}
	case inGoSyntax.MatchString(text):
		return Value{Kind: Composite, Whole: text}
	}
	return Value{Kind: String, Text: text}
}

func readJSONScalar(text string) Value {
	var value any
	switch err := json.Unmarshal([]byte(text), &value); {
	case err != nil || value == nil:
		return Value{}
	default:
		switch value := value.(type) {
		case string:
			return readString(value)
		case bool:
			return Value{Kind: Boolean, Text: text}
		}
	}
	return Value{Kind: Number, Text: canonicalNumber(text)}
}

// jsonText returns a value as JSON, or its type if that is impossible: some types of Kubernetes panic
// when they are marshalled.
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

// Identity returns a text that is equal for values that a reader cannot distinguish.
func (v Value) Identity() string {
	switch v.Kind {
	case Unnamed:
		return ""
	case Composite:
		return "{" + jsonText(v.Whole)
	case Number, Boolean:
		return "=" + v.Text + "\x00" // sorts after the text with the same characters
	}
	return "=" + v.Text
}
