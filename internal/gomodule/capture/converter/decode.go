//go:build go1.22

package converter

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// decode decodes a value that package recorder wrote by its Go names. It cannot set unexported fields,
// and returns an error if one has a value.
func decode(v reflect.Value, data json.RawMessage) error {
	if !v.CanSet() {
		if slices.Contains([]string{"null", "false", "0", `""`, "[]", "{}"}, string(data)) {
			return nil
		}
		if v.Kind() == reflect.Struct {
			return decodeStruct(v, data)
		}
		return errors.New("the field is not exported")
	}
	if string(data) == "null" {
		return nil
	}
	switch v.Addr().Interface().(type) {
	case json.Unmarshaler, encoding.TextUnmarshaler:
		return json.Unmarshal(data, v.Addr().Interface())
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return decode(v.Elem(), data)
	case reflect.Interface:
		return fmt.Errorf("the value of an interface %s is not known", v.Type())
	case reflect.Struct:
		return decodeStruct(v, data)
	case reflect.Slice, reflect.Array:
		return decodeList(v, data)
	case reflect.Map:
		return decodeMap(v, data)
	}
	return json.Unmarshal(data, v.Addr().Interface())
}

func decodeStruct(v reflect.Value, data json.RawMessage) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		if value, given := fields[name]; given {
			if err := decode(v.Field(i), value); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

func decodeList(v reflect.Value, data json.RawMessage) error {
	var items []json.RawMessage
	if err := json.Unmarshal(data, &items); err != nil {
		return err
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
	}
	for i, item := range items {
		if err := decode(v.Index(i), item); err != nil {
			return err
		}
	}
	return nil
}

func decodeMap(v reflect.Value, data json.RawMessage) error {
	var entries map[string]json.RawMessage
	if err := json.Unmarshal(data, &entries); err != nil {
		return err
	}
	v.Set(reflect.MakeMap(v.Type()))
	for name, entry := range entries {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		text := json.RawMessage(name)
		if key.Kind() == reflect.String {
			text, _ = json.Marshal(name)
		}
		if err := decode(key, text); err != nil {
			return err
		}
		if err := decode(value, entry); err != nil {
			return err
		}
		v.SetMapIndex(key, value)
	}
	return nil
}
