package openapi

import "k8s.io/kube-openapi/pkg/validation/spec"

// Inline returns a schema without references. A definition inside of itself becomes one that allows
// anything.
func Inline(schema *spec.Schema, definitions map[string]*spec.Schema) *spec.Schema {
	e := inliner{definitions: definitions, within: map[*spec.Schema]bool{}}
	return e.schema(schema)
}

type inliner struct {
	definitions map[string]*spec.Schema
	within      map[*spec.Schema]bool
}

func (e *inliner) schema(s *spec.Schema) *spec.Schema {
	target := e.resolve(s)
	if e.within[target] {
		anything := &spec.Schema{}
		anything.AddExtension(XPreserveUnknownFields, true)
		return anything
	}
	if target != s {
		e.within[target] = true
		defer delete(e.within, target)
	}
	return MapParts(target, e.schema)
}

// resolve follows a reference, also one that is written as the only allOf of a schema without
// properties.
func (e *inliner) resolve(s *spec.Schema) *spec.Schema {
	for range len(e.definitions) + 1 {
		name, _ := DefinitionName(Reference(s))
		target := e.definitions[name]
		if target == nil || len(s.Properties) > 0 {
			return s
		}
		s = target
	}
	return s
}
