package jsonerrors

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Decodable returns the part of a JSON value that a decoder can read, or nil, and an error at
// the place of each value that it cannot read. decode decodes a value in the place of the whole
// and returns the decoder's error; Decodable does not change what it passes.
//
// A list with such an item is left out as a whole: the others would have other indices.
func Decodable(at *field.Path, value any, decode func(any) error) (kept any, errs field.ErrorList) {
	wrong := decode(value)
	switch value := value.(type) {
	case map[string]any:
		if wrong == nil || decode(map[string]any{}) != nil {
			break
		}
		fields := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			part, inside := Decodable(entryOf(at, name), value[name], func(v any) error { return decode(map[string]any{name: v}) })
			if part != nil || len(inside) == 0 {
				fields[name] = part
			}
			errs = append(errs, inside...)
		}
		return fields, errs
	case []any:
		if wrong == nil || decode([]any{}) != nil {
			break
		}
		for i, item := range value {
			_, inside := Decodable(at.Index(i), item, func(v any) error { return decode([]any{v}) })
			errs = append(errs, inside...)
		}
		return nil, errs
	}
	if wrong == nil {
		return value, nil
	}
	return nil, field.ErrorList{{Type: field.ErrorTypeTypeInvalid, Field: at.String(), BadValue: field.OmitValueType{},
		Detail: withoutPlace(wrong)}}
}

// withoutPlace is an error about a value whose place is known.
func withoutPlace(err error) string {
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		placeless := *wrong
		placeless.Field = ""
		err = &placeless
	}
	return Of(err, "").Error()
}

// maps are maps of Kubernetes whose keys users choose. The API server writes the keys in brackets.
func keyed() []string {
	return []string{"labels", "annotations", "matchLabels", "nodeSelector", "limits", "requests", "data", "binaryData", "stringData"}
}

// entryOf returns the path of an entry of an object.
func entryOf(at *field.Path, name string) *field.Path {
	if at != nil && slices.ContainsFunc(keyed(), func(last string) bool { return endsWith(at.String(), last) }) {
		return at.Key(name)
	}
	return at.Child(name)
}

// endsWith reports whether the last element of a path is the field.
func endsWith(path, name string) bool {
	before := len(path) - len(name)
	return before >= 0 && path[before:] == name && (before == 0 || path[before-1] == '.')
}
