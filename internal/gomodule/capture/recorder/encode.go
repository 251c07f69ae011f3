//go:build go1.22

package recorder

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// isPath recognizes *field.Path by its name.
func isPath(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && t.Elem().Name() == "Path" && strings.HasSuffix(t.Elem().PkgPath(), "/field")
}

// writesItself reports whether a value marshals itself and can be asked to.
func writesItself(v reflect.Value) bool {
	if !v.CanInterface() || (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && v.IsNil() {
		return false
	}
	switch v.Interface().(type) {
	case json.Marshaler, encoding.TextMarshaler:
		return true
	}
	return false
}

// badValue returns the bad value of an error as JSON, or as a string if it cannot be marshalled.
func badValue(v reflect.Value) json.RawMessage {
	if v.Kind() == reflect.Interface && v.IsNil() {
		return nil
	}
	value := v.Interface()
	if reflect.TypeOf(value).Name() == "OmitValueType" {
		return nil
	}
	if data, err := json.Marshal(value); err == nil {
		return data
	}
	return orNull(fmt.Sprint(value))
}
