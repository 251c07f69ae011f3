package equivalence

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// badValue is what an error says about the offending value, reduced to what
// two validators can be compared by. One of them often sees another Go type
// than the other (an internal struct, a string made of a quantity), so only
// scalars are compared, by their text.
type badValue struct {
	scalar bool
	text   string // of a scalar
	whole  any    // of a composite value
}

// inGoSyntax is a composite value as older releases of apimachinery print it; what a
// webhook said of it comes back as that text.
var inGoSyntax = regexp.MustCompile(`^&?(?:\*|\[\d*\]|map\[[\w.]+\])*(?:[A-Za-z_][\w./]*|interface \{\}|struct \{.*\})(?:\{.*\}|\(nil\))$`)

// readBadValue looks at the BadValue of an error.
func readBadValue(value any) badValue {
	if silentValue(value) {
		return badValue{}
	}
	v := reflect.ValueOf(value)
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return badValue{}
		}
		v = v.Elem()
	}
	if text, ok := scalarText(v); ok {
		if text == "" {
			return badValue{} // an empty text of a named type
		}
		if v.Kind() == reflect.String && inGoSyntax.MatchString(text) {
			return badValue{whole: text}
		}
		return badValue{scalar: true, text: text}
	}
	if marshaler, ok := v.Interface().(json.Marshaler); ok {
		// Quantity, IntOrString and Time are structs that stand for a scalar.
		if text := jsonText(marshaler); text != "" && text[0] != '{' && text[0] != '[' {
			return readJSONScalar(text)
		}
	}
	return badValue{whole: v.Interface()}
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

func readJSONScalar(text string) badValue {
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil || value == nil {
		return badValue{}
	}
	if s, ok := value.(string); ok {
		return badValue{scalar: true, text: s}
	}
	return badValue{scalar: true, text: text}
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

// contradicts says that two errors are about different values for certain.
func (b badValue) contradicts(other badValue) bool {
	return b.scalar && other.scalar && !sameScalar(b.text, other.text)
}

// present says that there is a value for certain, and not the zero value of its
// type, which KEP-4153 takes for an absent one ("Zero-Valued Primitive Fields").
func (b badValue) present() bool {
	if b.scalar {
		return b.text != "0" && b.text != "false"
	}
	if b.whole == nil {
		return false
	}
	v := reflect.ValueOf(b.whole)
	if v.Kind() == reflect.Slice || v.Kind() == reflect.Map {
		return v.Len() > 0
	}
	return !v.IsZero()
}

// confirms says that two errors name the same value.
func (b badValue) confirms(other badValue) bool {
	return b.scalar && other.scalar && sameScalar(b.text, other.text)
}

// sameScalar compares texts; numbers, quantities and durations by their amount,
// because one side often reports the canonical form ("1" for "1000m", "1h0m0s" for
// "60m").
func sameScalar(a, b string) bool {
	if a == b {
		return true
	}
	if !startsAmount(a) || !startsAmount(b) {
		return false
	}
	x, errX := resource.ParseQuantity(a)
	y, errY := resource.ParseQuantity(b)
	if errX == nil && errY == nil {
		return x.Cmp(y) == 0
	}
	long, errA := time.ParseDuration(a)
	other, errB := time.ParseDuration(b)
	return errA == nil && errB == nil && long == other
}

func startsAmount(text string) bool {
	return text != "" && strings.IndexByte("+-.0123456789", text[0]) >= 0
}

// identity is a text that is equal for errors that a reader cannot tell apart
// by their value.
func (b badValue) identity() string {
	switch {
	case b.scalar:
		return "=" + b.text
	case b.whole != nil:
		return "{" + jsonText(b.whole)
	}
	return ""
}
