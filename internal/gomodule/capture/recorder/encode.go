//go:build go1.22

package recorder

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// isPath knows *field.Path by its name.
func isPath(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && t.Elem().Name() == "Path" && strings.HasSuffix(t.Elem().PkgPath(), "/field")
}

// writesItself says that a value has a JSON of its own, which can be asked for.
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

// badValue writes the bad value of an error: as JSON, or as text if it has none.
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
