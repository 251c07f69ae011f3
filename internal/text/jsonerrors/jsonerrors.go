package jsonerrors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Of rewords the error of a decoder in terms of JSON. It returns nil for nil. The error names a value of a
// wrong type by its path, or by whole if it is the complete value. If whole is empty, the caller says
// what the value is.
func Of(err error, whole string) error {
	var wrong *json.UnmarshalTypeError
	var noTime *time.ParseError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong):
		subject := wrong.Field
		if subject == "" {
			subject = whole
		}
		text := fmt.Sprintf("%s must be %s, not %s", subject, wanted(wrong.Type), given(wrong.Value))
		return errors.New(strings.TrimPrefix(text, " "))
	case errors.As(err, &noTime):
		// The layout has fractions of a second where they are required, as in a MicroTime.
		return fmt.Errorf("%q is not a time; write it like %s (RFC 3339)", noTime.Value, strings.Replace(noTime.Layout, "Z07:00", "Z", 1))
	case errors.Is(err, io.ErrUnexpectedEOF), err.Error() == endsEarly:
		return errors.New("the JSON ends too early")
	}
	if text, isGo := strings.CutPrefix(err.Error(), "json: "); isGo {
		return errors.New(text)
	}
	return err
}

// In is Of for the error of a decoder that read a text. If a number is out of range, it adds the place in the
// text, which decoders into any do not report.
func In(text []byte, err error, whole string) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) || wrong.Type.Kind() != reflect.Float64 || !strings.HasPrefix(wrong.Value, "number ") {
		return Of(err, whole)
	}
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	at, number, found := outOfRange(in, nil)
	if !found {
		return Of(err, whole)
	}
	subject := whole
	if at != nil {
		subject = at.String()
	}
	return fmt.Errorf("%s must be a number up to 1.8e308, not %s", subject, number)
}

// Line returns the line of a text at which a decoder found an error, or zero if it is unknown.
func Line(text []byte, err error) int {
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	at := int64(0)
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &wrong):
		at = wrong.Offset
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		at = int64(len(text))
	default:
		return 0
	}
	return 1 + bytes.Count(text[:min(max(at-1, 0), int64(len(text)))], []byte("\n"))
}

// outOfRange returns the place of the first number in the next value of a decoder that is too large. There
// is one, because decoding the value failed.
func outOfRange(in *json.Decoder, at *field.Path) (where *field.Path, number json.Number, found bool) {
	first, _ := in.Token()
	switch first := first.(type) {
	case json.Number:
		_, err := first.Float64()
		return at, first, err != nil
	case json.Delim:
		for i := 0; in.More() && !found; i++ {
			inside := at.Index(i)
			if first == '{' {
				key, _ := in.Token()
				name, _ := key.(string)
				inside = entryOf(at, name)
			}
			where, number, found = outOfRange(in, inside)
		}
		if !found {
			_, _ = in.Token() // the end of the object or list
		}
	}
	return where, number, found
}

// endsEarly is the error of decoders of complete texts that end early. It has no type.
const endsEarly = "unexpected end of JSON input"

// wanted returns the JSON type that a Go type is decoded from.
func wanted(t reflect.Type) string {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil {
		return "another value"
	}
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return "text (base64)"
		}
		return "a list"
	case reflect.Map, reflect.Struct:
		return "an object"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "an integer"
	}
	return "another value"
}

// given returns the JSON type of a value in the words of encoding/json: "number", "number 1.5", "array".
func given(kind string) string {
	switch kind {
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "string":
		return "text"
	case "bool":
		return "true or false"
	}
	if number, quoted := strings.CutPrefix(kind, "number "); quoted {
		return number
	}
	return "a " + kind
}
