package proof

import (
	"reflect"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// Schema is a schema with the targets of its references.
type Schema struct {
	*spec.Schema
	Definitions map[string]*spec.Schema
}

// in returns a part of the schema with its definitions.
func (s Schema) in(part *spec.Schema) Schema { return Schema{part, s.Definitions} }

// Resolve follows a reference, which may be written as the only allOf.
func Resolve(s *spec.Schema, definitions map[string]*spec.Schema) *spec.Schema {
	for range len(definitions) + 1 {
		ref := s.Ref.String()
		if ref == "" && len(s.AllOf) == 1 && len(s.Properties) == 0 {
			ref = s.AllOf[0].Ref.String()
		}
		target := definitions[ref[strings.LastIndex(ref, "/")+1:]]
		if ref == "" || target == nil {
			return s
		}
		s = target
	}
	return s
}

// Value is what is known about a value. The zero Value is any value.
type Value struct {
	// declaring is the schema of the value outside of junctors; nil if it is unknown.
	declaring *spec.Schema
	// all accept the value: the declaring schema, its allOf, and added schemas.
	all []Schema
	// absent means that there is no such value.
	absent bool
}

// deepest is the maximum depth of allOf, and of fields in a proof, that is followed.
const deepest = 12

// Of returns what is known about the values that a schema accepts.
func Of(s Schema) Value {
	if s.Schema == nil {
		return Value{}
	}
	v := Value{declaring: Resolve(s.Schema, s.Definitions)}
	v.all = Conjuncts(s)
	return v
}

// Conjuncts returns a schema and the schemas of its allOf, without references.
func Conjuncts(s Schema) []Schema { return conjuncts(nil, s, deepest) }

// And adds a schema that also accepts the value.
func (v Value) And(s Schema) Value {
	v.all = conjuncts(slices.Clip(v.all), s, deepest)
	return v
}

// conjuncts adds a schema and the schemas of its allOf.
func conjuncts(all []Schema, s Schema, depth int) []Schema {
	s.Schema = Resolve(s.Schema, s.Definitions)
	all = append(all, s)
	if s.Not != nil && s.Not.Not != nil && depth > 0 &&
		reflect.DeepEqual(s.Not, &spec.Schema{SchemaProps: spec.SchemaProps{Not: s.Not.Not}}) {
		all = conjuncts(all, s.in(s.Not.Not), depth-1)
	}
	for i := range s.AllOf {
		if depth > 0 {
			all = conjuncts(all, s.in(&s.AllOf[i]), depth-1)
		}
	}
	return all
}

// Field returns what is known about a field of the value, if it is set.
func (v Value) Field(name string) Value {
	var of Value
	if v.declaring != nil {
		part := openapi.Property(v.declaring, name)
		switch {
		case part != nil:
			of = Of(v.first().in(part))
		case v.closed() && !slices.Contains([]string{"apiVersion", "kind", "metadata"}, name):
			return Value{absent: true}
		}
	}
	return v.parts(of, func(s *spec.Schema) *spec.Schema { return openapi.Property(s, name) })
}

// Others returns what is known about undeclared fields.
func (v Value) Others() Value {
	var of Value
	if v.declaring != nil {
		part := openapi.Additional(v.declaring)
		switch {
		case part != nil:
			of = Of(v.first().in(part))
		case v.closed():
			return Value{absent: true}
		}
	}
	return of
}

// Item returns what is known about the items of the value.
func (v Value) Item() Value {
	var of Value
	if v.declaring != nil {
		if part := openapi.Items(v.declaring); part != nil {
			of = Of(v.first().in(part))
		}
	}
	return v.parts(of, openapi.Items)
}

// first returns the declaring schema with its definitions.
func (v Value) first() Schema { return v.all[0] }

// parts adds what the other schemas require of a part of the value.
func (v Value) parts(of Value, find func(*spec.Schema) *spec.Schema) Value {
	for _, s := range v.all {
		if s.Schema == v.declaring {
			continue
		}
		if part := find(s.Schema); part != nil {
			of = of.And(s.in(part))
		}
	}
	return of
}

// closed reports whether the value can only have declared fields.
func (v Value) closed() bool {
	preserves, _ := v.declaring.Extensions.GetBool(openapi.XPreserveUnknownFields)
	return slices.Equal(v.declaring.Type, []string{"object"}) && !preserves && v.declaring.AdditionalProperties == nil
}

// mayBeNull reports whether the value can be null. No enum accepts null, even if it contains it.
func (v Value) mayBeNull() bool {
	s := v.declaring
	if s == nil {
		return !v.absent
	}
	if len(s.Enum) > 0 {
		return false
	}
	types := openapi.Types(s)
	return s.Nullable || len(types) == 0 || slices.Contains(types, "null")
}
