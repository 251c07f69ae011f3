//go:build go1.22

package converter

import (
	"encoding/json"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/internal/gomodule/capture/recorder"
)

// answer converts the objects of a line.
func (c *conversion) answer(line *recorder.Line) (answer Answer) {
	defer func() {
		if cause := recover(); cause != nil {
			answer = Answer{Failed: fmt.Sprintf("converting panicked: %v", cause)}
		}
	}()
	t, known := c.types[line.Type]
	if !known {
		return Answer{Failed: "the scheme does not know the Go type " + line.Type}
	}
	for _, part := range []struct {
		from json.RawMessage
		to   *json.RawMessage
	}{{line.Object, &answer.Object}, {line.Old, &answer.Old}} {
		if len(part.from) == 0 {
			continue
		}
		if err := c.convert(t, part.from, part.to, &answer); err != nil {
			return Answer{Failed: err.Error()}
		}
	}
	return answer
}

// convert converts an object to a document.
func (c *conversion) convert(t reflect.Type, from json.RawMessage, to *json.RawMessage, answer *Answer) error {
	object := reflect.New(t).Interface()
	if err := json.Unmarshal(from, object); err != nil {
		return fmt.Errorf("the recorded object is not a %s: %w", t, err)
	}
	external := object
	if kind, internal := c.internalKind(object); internal {
		version := c.externalKind(kind)
		if version.Empty() {
			return fmt.Errorf("the scheme has no external version of %s", kind.GroupKind())
		}
		converted, err := c.scheme.UnsafeConvertToVersion(object.(runtime.Object), version.GroupVersion())
		if err != nil {
			return err
		}
		external = converted
		answer.Group, answer.Version, answer.Kind = version.Group, version.Version, version.Kind
	} else if other, paired := c.external[t]; paired {
		made := reflect.New(other).Interface()
		if err := c.scheme.Convert(object, made, nil); err != nil {
			return fmt.Errorf("the scheme cannot convert the part %s: %w", t, err)
		}
		external = made
	} else if known, ok := object.(runtime.Object); ok {
		if kinds, _, err := c.scheme.ObjectKinds(known); err == nil {
			answer.Group, answer.Version, answer.Kind = kinds[0].Group, kinds[0].Version, kinds[0].Kind
			known.GetObjectKind().SetGroupVersionKind(kinds[0])
		}
	}
	e := reflect.TypeOf(external).Elem()
	answer.Type = e.PkgPath() + "." + e.Name()
	data, err := json.Marshal(external)
	*to = data
	return err
}

// internalKind returns the kind of an object of an internal version.
func (c *conversion) internalKind(object any) (schema.GroupVersionKind, bool) {
	known, ok := object.(runtime.Object)
	if !ok {
		return schema.GroupVersionKind{}, false
	}
	kinds, _, err := c.scheme.ObjectKinds(known)
	if err != nil {
		return schema.GroupVersionKind{}, false
	}
	for _, kind := range kinds {
		if kind.Version == runtime.APIVersionInternal {
			return kind, true
		}
	}
	return schema.GroupVersionKind{}, false
}

// object returns the Go value that the validator takes.
func (c *conversion) object(t reflect.Type, document json.RawMessage, of *Answer, as variation) (reflect.Value, error) {
	external, known := c.types[of.Type]
	if as == unconverted {
		external, known = t, true
	}
	if !known {
		return reflect.Value{}, fmt.Errorf("the scheme does not know %s", of.Type)
	}
	object := reflect.New(external)
	if err := json.Unmarshal(document, object.Interface()); err != nil {
		return object, err
	}
	if whole, is := object.Interface().(runtime.Object); is && as == defaulted {
		c.scheme.Default(whole)
	}
	if external == t {
		return object, nil
	}
	made := reflect.New(t)
	return made, c.scheme.Convert(object.Interface(), made.Interface(), nil)
}
