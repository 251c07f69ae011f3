package structural

import (
	"maps"
	"reflect"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// apiVersionPattern is what an apiVersion looks like: a version, with a group in
// front of it except for the core group.
const apiVersionPattern = `^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[a-z0-9]([-a-z0-9]*[a-z0-9])?$`

// Unfold returns a structural schema in which the extensions x-kubernetes-int-or-string,
// x-kubernetes-embedded-resource and x-kubernetes-unions are also written as the OpenAPI that they
// mean (KEP-2335, "Unfolding the Extensions"), for tools that do not know them. The extensions are
// kept. Unfolding twice changes nothing more, and the given schema is not changed.
//
// The API server unfolds only x-kubernetes-int-or-string, in the same way.
func Unfold(schema *spec.Schema) *spec.Schema {
	unfolded := openapi.MapParts(schema, Unfold)
	x, errs := openapi.ReadExtensions(schema, nil)
	if len(errs) > 0 {
		return unfolded // not a structural schema: Check reports why
	}
	if x.IntOrString {
		unfoldIntOrString(unfolded)
	}
	if x.EmbeddedResource {
		unfoldResource(unfolded)
	}
	for _, union := range x.Unions {
		unfoldUnion(unfolded, union)
	}
	return unfolded
}

func unfoldIntOrString(s *spec.Schema) {
	types := []spec.Schema{ofType("integer"), ofType("string")}
	if reflect.DeepEqual(s.AnyOf, types) || len(s.AllOf) > 0 && reflect.DeepEqual(s.AllOf[0].AnyOf, types) {
		return
	}
	if s.AnyOf == nil {
		s.AnyOf = types
		return
	}
	s.AllOf = append([]spec.Schema{{SchemaProps: spec.SchemaProps{AnyOf: types}}}, s.AllOf...)
}

func ofType(name string) spec.Schema {
	return spec.Schema{SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{name}}}
}

// unfoldResource declares the fields of every resource, and requires its type.
func unfoldResource(s *spec.Schema) {
	if s.Properties == nil {
		s.Properties = map[string]spec.Schema{}
	}
	version := ofType("string")
	version.Pattern = apiVersionPattern
	for name, implied := range map[string]spec.Schema{"apiVersion": version, "kind": ofType("string"), "metadata": ofType("object")} {
		declared, found := s.Properties[name]
		switch {
		case !found:
			s.Properties[name] = implied
		case implied.Pattern != "" && !slices.ContainsFunc(append(slices.Clip(declared.AllOf), declared),
			func(one spec.Schema) bool { return one.Pattern == implied.Pattern }):
			declared.AllOf = append(slices.Clip(declared.AllOf), spec.Schema{SchemaProps: spec.SchemaProps{Pattern: implied.Pattern}})
			s.Properties[name] = declared
		}
	}
	for _, name := range []string{"kind", "apiVersion"} {
		if !slices.Contains(s.Required, name) {
			s.Required = append(slices.Clip(s.Required), name)
		}
	}
}

// unfoldUnion requires exactly one of the fields of a union, as the proposal does, and
// names the values of its discriminator where they are not declared. A second union
// joins the first by allOf.
func unfoldUnion(s *spec.Schema, union openapi.Union) {
	var one, values []string
	for _, field := range slices.Sorted(maps.Keys(union.Fields)) {
		one, values = append(one, field), append(values, union.Fields[field])
	}
	branches := make([]spec.Schema, len(one))
	for i, field := range one {
		branches[i].Required = []string{field}
	}
	switch {
	case sameRequired(s.OneOf, one), slices.ContainsFunc(s.AllOf, func(all spec.Schema) bool { return sameRequired(all.OneOf, one) }):
	case s.OneOf == nil:
		s.OneOf = branches
	default:
		s.AllOf = append(slices.Clip(s.AllOf), spec.Schema{SchemaProps: spec.SchemaProps{OneOf: branches}})
	}
	if d, found := s.Properties[union.Discriminator]; found && d.Enum == nil {
		for _, value := range values {
			d.Enum = append(d.Enum, value)
		}
		s.Properties[union.Discriminator] = d
	}
}

func sameRequired(branches []spec.Schema, fields []string) bool {
	return slices.EqualFunc(branches, fields, func(branch spec.Schema, field string) bool {
		return slices.Equal(branch.Required, []string{field})
	})
}
