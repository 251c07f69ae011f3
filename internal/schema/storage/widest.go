package storage

import (
	"maps"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi/skeleton"
)

// otherFields is the name of a field that the schema does not declare.
const otherFields = "*"

// widestObject returns an object with every field that a schema keeps, and the places of its fields in the schema. The
// object is not valid: pruning does not look at scalars. Below fields that may be anything it has what
// the other schema declares, so that its inner fields are seen.
func widestObject(of, other *spec.Schema) (map[string]any, map[string]string, error) {
	from, err := skeleton.Compile(of, nil)
	if err != nil {
		return nil, nil, err
	}
	to, err := skeleton.Compile(other, nil)
	if err != nil {
		return nil, nil, err
	}
	w := widest{places: map[string]string{}}
	object := w.fields(from, to, "", "")
	for _, name := range []string{"apiVersion", "kind", "metadata"} {
		delete(object, name) // every version has them
	}
	return object, w.places, nil
}

// widest makes a value with every field.
type widest struct {
	places map[string]string // in the schema, by the path that package pruning writes
}

// value returns a value of a schema; nil: it may be anything. other is nil if the other schema does not declare the value.
// at is the place of the schema around it.
func (w *widest) value(of, other *skeleton.Node, path, at string) any {
	shape := of
	if of == nil {
		shape = other
	} else {
		at = of.At
	}
	w.places[path] = at
	switch {
	case shape == nil:
		return "x"
	case shape.Items != nil:
		var items *skeleton.Node
		if of != nil {
			items = of.Items
		}
		return []any{w.value(items, itemsOf(other), path+"[0]", at)}
	case len(shape.Properties) > 0 || shape.AdditionalDeclared || shape.Preserve || shape.Embedded:
		return w.fields(of, other, path, at)
	}
	return "x"
}

// fields returns an object of a schema; nil: it may be anything.
func (w *widest) fields(of, other *skeleton.Node, path, at string) map[string]any {
	made := map[string]any{}
	add := func(name string, field, beside *skeleton.Node) {
		inside := name
		if path != "" {
			inside = path + "." + name
		}
		made[name] = w.value(field, beside, inside, at)
	}
	isOpen := of == nil || of.Preserve
	if isOpen && other != nil {
		for _, name := range slices.Sorted(maps.Keys(other.Properties)) {
			add(name, nil, other.Properties[name])
		}
	}
	if of != nil {
		for _, name := range slices.Sorted(maps.Keys(of.Properties)) {
			add(name, of.Properties[name], fieldOf(other, name))
		}
	}
	switch {
	case isOpen:
		add(otherFields, nil, nil)
	case of.AdditionalDeclared:
		add(otherFields, of.Additional, fieldOf(other, otherFields))
	}
	return made
}

func fieldOf(n *skeleton.Node, name string) *skeleton.Node {
	switch {
	case n == nil:
		return nil
	case n.Properties[name] != nil:
		return n.Properties[name]
	}
	return n.Additional
}

func itemsOf(n *skeleton.Node) *skeleton.Node {
	if n == nil {
		return nil
	}
	return n.Items
}
