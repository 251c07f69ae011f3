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

// Kind is what is known of a bad value. It is a closed set.
type Kind int

const (
	// Unnamed: the error does not name its value.
	Unnamed Kind = iota
	// Composite: an object, a list or a Go value of no simple form.
	Composite
	// TypeName: the name of a schema type, which apiextensions-apiserver reports in place of the
	// value. It may as well be a text that has this name.
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

// Value is the bad value of an error, reduced to what two validators can be compared
// by. They often see different Go types (an internal struct, a string made of a
// quantity), so only scalars are compared. The zero Value says nothing.
type Value struct {
	Kind  Kind
	Text  string // of a scalar: a text as it is, a number in decimal
	Whole any    // of a composite value
}

// Scalar reports whether the error names its value, and the value is no composite one.
func (v Value) Scalar() bool { return v.Kind >= String }

// inGoSyntax is a composite value as older releases of apimachinery print it; what a
// webhook said of it comes back as that text. Texts of users have braces, too: these begin with
// neither the type of a list or map nor a type of a package and the name of a field.
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

// silentValue recognizes what says nothing about the value: no value, and the
// placeholders of field.TooLong and field.TooMany.
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
	switch v.Kind {
	case Unnamed:
		return ""
	case Composite:
		return "{" + jsonText(v.Whole)
	case Number, Boolean:
		return "=" + v.Text + "\x00" // comes after the text of the same letters
	}
	return "=" + v.Text
}
