package ineffective

import "k8s.io/kube-openapi/pkg/validation/spec"

// Without gives a schema without the keywords that do nothing for its types, at any depth.
// The schema that came in is not changed.
func Without(s *spec.Schema) *spec.Schema { return without(s, s) }

// without takes the types from declaring, the schema outside all junctors of the same
// value; nil: nothing declares it.
func without(s, declaring *spec.Schema) *spec.Schema {
	if s == nil {
		return nil
	}
	out := *s
	types := Types(s)
	if len(types) == 0 && declaring != nil {
		types = Types(declaring)
	}
	for _, k := range of(s, types) {
		k.clear(&out)
	}
	// A junctor's branch has no types of its own: it is about the same value.
	branch := s != declaring
	part := func(p *spec.Schema, find func(*spec.Schema) *spec.Schema) *spec.Schema {
		if !branch || declaring == nil {
			return without(p, p)
		}
		return without(p, find(declaring))
	}
	out.Properties = eachNamed(out.Properties, func(name string, p *spec.Schema) *spec.Schema {
		return part(p, func(in *spec.Schema) *spec.Schema { return Property(in, name) })
	})
	if out.Items != nil && out.Items.Schema != nil {
		out.Items = &spec.SchemaOrArray{Schema: part(out.Items.Schema, Item)}
	}
	if out.AdditionalProperties != nil && out.AdditionalProperties.Schema != nil {
		out.AdditionalProperties = &spec.SchemaOrBool{Allows: out.AdditionalProperties.Allows, Schema: part(out.AdditionalProperties.Schema, Others)}
	}
	out.AllOf, out.AnyOf, out.OneOf = branches(s.AllOf, declaring), branches(s.AnyOf, declaring), branches(s.OneOf, declaring)
	out.Not = without(s.Not, declaring)
	return &out
}

func eachNamed(all map[string]spec.Schema, of func(string, *spec.Schema) *spec.Schema) map[string]spec.Schema {
	if all == nil {
		return nil
	}
	made := make(map[string]spec.Schema, len(all))
	for name, s := range all {
		made[name] = *of(name, &s)
	}
	return made
}

func branches(all []spec.Schema, declaring *spec.Schema) []spec.Schema {
	var made []spec.Schema
	for i := range all {
		made = append(made, *without(&all[i], declaring))
	}
	return made
}

// Property gives the schema of a field; nil: there is none.
func Property(s *spec.Schema, name string) *spec.Schema {
	if s == nil {
		return nil
	}
	if p, declared := s.Properties[name]; declared {
		return &p
	}
	return Others(s)
}

// Others gives the schema of the fields that are not declared; nil: there is none.
func Others(s *spec.Schema) *spec.Schema {
	if s == nil || s.AdditionalProperties == nil {
		return nil
	}
	return s.AdditionalProperties.Schema
}

// Item gives the schema of the items of a list; nil: there is none.
func Item(s *spec.Schema) *spec.Schema {
	if s == nil || s.Items == nil {
		return nil
	}
	return s.Items.Schema
}
