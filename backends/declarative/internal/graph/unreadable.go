package graph

import (
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/text/jsonerrors"
)

// unreadable records why the value of an extension could not be read into a Go type. If the
// value has entries, each mistake is at its entry and key.
func (c *compiler) unreadable(where *field.Path, value any, into reflect.Type, err error) {
	before := len(c.mistakes)
	list, isList := value.([]any)
	mapping, isMapping := value.(map[string]any)
	switch kind := into.Kind(); {
	case kind == reflect.Slice && isList && into.Elem().Kind() == reflect.Struct:
		for i, entry := range list {
			c.unreadableEntry(where.Index(i), entry, into.Elem())
		}
	case kind == reflect.Map && isMapping && into.Elem().Kind() == reflect.Struct:
		for _, name := range slices.Sorted(maps.Keys(mapping)) {
			c.unreadableEntry(where.Key(name), mapping[name], into.Elem())
		}
	}
	if len(c.mistakes) == before {
		c.mistake(where, value, "cannot be read: %v", jsonerrors.Of(err, "it"))
	}
}

// unreadableEntry records the mistakes of an entry that is read into a struct.
func (c *compiler) unreadableEntry(where *field.Path, entry any, into reflect.Type) {
	accepted := c.keysOf(into)
	object, isObject := entry.(map[string]any)
	if !isObject {
		c.mistake(where, entry, "must be an object with the keys %s", strings.Join(accepted, ", "))
		return
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains(accepted, key) {
			c.mistake(where.Child(key), field.OmitValueType{}, "unknown key; accepted: %s", strings.Join(accepted, ", "))
			continue
		}
		data, err := json.Marshal(map[string]any{key: object[key]})
		if err == nil {
			err = json.Unmarshal(data, reflect.New(into).Interface())
		}
		if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
			c.mistake(where.Child(key), object[key], "cannot be read: %v", jsonerrors.Of(err, "it"))
		}
	}
}

// keysOf lists the JSON keys of a struct in the order of its fields. An embedded struct has keys that
// the API server does not know.
func (c *compiler) keysOf(of reflect.Type) []string {
	var keys []string
	for i := range of.NumField() {
		f := of.Field(i)
		if f.Anonymous && c.opts.Proposals {
			keys = append(keys, c.keysOf(f.Type)...)
		}
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			keys = append(keys, name)
		}
	}
	return keys
}
