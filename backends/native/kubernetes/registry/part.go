package registry

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/diffrun/diffrun/harness/contract"
)

// part is the path of Go field names to a struct inside the hub type of a kind. Fields that are
// lists have one item on that path.
type part []string

// partField returns the field of a version that holds objects of this type
// (contract.SchemeCapabilities.Part).
func (s *served) partField(object any, path []string, version schema.GroupVersionKind) (string, error) {
	if _, whole := object.(runtime.Object); whole {
		return "", nil
	}
	found, err := s.kind.part(object, path)
	if err != nil {
		return "", err
	}
	versioned, err := legacyscheme.Scheme.New(version)
	if err != nil {
		return "", err
	}
	_, at, err := found.in(reflect.ValueOf(versioned).Elem(), version)
	return at, err
}

// convertPart returns a part in a version, converted inside an otherwise empty object.
func (s *served) convertPart(object any, version schema.GroupVersionKind) (any, error) {
	found, err := s.kind.part(object, nil) // conversion is the same at each place
	if err != nil {
		return nil, err
	}
	hub := s.kind.internal()
	inHub, _, err := found.in(reflect.ValueOf(hub).Elem(), version)
	if err != nil {
		return nil, err
	}
	inHub.Set(reflect.Indirect(reflect.ValueOf(object)))
	versioned, err := s.ConvertTyped(hub, version)
	if err != nil {
		return nil, err
	}
	inVersion, _, err := found.in(reflect.ValueOf(versioned).Elem(), version)
	if err != nil {
		return nil, err
	}
	return inVersion.Addr().Interface(), nil
}

// part returns where objects of a type are in the kind: at the place whose last fields match the
// path of a test, and of several such places at the one with the fewest fields.
func (k kind) part(object any, path []string) (part, error) {
	wanted := reflect.Indirect(reflect.ValueOf(object))
	if !wanted.IsValid() || wanted.Kind() != reflect.Struct {
		return nil, fmt.Errorf("a %T is neither a Kubernetes object nor a part of one; use a document, or a struct of %s", object,
			k.GroupKind)
	}
	var found part
	most := -1
	for here := range placesIn(reflect.TypeOf(k.internal()).Elem()) {
		if here.typ != wanted.Type() {
			continue
		}
		if alike := here.endsLike(path); alike > most {
			found, most = here.part, alike
		}
		if most == len(path) {
			break
		}
	}
	if most < 0 {
		return nil, fmt.Errorf("%s has no field of the type %s; use an object of the kind, or of a part of it", k.GroupKind, wanted.Type())
	}
	return found, nil
}

// place is a struct inside a kind, with the path to it.
type place struct {
	part  part
	names []string // of part, without embedded structs
	types []reflect.Type
	typ   reflect.Type
}

// placesIn returns the structs inside a type, those with the shortest path first. It does not enter
// a type inside itself.
func placesIn(root reflect.Type) iter.Seq[place] {
	return func(yield func(place) bool) {
		for queue := []place{{typ: root}}; len(queue) > 0; queue = queue[1:] {
			here := queue[0]
			if !yield(here) {
				return
			}
			if slices.Contains(here.types, here.typ) {
				continue
			}
			for i := range here.typ.NumField() {
				inside := here.typ.Field(i)
				typ := element(inside.Type)
				if typ.Kind() != reflect.Struct || !inside.IsExported() {
					continue
				}
				next := place{
					part:  append(slices.Clip(here.part), inside.Name),
					names: here.names,
					types: append(slices.Clip(here.types), here.typ),
					typ:   typ,
				}
				if !inside.Anonymous {
					next.names = append(slices.Clip(here.names), inside.Name)
				}
				queue = append(queue, next)
			}
		}
	}
}

// endsLike counts how many of the last fields of a place match those of a path. The hub type has no
// JSON names, but they differ from its field names only in case.
func (p place) endsLike(path []string) int {
	for n := range min(len(path), len(p.names)) {
		if !strings.EqualFold(path[len(path)-1-n], p.names[len(p.names)-1-n]) {
			return n
		}
	}
	return min(len(path), len(p.names))
}

// partNamed returns the part of a type at a JSON path, as Part writes it.
func partNamed(typ, wanted reflect.Type, path string) (part, error) {
	var found part
	for step := range strings.SplitSeq(path, ".") {
		name, _, _ := strings.Cut(step, "[")
		at := slices.IndexFunc(reflect.VisibleFields(typ), func(f reflect.StructField) bool { return jsonName(f) == name })
		if at < 0 {
			return nil, fmt.Errorf("%s has no field %s", typ, path)
		}
		inside := reflect.VisibleFields(typ)[at]
		found, typ = append(found, inside.Name), element(inside.Type)
	}
	for _, inside := range reflect.VisibleFields(typ) {
		if typ != wanted && inside.Type == wanted && jsonName(inside) == "" {
			return append(found, inside.Name), nil
		}
	}
	return found, nil
}

// jsonName returns the JSON name of a field; empty if it has none of its own.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// element returns the element type of pointers and lists.
func element(typ reflect.Type) reflect.Type {
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
		typ = typ.Elem()
	}
	return typ
}

// in returns the part of an object, creating the values on the way to it, and its JSON path.
func (p part) in(object reflect.Value, version schema.GroupVersionKind) (reflect.Value, string, error) {
	var path strings.Builder
	for _, name := range p {
		inside, found := object.Type().FieldByName(name)
		if !found {
			return reflect.Value{}, "", &contract.InexpressibleError{Version: version, Reason: "it has no field " + strings.Join(p, ".")}
		}
		if name := jsonName(inside); name != "" {
			path.WriteString("." + name)
		}
		object = object.FieldByIndex(inside.Index)
		for object.Kind() == reflect.Pointer || object.Kind() == reflect.Slice {
			switch {
			case object.Kind() == reflect.Pointer && object.IsNil():
				object.Set(reflect.New(object.Type().Elem()))
			case object.Kind() == reflect.Slice && object.Len() == 0:
				object.Set(reflect.MakeSlice(object.Type(), 1, 1))
			}
			if object.Kind() == reflect.Slice {
				path.WriteString("[0]")
				object = object.Index(0)
				continue
			}
			object = object.Elem()
		}
	}
	return object, strings.TrimPrefix(path.String(), "."), nil
}
