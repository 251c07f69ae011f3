package infer

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
const anyItem = "[*]"

// place is a place in all objects: the names of fields, and anyItem.
type place []string

// placeOf reads a generalized path, as in "spec.ports[*].name".
func placeOf(general string) place {
	var out place
	for _, step := range fieldpath.Split(general) {
		if step.Bracket {
			out = append(out, anyItem)
		} else {
			out = append(out, step.Text)
		}
	}
	return out
}

// String returns the place as errors write it.
func (p place) String() string {
	var out strings.Builder
	for _, name := range p {
		if name != anyItem && out.Len() > 0 {
			out.WriteByte('.')
		}
		out.WriteString(name)
	}
	return out.String()
}

func (p place) parent() place { return p[:max(0, len(p)-1)] }

// below returns the place of a field or, with anyItem, of the items.
func (p place) below(names ...string) place { return append(slices.Clip(p), names...) }

// outside returns the place up to the first list or map in it, and the rest in its items.
func (p place) outside() (list, inner place) {
	if n := slices.Index(p, anyItem); n >= 0 {
		return p[:n], p[n+1:]
	}
	return p, nil
}

// has reports whether a place is this one or below it.
func (p place) has(other place) bool {
	return len(other) >= len(p) && slices.Equal(p, other[:len(p)])
}

// schema returns the schema of a place, or nil.
func (p place) schema(root *spec.Schema) *spec.Schema {
	s := root
	for _, name := range p {
		if s == nil {
			return nil
		}
		s = schemaBelow(s, name)
	}
	return s
}

func schemaBelow(s *spec.Schema, name string) *spec.Schema {
	if name != anyItem {
		return openapi.Property(s, name)
	}
	if items := openapi.Items(s); items != nil {
		return items
	}
	return openapi.Additional(s)
}

// steps is a path in one object. A step is the name of a field or key, or the index of an item.
type steps []any

// String returns the path as errors write it.
func (s steps) String() string { return s.within(nil) }

// within returns the path as errors write it, with keys of maps in brackets: the steps at which the
// place has anyItem.
func (s steps) within(general place) string {
	var out strings.Builder
	for i, at := range s {
		switch at := at.(type) {
		case int:
			out.WriteString("[" + strconv.Itoa(at) + "]")
		case string:
			if i < len(general) && general[i] == anyItem {
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
	path  steps
	value any
}

// instances returns the values at a place of an object, in order. Without them there are none.
func instances(object any, at place) []instance {
	found := []instance{{value: object}}
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
	switch value := i.value.(type) {
	case map[string]any:
		if name != anyItem {
			if part, has := value[name]; has {
				all = append(all, instance{i.path.and(name), part})
			}
			return all
		}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			all = append(all, instance{i.path.and(key), value[key]})
		}
	case []any:
		if name == anyItem {
			for n := range value {
				all = append(all, instance{i.path.and(n), value[n]})
			}
		}
	}
	return all
}

func (s steps) and(more ...any) steps { return append(slices.Clip(s), more...) }

// at returns the value at a path of an object.
func (s steps) at(value any) (any, bool) {
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

// stepsOf reads the path of an error. A number in brackets is the index of an item.
func stepsOf(path string) steps {
	var out steps
	for _, step := range fieldpath.Split(path) {
		if n, err := strconv.Atoi(step.Text); err == nil && step.Bracket && n >= 0 && strconv.Itoa(n) == step.Text {
			out = append(out, n)
		} else {
			out = append(out, step.Text)
		}
	}
	return out
}

// absence is the value of a part that is taken out.
type absence struct{}

// set returns an object with another value at a path. It copies the maps and lists on the path, and
// adds those that are missing.
func (s steps) set(value, to any) any {
	if len(s) == 0 {
		return to
	}
	if index, isItem := s[0].(int); isItem {
		list, _ := value.([]any)
		if index >= len(list) {
			return value
		}
		part := s[1:].set(list[index], to)
		if part == (absence{}) {
			return slices.Delete(slices.Clone(list), index, index+1)
		}
		list = slices.Clone(list)
		list[index] = part
		return list
	}
	name := s[0].(string)
	fields, _ := value.(map[string]any)
	if fields = maps.Clone(fields); fields == nil {
		if to == (absence{}) {
			return value
		}
		fields = map[string]any{}
	}
	if part := s[1:].set(fields[name], to); part == (absence{}) || part == nil && to == (absence{}) {
		delete(fields, name)
	} else {
		fields[name] = part
	}
	return fields
}

// names returns the path of fields of a place that passes no items.
func (p place) names() steps {
	var out steps
	for _, name := range p {
		out = append(out, name)
	}
	return out
}
