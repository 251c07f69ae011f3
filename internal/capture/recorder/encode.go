//go:build go1.22

package recorder

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// argumentJSON writes a parameter by its value. Unlike encoding/json it writes unexported
// fields, since options of validators have such. Nil data and no error: it is not there. The
// error says what cannot be written.
func argumentJSON(value any) (data json.RawMessage, err error) {
	defer func() {
		if cause := recover(); cause != nil { // of a marshaler
			err = fmt.Errorf("%v", cause)
		}
	}()
	if path, is := value.(fmt.Stringer); is && isPath(reflect.TypeOf(value)) {
		if reflect.ValueOf(value).IsNil() {
			return nil, nil
		}
		return json.Marshal(path.String())
	}
	var out strings.Builder
	if err := encode(&out, reflect.ValueOf(value), 0); err != nil {
		return nil, err
	}
	return json.RawMessage(out.String()), nil
}

// isPath knows *field.Path by its name.
func isPath(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && t.Elem().Name() == "Path" && strings.HasSuffix(t.Elem().PkgPath(), "/field")
}

const maxDepth = 64

func encode(out *strings.Builder, v reflect.Value, depth int) error {
	switch {
	case !v.IsValid():
		out.WriteString("null")
		return nil
	case depth > maxDepth:
		return errors.New("it is nested too deep, or refers to itself")
	case writesItself(v):
		return marshal(out, v.Interface())
	}
	switch v.Kind() {
	case reflect.Bool:
		return marshal(out, v.Bool())
	case reflect.String:
		return marshal(out, v.String())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return marshal(out, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return marshal(out, v.Uint())
	case reflect.Float32, reflect.Float64:
		return marshal(out, v.Float())
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			out.WriteString("null")
			return nil
		}
		return encode(out, v.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		return encodeList(out, v, depth)
	case reflect.Map:
		return encodeMap(out, v, depth)
	case reflect.Struct:
		return encodeStruct(out, v, depth)
	}
	if (v.Kind() == reflect.Func || v.Kind() == reflect.Chan) && v.IsNil() {
		out.WriteString("null")
		return nil
	}
	return fmt.Errorf("a %s cannot be written as JSON", v.Kind())
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

func marshal(out *strings.Builder, value any) error {
	data, err := json.Marshal(value)
	out.Write(data)
	return err
}

func encodeList(out *strings.Builder, v reflect.Value, depth int) error {
	if v.Kind() == reflect.Slice && v.IsNil() {
		out.WriteString("null")
		return nil
	}
	out.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := encode(out, v.Index(i), depth+1); err != nil {
			return err
		}
	}
	out.WriteByte(']')
	return nil
}

// encodeMap sorts by the keys' JSON, so that equal maps are written alike.
func encodeMap(out *strings.Builder, v reflect.Value, depth int) error {
	if v.IsNil() {
		out.WriteString("null")
		return nil
	}
	var entries [][2]string
	for _, key := range v.MapKeys() {
		var entry [2]strings.Builder
		if err := errors.Join(encode(&entry[0], key, depth+1), encode(&entry[1], v.MapIndex(key), depth+1)); err != nil {
			return err
		}
		name := entry[0].String()
		if !strings.HasPrefix(name, `"`) { // keys of JSON are text
			quoted, err := json.Marshal(name)
			if err != nil {
				return err
			}
			name = string(quoted)
		}
		entries = append(entries, [2]string{name, entry[1].String()})
	}
	slices.SortFunc(entries, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	out.WriteByte('{')
	for i, entry := range entries {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(entry[0] + ":" + entry[1])
	}
	out.WriteByte('}')
	return nil
}

// encodeStruct writes each field under its Go name.
func encodeStruct(out *strings.Builder, v reflect.Value, depth int) error {
	out.WriteByte('{')
	for i := range v.NumField() {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(`"` + v.Type().Field(i).Name + `":`)
		if err := encode(out, v.Field(i), depth+1); err != nil {
			return fmt.Errorf("%s: %w", v.Type().Field(i).Name, err)
		}
	}
	out.WriteByte('}')
	return nil
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
