package structural

import (
	"fmt"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/openapi"
)

// Condition is the NonStructuralSchema condition that the API server sets on a
// CustomResourceDefinition, without its time, or nil when it sets none
// (k8s.io/apiextensions-apiserver/pkg/controller/nonstructuralschema). Its message is
// the API server's. A version without a schema has nothing to check.
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
		schema, err := openapi.FromProps(v.Schema.OpenAPIV3Schema)
		if err != nil {
			c.Message = fmt.Sprintf("failed to check validation schema for version %s: %v", v.Name, err)
			return c
		}
		if reason := inconvertible(schema); reason != "" {
			c.Message = fmt.Sprintf("failed to check validation schema for version %s: %s", v.Name, reason)
			return c
		}
		at := field.NewPath("spec", "versions").Index(i).Child("schema", "openAPIV3Schema")
		errs = append(errs, Check(schema, Options{Completeness: CompleteAtRoot, At: at})...)
	}
	if len(errs) == 0 {
		return nil
	}
	c.Status, c.Reason, c.Message = apiextensionsv1.ConditionTrue, "Violations", errs.ToAggregate().Error()
	return c
}

// Message writes an error as KEP-2335 does: the path in the schema, with a dot in
// front, and what must be so, as in
// ".properties[foo].items.properties[bar].type must be non-empty".
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
