package evidence

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/openapi"
)

// any item of a list, and any entry of a map, in a place.
const AnyItem = "[*]"

// Place is a place in all objects: the names of fields, and anyItem.
type Place []string

// PlaceOf reads a generalized path, as in "spec.ports[*].name".
func PlaceOf(general string) Place {
	var out Place
	for _, step := range fieldpath.Split(general) {
		if step.Bracket {
			out = append(out, AnyItem)
		} else {
			out = append(out, step.Text)
		}
	}
	return out
}

// String returns the place as errors write it.
func (p Place) String() string {
	var out strings.Builder
	for _, name := range p {
		if name != AnyItem && out.Len() > 0 {
			out.WriteByte('.')
		}
		out.WriteString(name)
	}
	return out.String()
}

func (p Place) Parent() Place { return p[:max(0, len(p)-1)] }

// Below returns the place of a field or, with anyItem, of the items.
func (p Place) Below(names ...string) Place { return append(slices.Clip(p), names...) }

// Outside returns the place up to the first list or map in it, and the rest in its items.
func (p Place) Outside() (list, inner Place) {
	if n := slices.Index(p, AnyItem); n >= 0 {
		return p[:n], p[n+1:]
	}
	return p, nil
}

// Has reports whether a place is this one or below it.
func (p Place) Has(other Place) bool {
	return len(other) >= len(p) && slices.Equal(p, other[:len(p)])
}

// Schema returns the schema of a place, or nil.
func (p Place) Schema(root *spec.Schema) *spec.Schema {
	s := root
	for _, name := range p {
		if s == nil {
			return nil
		}
		s = SchemaBelow(s, name)
	}
	return s
}

func SchemaBelow(s *spec.Schema, name string) *spec.Schema {
	if name != AnyItem {
		return openapi.Property(s, name)
	}
	if items := openapi.Items(s); items != nil {
		return items
	}
	return openapi.Additional(s)
}

// Steps is a path in one object. A step is the name of a field or key, or the index of an item.
type Steps []any

// String returns the path as errors write it.
func (s Steps) String() string { return s.Within(nil) }

// Within returns the path as errors write it, with keys of maps in brackets: the steps at which the
// place has anyItem.
func (s Steps) Within(general Place) string {
	var out strings.Builder
	for i, at := range s {
		switch at := at.(type) {
		case int:
			out.WriteString("[" + strconv.Itoa(at) + "]")
		case string:
			if i < len(general) && general[i] == AnyItem {
				out.WriteString("[" + at + "]")
				continue
			}
			if out.Len() > 0 {
				out.WriteByte('.')
			}
			out.WriteString(at)
		}
	}
	return out.String()
}

// instance is a value at a place of an object.
type instance struct {
	Path  Steps
	Value any
}

// Instances returns the values at a place of an object, in order. Without them there are none.
func Instances(object any, at Place) []instance {
	found := []instance{{Value: object}}
	for _, name := range at {
		var next []instance
		for _, one := range found {
			next = append(next, one.below(name)...)
		}
		found = next
	}
	return found
}

func (i instance) below(name string) (all []instance) {
	switch value := i.Value.(type) {
	case map[string]any:
		if name != AnyItem {
			if part, has := value[name]; has {
				all = append(all, instance{i.Path.And(name), part})
			}
			return all
		}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			all = append(all, instance{i.Path.And(key), value[key]})
		}
	case []any:
		if name == AnyItem {
			for n := range value {
				all = append(all, instance{i.Path.And(n), value[n]})
			}
		}
	}
	return all
}

func (s Steps) And(more ...any) Steps { return append(slices.Clip(s), more...) }

// At returns the value at a path of an object.
func (s Steps) At(value any) (any, bool) {
	for _, at := range s {
		switch at := at.(type) {
		case int:
			list, _ := value.([]any)
			if fields, isMap := value.(map[string]any); isMap { // the key is a number
				list = []any{fields[strconv.Itoa(at)]}
				at = 0
			}
			if at >= len(list) {
				return nil, false
			}
			value = list[at]
		case string:
			fields, _ := value.(map[string]any)
			part, has := fields[at]
			if !has {
				return nil, false
			}
			value = part
		}
	}
	return value, true
}

// StepsOf reads the path of an error. A number in brackets is the index of an item.
func StepsOf(path string) Steps {
	var out Steps
	for _, step := range fieldpath.Split(path) {
		if n, err := strconv.Atoi(step.Text); err == nil && step.Bracket && n >= 0 && strconv.Itoa(n) == step.Text {
			out = append(out, n)
		} else {
			out = append(out, step.Text)
		}
	}
	return out
}

// Absence is the value of a part that is taken out.
type Absence struct{}

// Set returns an object with another value at a path. It copies the maps and lists on the path, and
// adds those that are missing.
func (s Steps) Set(value, to any) any {
	if len(s) == 0 {
		return to
	}
	if index, isItem := s[0].(int); isItem {
		list, _ := value.([]any)
		if index >= len(list) {
			return value
		}
		part := s[1:].Set(list[index], to)
		if part == (Absence{}) {
			return slices.Delete(slices.Clone(list), index, index+1)
		}
		list = slices.Clone(list)
		list[index] = part
		return list
	}
	name := s[0].(string)
	fields, _ := value.(map[string]any)
	if fields = maps.Clone(fields); fields == nil {
		if to == (Absence{}) {
			return value
		}
		fields = map[string]any{}
	}
	if part := s[1:].Set(fields[name], to); part == (Absence{}) || part == nil && to == (Absence{}) {
		delete(fields, name)
	} else {
		fields[name] = part
	}
	return fields
}

// Names returns the path of fields of a place that passes no items.
func (p Place) Names() Steps {
	var out Steps
	for _, name := range p {
		out = append(out, name)
	}
	return out
}

// InMetadata reports whether a place is in the metadata of the object.
func InMetadata(at Place) bool { return len(at) > 0 && at[0] == "metadata" }
