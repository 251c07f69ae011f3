package reference

import (
	"fmt"
	"maps"
	"slices"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// brokenRules compiles all rules of a schema as the API server does and returns their errors. The
// API server itself reports them as errors of the object, because it checked the rules when the
// schema was stored; here the schema may never have been stored.
func brokenRules(s *structuralschema.Structural, root bool) error {
	var broken field.ErrorList
	walkRules(nil, s, root, &broken)
	return broken.ToAggregate()
}

func walkRules(at *field.Path, s *structuralschema.Structural, root bool, broken *field.ErrorList) {
	if s == nil {
		return
	}
	if len(s.XValidations) > 0 {
		*broken = append(*broken, compileRules(at, s, root)...)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		walkRules(at.Child("properties").Key(name), &property, property.XEmbeddedResource, broken)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Structural != nil {
		additional := s.AdditionalProperties.Structural
		walkRules(at.Child("additionalProperties"), additional, additional.XEmbeddedResource, broken)
	}
	if s.Items != nil {
		walkRules(at.Child("items"), s.Items, s.Items.XEmbeddedResource, broken)
	}
	if s.ValueValidation != nil {
		for i, branch := range s.ValueValidation.AllOf {
			if len(branch.XValidations) > 0 {
				here := *s
				here.XValidations = branch.XValidations
				*broken = append(*broken, compileRules(at.Child("allOf").Index(i), &here, root)...)
			}
		}
	}
}

func compileRules(at *field.Path, s *structuralschema.Structural, root bool) field.ErrorList {
	at = at.Child("x-kubernetes-validations")
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	results, err := cel.Compile(s, model.SchemaDeclType(s, root), celconfig.PerCallLimit, base, cel.StoredExpressionsEnvLoader())
	if err != nil {
		return field.ErrorList{field.Invalid(at, field.OmitValueType{}, fmt.Sprintf("no environment for rules: %v", err))}
	}
	var broken field.ErrorList
	for i, result := range results {
		for _, part := range []struct {
			name, text string
			err        *apiservercel.Error
		}{
			{"rule", s.XValidations[i].Rule, result.Error},
			{"messageExpression", s.XValidations[i].MessageExpression, result.MessageExpressionError},
		} {
			if part.err != nil {
				broken = append(broken, field.Invalid(at.Index(i).Child(part.name), part.text, part.err.Detail))
			}
		}
	}
	return broken
}
