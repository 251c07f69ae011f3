package subresource

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// Project gives the schema of the value at a path of fields, as the function
// ProjectJSONSchema of the proposal does ("Validation Behavior", "Status"): everything
// that the schema says about that value, and nothing else. If the schema does not declare
// the path, or additionalProperties: true covers it, the result allows everything.
//
// The errors, of type Forbidden, name junctors and references above the path, because the
// projection cannot express what they say about the value. Today's API server ignores
// these; see ProjectDeclared.
func Project(schema *spec.Schema, path ...string) (*spec.Schema, field.ErrorList) {
	var errs field.ErrorList
	var at *field.Path
	for _, name := range path {
		errs = append(errs, unprojectable(schema, at, strings.Join(path, "."))...)
		schema, at = declaredAt(schema, name), at.Child("properties").Key(name)
	}
	return schema, errs
}

// ProjectDeclared is Project as today's API server does it: it follows properties and
// ignores everything else.
func ProjectDeclared(schema *spec.Schema, path ...string) *spec.Schema {
	for _, name := range path {
		schema = declaredAt(schema, name)
	}
	return schema
}

// declaredAt is the schema of one field.
func declaredAt(schema *spec.Schema, name string) *spec.Schema {
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
		{"$ref", openapi.Ref(schema) != ""},
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
