package evidence

import (
	"maps"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/object"
	"github.com/diffrun/diffrun/internal/openapi"
)

// AnyItem is any item of a list, and any entry of a map, in a place.
const AnyItem = object.Any

// Place is a place in all objects: the names of fields, and AnyItem.
type Place []string

// PlaceOf reads a generalized path, as in "spec.ports[*].name".
func PlaceOf(general string) Place { return placeIn(object.Parse(general)) }

// placeIn returns the place of a path of one object.
func placeIn(path object.Path) Place {
	var out Place
	for _, step := range path {
		if step.Kind != object.Field {
			step.Name = AnyItem
		}
		out = append(out, step.Name)
	}
	return out
}

// Path returns the path in an object if the place passes no items.
func (p Place) Path() object.Path { return object.Of(p...) }

// String returns the place as errors write it.
func (p Place) String() string { return p.Path().General() }

func (p Place) Parent() Place { return p[:max(0, len(p)-1)] }

// Below returns the place of a field or, with AnyItem, of the items.
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

// instance is a value at a place of an object.
type instance struct {
	Path  object.Path
	Value any
}

// Instances returns the values at a place of an object, in order. Without them there are none.
func Instances(in any, at Place) []instance {
	found := []instance{{Value: in}}
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
				all = append(all, instance{i.Path.Field(name), part})
			}
			return all
		}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			all = append(all, instance{i.Path.Key(key), value[key]})
		}
	case []any:
		if name == AnyItem {
			for n := range value {
				all = append(all, instance{i.Path.Item(n), value[n]})
			}
		}
	}
	return all
}

// InMetadata reports whether a place is in the metadata of the object.
func InMetadata(at Place) bool { return len(at) > 0 && at[0] == "metadata" }
