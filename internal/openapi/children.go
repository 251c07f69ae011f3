package openapi

import (
	"iter"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Child is a schema directly inside another one.
type Child struct {
	Schema  *spec.Schema
	Keyword string // that holds it: properties, items, allOf, …
	Name    string // of a property or a definition
	Index   int    // in a list of schemas
	listed  bool
	named   bool
}

// At returns the path of the child, given the path of the schema around it.
func (c Child) At(at *field.Path) *field.Path {
	at = at.Child(c.Keyword)
	switch {
	case c.named:
		return at.Key(c.Name)
	case c.listed:
		return at.Index(c.Index)
	}
	return at
}

// IsBranch reports whether the child validates the same value as the schema around it: it is
// in allOf, anyOf, oneOf or not.
func (c Child) IsBranch() bool {
	switch c.Keyword {
	case "allOf", "anyOf", "oneOf", "not":
		return true
	}
	return false
}

// IsPart reports whether the child declares a part of the value as structural schemas do: a
// property, additional properties or the items of a list.
func (c Child) IsPart() bool {
	switch c.Keyword {
	case "properties", "additionalProperties":
		return true
	case "items":
		return !c.listed
	}
	return false
}

// SamePlace reports whether two children are at the same place of their schemas.
func (c Child) SamePlace(other Child) bool {
	c.Schema, other.Schema = nil, nil
	return c == other
}

// In returns the schema of the child's value in another schema; nil if it has none. A branch
// validates the value of the other schema itself.
func (c Child) In(other *spec.Schema) *spec.Schema {
	switch {
	case c.IsBranch():
		return other
	case !c.IsPart():
		return nil
	}
	switch c.Keyword {
	case "properties":
		return Property(other, c.Name)
	case "items":
		return Items(other)
	}
	return Additional(other)
}

// Declaring returns the schema outside all junctors that declares the value of the child; nil if
// there is none. The child is in s, whose value is declared by the second argument.
func (c Child) Declaring(s, declaring *spec.Schema) *spec.Schema {
	if s == declaring && !c.IsBranch() {
		return c.Schema
	}
	return c.In(declaring)
}

// Children returns the schemas directly inside a schema in a fixed order: properties by name,
// additionalProperties, items, allOf, anyOf, oneOf, not, and then those of the keywords that
// structural schemas do not have.
func Children(s *spec.Schema) iter.Seq[Child] {
	return func(yield func(Child) bool) {
		v := &visitor{yield: yield}
		v.names("properties", s.Properties)
		v.one("additionalProperties", Additional(s))
		v.one("items", Items(s))
		v.branches(s)
		if s.Items != nil {
			v.list("items", s.Items.Schemas)
		}
		if s.AdditionalItems != nil {
			v.one("additionalItems", s.AdditionalItems.Schema)
		}
		v.names("patternProperties", s.PatternProperties)
		v.names("definitions", s.Definitions)
		for _, name := range slices.Sorted(maps.Keys(s.Dependencies)) {
			if dependency := s.Dependencies[name].Schema; dependency != nil {
				v.visit(Child{Schema: dependency, Keyword: "dependencies", Name: name, named: true})
			}
		}
	}
}

// Branches returns the children that validate the same value as the schema around them.
func Branches(s *spec.Schema) iter.Seq[Child] {
	return func(yield func(Child) bool) { (&visitor{yield: yield}).branches(s) }
}

// visitor calls yield until it returns false.
type visitor struct {
	yield func(Child) bool
	done  bool
}

func (v *visitor) visit(c Child) { v.done = v.done || !v.yield(c) }

func (v *visitor) branches(s *spec.Schema) {
	v.list("allOf", s.AllOf)
	v.list("anyOf", s.AnyOf)
	v.list("oneOf", s.OneOf)
	v.one("not", s.Not)
}

func (v *visitor) one(keyword string, s *spec.Schema) {
	if s != nil {
		v.visit(Child{Schema: s, Keyword: keyword})
	}
}

func (v *visitor) list(keyword string, all []spec.Schema) {
	for i := range all {
		v.visit(Child{Schema: &all[i], Keyword: keyword, Index: i, listed: true})
	}
}

func (v *visitor) names(keyword string, all map[string]spec.Schema) {
	if v.done || len(all) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		s := all[name]
		v.visit(Child{Schema: &s, Keyword: keyword, Name: name, named: true})
	}
}

// MapChildren returns a copy of a schema in which each child is replaced by what change returns
// for it, which must not be nil. change is called in a fixed order. The schema is not changed.
func MapChildren(s *spec.Schema, change func(Child) *spec.Schema) *spec.Schema {
	out := *s
	one := func(keyword string, s *spec.Schema) *spec.Schema {
		if s == nil {
			return nil
		}
		return change(Child{Schema: s, Keyword: keyword})
	}
	list := func(keyword string, all []spec.Schema) []spec.Schema {
		all = slices.Clone(all)
		for i := range all {
			all[i] = *change(Child{Schema: &all[i], Keyword: keyword, Index: i, listed: true})
		}
		return all
	}
	names := func(keyword string, all map[string]spec.Schema) map[string]spec.Schema {
		if len(all) == 0 {
			return all
		}
		all = maps.Clone(all)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			s := all[name]
			all[name] = *change(Child{Schema: &s, Keyword: keyword, Name: name, named: true})
		}
		return all
	}
	orBool := func(keyword string, of *spec.SchemaOrBool) *spec.SchemaOrBool {
		if of == nil || of.Schema == nil {
			return of
		}
		return &spec.SchemaOrBool{Allows: of.Allows, Schema: one(keyword, of.Schema)}
	}
	out.Properties = names("properties", s.Properties)
	out.AdditionalProperties = orBool("additionalProperties", s.AdditionalProperties)
	if s.Items != nil {
		out.Items = &spec.SchemaOrArray{Schema: one("items", s.Items.Schema), Schemas: list("items", s.Items.Schemas)}
	}
	out.AllOf, out.AnyOf, out.OneOf = list("allOf", s.AllOf), list("anyOf", s.AnyOf), list("oneOf", s.OneOf)
	out.Not = one("not", s.Not)
	out.AdditionalItems = orBool("additionalItems", s.AdditionalItems)
	out.PatternProperties = names("patternProperties", s.PatternProperties)
	out.Definitions = names("definitions", s.Definitions)
	out.Dependencies = maps.Clone(s.Dependencies)
	for _, name := range slices.Sorted(maps.Keys(out.Dependencies)) {
		if dependency := out.Dependencies[name]; dependency.Schema != nil {
			dependency.Schema = change(Child{Schema: dependency.Schema, Keyword: "dependencies", Name: name, named: true})
			out.Dependencies[name] = dependency
		}
	}
	return &out
}

// MapParts is MapChildren for the schemas of the fields and items of a value. Other schemas stay.
func MapParts(s *spec.Schema, change func(*spec.Schema) *spec.Schema) *spec.Schema {
	return MapChildren(s, func(c Child) *spec.Schema {
		if c.IsPart() {
			return change(c.Schema)
		}
		return c.Schema
	})
}

// Property returns the schema of a field, declared or additional; nil if there is none.
func Property(s *spec.Schema, name string) *spec.Schema {
	if s == nil {
		return nil
	}
	if p, declared := s.Properties[name]; declared {
		return &p
	}
	return Additional(s)
}

// Additional returns the schema of the fields that are not declared; nil if there is none.
func Additional(s *spec.Schema) *spec.Schema {
	if s == nil || s.AdditionalProperties == nil {
		return nil
	}
	return s.AdditionalProperties.Schema
}

// Items returns the schema of the items of a list; nil if there is none.
func Items(s *spec.Schema) *spec.Schema {
	if s == nil || s.Items == nil {
		return nil
	}
	return s.Items.Schema
}
