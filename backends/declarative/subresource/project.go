package subresource

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Project gives the schema of the value at a path of fields, as the function
// ProjectJSONSchema of the proposal ("Validation Behavior", "Status"): what the
// schema says about the value at the path, and nothing else. A path that the schema
// does not declare gives a schema that allows everything, as does one below
// additionalProperties of true.
//
// The errors, of type Forbidden, name what stands above the path and says something
// about the value that the projection cannot say: junctors, and references. Today's
// API server passes over them: see ProjectDeclared.
func Project(schema *spec.Schema, path ...string) (*spec.Schema, field.ErrorList) {
	var errs field.ErrorList
	var at *field.Path
	for _, name := range path {
		errs = append(errs, unprojectable(schema, at, strings.Join(path, "."))...)
		schema, at = declared(schema, name), at.Child("properties").Key(name)
	}
	return schema, errs
}

// ProjectDeclared is Project as today's API server does it: it takes what properties
// declare and passes over the rest.
func ProjectDeclared(schema *spec.Schema, path ...string) *spec.Schema {
	for _, name := range path {
		schema = declared(schema, name)
	}
	return schema
}

// declared is the schema of one field.
func declared(schema *spec.Schema, name string) *spec.Schema {
	if property, ok := schema.Properties[name]; ok {
		return &property
	}
	if schema.AdditionalProperties != nil && schema.AdditionalProperties.Schema != nil {
		return schema.AdditionalProperties.Schema
	}
	return &spec.Schema{}
}

func unprojectable(schema *spec.Schema, at *field.Path, path string) field.ErrorList {
	var errs field.ErrorList
	for _, junctor := range []struct {
		name  string
		there bool
	}{
		{"$ref", schema.Ref.String() != ""},
		{"allOf", len(schema.AllOf) > 0},
		{"anyOf", len(schema.AnyOf) > 0},
		{"oneOf", len(schema.OneOf) > 0},
		{"not", schema.Not != nil},
	} {
		if junctor.there {
			errs = append(errs, field.Forbidden(at.Child(junctor.name), "stands above ."+path+", so that the schema has no projection to it; say it below properties"))
		}
	}
	return errs
}
