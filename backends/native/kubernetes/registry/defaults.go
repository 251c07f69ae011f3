package registry

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/diffrun/diffrun/internal/apiname"
)

// bothDefaulted returns an object with the defaults of a version's SetDefaults functions, and with
// those that declared fills in. Both documents are nil if they are equal.
func (s *served) bothDefaulted(object any, sent map[string]any, version schema.GroupVersionKind,
	declared func(map[string]any) map[string]any) (native, declarative map[string]any, err error) {
	written, document, err := s.writtenIn(object.(runtime.Object), sent, version)
	if err != nil {
		return nil, nil, err
	}
	filled, err := legacyscheme.Scheme.New(version)
	if err != nil {
		return nil, nil, err
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(declared(document), filled); err != nil {
		return nil, nil, fmt.Errorf("%s cannot hold the defaults that its schema declares: %w", apiname.Target(version), err)
	}
	legacyscheme.Scheme.Default(written)
	withoutEmpty(reflect.ValueOf(written))
	withoutEmpty(reflect.ValueOf(filled))
	if reflect.DeepEqual(written, filled) { // as for almost every object
		return nil, nil, nil
	}
	if native, err = runtime.DefaultUnstructuredConverter.ToUnstructured(written); err != nil {
		return nil, nil, err
	}
	declarative, err = runtime.DefaultUnstructuredConverter.ToUnstructured(filled)
	return native, declarative, err
}

// withoutEmpty sets the empty lists, maps and bytes in the fields of a struct to nil, because they equal absent
// ones in Kubernetes (equality.Semantic).
func withoutEmpty(value reflect.Value) {
	switch value.Kind() {
	case reflect.Pointer:
		if !value.IsNil() {
			withoutEmpty(value.Elem())
		}
	case reflect.Struct:
		for i := range value.NumField() {
			if inside := value.Field(i); inside.CanSet() {
				withoutEmpty(inside)
			}
		}
	case reflect.Slice, reflect.Map:
		if value.Len() == 0 {
			value.SetZero()
		} else if value.Kind() == reflect.Slice {
			for i := range value.Len() {
				withoutEmpty(value.Index(i))
			}
		}
	}
}

// withEmpty adds the empty lists and maps that were sent to a document that a Go type wrote: the
// type omits them, but a default does not replace them.
func withEmpty(written, sent any) {
	switch sent := sent.(type) {
	case map[string]any:
		written, isMap := written.(map[string]any)
		if !isMap {
			return
		}
		for name, value := range sent {
			if inside, has := written[name]; has {
				withEmpty(inside, value)
			} else if list, isList := value.([]any); isList && len(list) == 0 {
				written[name] = []any{}
			} else if fields, isMap := value.(map[string]any); isMap && len(fields) == 0 {
				written[name] = map[string]any{}
			}
		}
	case []any:
		written, isList := written.([]any)
		if !isList || len(written) != len(sent) {
			return
		}
		for i, item := range sent {
			withEmpty(written[i], item)
		}
	}
}

// writtenIn returns a decoded object as a client of a version would write it, and its document. It
// keeps the fields if the version has them, because conversion fills in what the hub type cannot
// leave out.
func (s *served) writtenIn(object runtime.Object, sent map[string]any,
	version schema.GroupVersionKind) (runtime.Object, map[string]any, error) {
	document, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, nil, err
	}
	withEmpty(document, sent)
	if object.GetObjectKind().GroupVersionKind() == version {
		return object.DeepCopyObject(), document, nil
	}
	document["apiVersion"], document["kind"] = version.GroupVersion().String(), version.Kind
	if same, _, err := decode(document, version); err == nil {
		if document, err = runtime.DefaultUnstructuredConverter.ToUnstructured(same); err != nil {
			return nil, nil, err
		}
		withEmpty(document, sent)
		return same, document, nil
	}
	hub, err := s.hub(object.DeepCopyObject())
	if err != nil {
		return nil, nil, err
	}
	converted, err := toVersion(hub, version)
	if err != nil {
		return nil, nil, err
	}
	document, err = runtime.DefaultUnstructuredConverter.ToUnstructured(converted)
	return converted, document, err
}
