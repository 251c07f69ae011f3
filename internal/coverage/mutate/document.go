package mutate

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/openapi"
)

// chooses reports whether a child is a branch that may fail without an error.
func chooses(c openapi.Child) bool { return c.IsBranch() && c.Keyword != "allOf" }

// replaced returns a copy of a schema with a change to the schema at the end of steps. All other schemas are
// shared.
func replaced(s spec.Schema, steps []openapi.Child, apply func(*spec.Schema)) spec.Schema {
	if len(steps) == 0 {
		apply(&s)
		return s
	}
	return *openapi.MapChildren(&s, func(c openapi.Child) *spec.Schema {
		if !c.SamePlace(steps[0]) {
			return c.Schema
		}
		changed := replaced(*c.Schema, steps[1:], apply)
		return &changed
	})
}

// mutation is a weaker form of a keyword in a top schema: a definition, or the root of a document.
type mutation struct {
	weaker
	top   *spec.Schema
	steps []openapi.Child // that lead to the schema
}

// mutations returns all mutations of a top schema, by place.
func mutations(top *spec.Schema) map[string]*mutation {
	all := map[string]*mutation{}
	var visit func(s, declaring *spec.Schema, at *field.Path, steps []openapi.Child, in junctor)
	visit = func(s, declaring *spec.Schema, at *field.Path, steps []openapi.Child, in junctor) {
		for _, w := range killable(s, declaring, weaken(s)) {
			if in.saysTheSame(steps, w.apply) {
				continue
			}
			place := at.Child(w.keyword)
			if w.at != nil {
				place = below(at, w.at)
			}
			all[place.String()] = &mutation{weaker: w, top: top, steps: slices.Clone(steps)}
		}
		for child := range openapi.Children(s) {
			if !child.IsPart() && !child.IsBranch() {
				continue
			}
			within := in
			if in.of == nil && chooses(child) {
				within = junctor{of: s, keyword: child.Keyword, depth: len(steps)}
			}
			visit(child.Schema, child.Declaring(s, declaring), child.At(at), append(steps, child), within)
		}
	}
	visit(top, top, nil, nil, junctor{})
	return all
}

// below returns the place of an element, such as "required[1]", below another place.
func below(at, element *field.Path) *field.Path {
	if at == nil {
		return element
	}
	return at.Child(element.String())
}

// change returns a document with the mutation, wherever it refers to the definition.
func (m *mutation) change(d tally.Document) tally.Document {
	changed := replaced(*m.top, m.steps, m.weaker.apply)
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

// names implements change.
func (m *mutation) names() (keyword, text string) { return m.keyword, m.text }

// apply implements change.
func (m *mutation) apply(t *target) (harness.Backend, error) {
	return t.mutable.Changed(t.version.GroupVersionKind, m.change)
}

// concerns implements change. Inputs that violate the keyword are known before.
func (m *mutation) concerns(*harness.Result) bool { return false }

// topOf returns the top schema that has a place, and the place in it.
func topOf(d tally.Document, declared string) (top *spec.Schema, place string) {
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
