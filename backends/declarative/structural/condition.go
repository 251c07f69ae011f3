package structural

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// Condition returns the NonStructuralSchema condition that the API server sets on a
// CustomResourceDefinition, without its time, or nil if it sets none
// (k8s.io/apiextensions-apiserver/pkg/controller/nonstructuralschema, where the function is not
// exported). It skips versions without a schema.
func Condition(crd *apiextensionsv1.CustomResourceDefinition) *apiextensionsv1.CustomResourceDefinitionCondition {
	c := &apiextensionsv1.CustomResourceDefinitionCondition{
		Type: apiextensionsv1.NonStructuralSchema, Status: apiextensionsv1.ConditionUnknown, Reason: "StructuralError",
	}
	var errs field.ErrorList
	if crd.Spec.PreserveUnknownFields {
		errs = append(errs, field.Invalid(field.NewPath("spec", "preserveUnknownFields"), true, "must be false"))
	}
	for i, v := range crd.Spec.Versions {
		if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
			continue
		}
		converted, err := convert(v.Schema.OpenAPIV3Schema)
		if err != nil {
			c.Message = fmt.Sprintf("failed to check validation schema for version %s: %v", v.Name, err)
			return c
		}
		found := schema.ValidateStructural(field.NewPath("spec", "versions").Index(i).Child("schema", "openAPIV3Schema"), converted)
		fielderror.Sort(found)
		errs = append(errs, found...)
	}
	if len(errs) == 0 {
		return nil
	}
	c.Status, c.Reason, c.Message = apiextensionsv1.ConditionTrue, "Violations", errs.ToAggregate().Error()
	return c
}

// convert converts a schema to the form in which the API server checks it.
func convert(props *apiextensionsv1.JSONSchemaProps) (*schema.Structural, error) {
	internal := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(props, internal, nil); err != nil {
		return nil, err
	}
	converted, err := schema.NewStructural(internal)
	if err != nil {
		err = cmp.Or(inconvertible(internal), err)
	}
	return converted, err
}

// inconvertible returns why the API server cannot convert a schema. If there
// are several reasons, NewStructural returns a random one, because it ranges over the map of
// properties. Here properties are tried by name.
func inconvertible(s *apiextensions.JSONSchemaProps) error {
	own := *s
	own.Properties, own.AdditionalProperties = nil, nil
	if s.Items != nil {
		own.Items = &apiextensions.JSONSchemaPropsOrArray{JSONSchemas: s.Items.JSONSchemas}
	}
	if _, err := schema.NewStructural(&own); err != nil {
		return err
	}
	var parts []*apiextensions.JSONSchemaProps
	if s.Items != nil {
		parts = append(parts, s.Items.Schema)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		parts = append(parts, &property)
	}
	if s.AdditionalProperties != nil {
		parts = append(parts, s.AdditionalProperties.Schema)
	}
	for _, part := range parts {
		if part == nil {
			continue
		}
		if err := inconvertible(part); err != nil {
			return err
		}
	}
	return nil
}

// Message returns an error with the text of KEP-2335: the path in the schema after a dot, and then
// what is required, as in ".properties[foo].items.properties[bar].type must be non-empty".
func Message(e *field.Error) string {
	path := "." + strings.TrimPrefix(e.Field, ".")
	switch {
	case e.Type == field.ErrorTypeRequired && strings.HasSuffix(path, ".type") && strings.HasPrefix(e.Detail, "must not be empty"):
		return path + " must be non-empty"
	case e.Type == field.ErrorTypeRequired && strings.HasPrefix(e.Detail, "because"):
		return path + " must be specified " + e.Detail
	case e.Detail == "":
		return path + " " + strings.ToLower(e.Type.String())
	}
	return path + " " + e.Detail
}
