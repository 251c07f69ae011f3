package mutate

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/schema/ineffective"
)

// step leads from a schema to one in it.
type step struct {
	keyword, key string
	index        int
}

// chooses reports whether a step leads into a branch that may fail without an error.
func (s step) chooses() bool {
	return s.keyword == "anyOf" || s.keyword == "oneOf" || s.keyword == "not"
}

// path adds the step to a place, as mistakes of a schema name it.
func (s step) path(at *field.Path) *field.Path {
	switch s.keyword {
	case "properties":
		return at.Child(s.keyword).Key(s.key)
	case "allOf", "anyOf", "oneOf":
		return at.Child(s.keyword).Index(s.index)
	}
	return at.Child(s.keyword)
}

// inner gives the schemas in a schema, in order.
func inner(s *spec.Schema) []step {
	var all []step
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		all = append(all, step{keyword: "properties", key: name})
	}
	if s.Items != nil && s.Items.Schema != nil {
		all = append(all, step{keyword: "items"})
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		all = append(all, step{keyword: "additionalProperties"})
	}
	for _, of := range []struct {
		keyword string
		n       int
	}{{"allOf", len(s.AllOf)}, {"anyOf", len(s.AnyOf)}, {"oneOf", len(s.OneOf)}} {
		for i := range of.n {
			all = append(all, step{keyword: of.keyword, index: i})
		}
	}
	if s.Not != nil {
		all = append(all, step{keyword: "not"})
	}
	return all
}

// follow gives the schema that a step leads to.
func follow(s *spec.Schema, to step) *spec.Schema {
	switch to.keyword {
	case "properties":
		property := s.Properties[to.key]
		return &property
	case "items":
		return s.Items.Schema
	case "additionalProperties":
		return s.AdditionalProperties.Schema
	case "allOf":
		return &s.AllOf[to.index]
	case "anyOf":
		return &s.AnyOf[to.index]
	case "oneOf":
		return &s.OneOf[to.index]
	}
	return s.Not
}

// replaced gives a copy of a schema in which that at the end of steps is changed. All other
// schemas are shared.
func replaced(s spec.Schema, steps []step, apply func(*spec.Schema)) spec.Schema {
	if len(steps) == 0 {
		apply(&s)
		return s
	}
	to := steps[0]
	changed := replaced(*follow(&s, to), steps[1:], apply)
	at := func(schemas []spec.Schema) []spec.Schema {
		schemas = slices.Clone(schemas)
		schemas[to.index] = changed
		return schemas
	}
	switch to.keyword {
	case "properties":
		s.Properties = maps.Clone(s.Properties)
		s.Properties[to.key] = changed
	case "items":
		s.Items = &spec.SchemaOrArray{Schema: &changed}
	case "additionalProperties":
		s.AdditionalProperties = &spec.SchemaOrBool{Allows: s.AdditionalProperties.Allows, Schema: &changed}
	case "allOf":
		s.AllOf = at(s.AllOf)
	case "anyOf":
		s.AnyOf = at(s.AnyOf)
	case "oneOf":
		s.OneOf = at(s.OneOf)
	case "not":
		s.Not = &changed
	}
	return s
}

// mutation is one weaker form somewhere in a schema that stands by itself: a definition, or the
// root of a document.
type mutation struct {
	weaker
	top   *spec.Schema
	place string // in top
	steps []step
}

// mutations gives all mutations of a schema that stands by itself, by place.
func mutations(top *spec.Schema) map[string]*mutation {
	all := map[string]*mutation{}
	var visit func(s, declaring *spec.Schema, at *field.Path, steps []step, in junctor)
	visit = func(s, declaring *spec.Schema, at *field.Path, steps []step, in junctor) {
		for _, w := range differ(s, declaring, weaken(s)) {
			if in.saysTheSame(steps, w.apply) {
				continue
			}
			place := at.Child(w.keyword)
			if w.at != nil {
				place = below(at, w.at)
			}
			all[place.String()] = &mutation{weaker: w, top: top, place: place.String(), steps: slices.Clone(steps)}
		}
		for _, to := range inner(s) {
			part := follow(s, to)
			within := in
			if in.of == nil && to.chooses() {
				within = junctor{of: s, keyword: to.keyword, depth: len(steps)}
			}
			visit(part, declaringOf(s, declaring, part, to), to.path(at), append(steps, to), within)
		}
	}
	visit(top, top, nil, nil, junctor{})
	return all
}

// declaringOf gives the schema outside of junctors that declares what a step leads to; nil: none does.
func declaringOf(s, declaring, part *spec.Schema, to step) *spec.Schema {
	branch := s != declaring
	switch to.keyword {
	case "allOf", "anyOf", "oneOf", "not":
		return declaring
	case "properties":
		if branch {
			return ineffective.Property(declaring, to.key)
		}
	case "items":
		if branch {
			return ineffective.Item(declaring)
		}
	case "additionalProperties":
		if branch {
			return ineffective.Others(declaring)
		}
	}
	return part
}

// below puts the place of an element, such as "required[1]", below another.
func below(at, element *field.Path) *field.Path {
	if at == nil {
		return element
	}
	return at.Child(element.String())
}

// change gives a document with the mutation. It is one in all that refers to the definition.
func (m *mutation) change(d declarative.Document) declarative.Document {
	changed := replaced(*m.top, m.steps, m.apply)
	d.SameTypes = !m.retypes
	if d.Root == m.top {
		d.Root = &changed
	}
	d.Definitions = maps.Clone(d.Definitions)
	for name, definition := range d.Definitions {
		if definition == m.top {
			d.Definitions[name] = &changed
		}
	}
	return d
}

// standing gives the schema that stands by itself and has a place, and the place in it.
func standing(d declarative.Document, declared string) (top *spec.Schema, place string) {
	const definitions = "definitions["
	rest, in := strings.CutPrefix(declared, definitions)
	if !in {
		return d.Root, declared
	}
	for at := range rest { // names may have brackets and dots
		name, place := rest[:at], rest[at:]
		if place, ends := strings.CutPrefix(place, "]."); ends && d.Definitions[name] != nil {
			return d.Definitions[name], place
		}
	}
	return nil, ""
}
