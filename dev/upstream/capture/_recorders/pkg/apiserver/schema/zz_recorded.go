package schema

import (
	"k8s.io/apiextensions-apiserver/pkg/recording"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// ValidateStructuralWithOptions is recorded, but not compared: schema check calls it itself. The
// package needs a recorder, because those of other packages call Recorded.
func ValidateStructuralWithOptions(fldPath *field.Path, s *Structural, opts ValidationOptions) field.ErrorList {
	r := recording.Start("ValidateStructural").Schema(s.Recorded()).At(fldPath)
	errs := unrecordedValidateStructuralWithOptions(fldPath, s, opts)
	r.Errors(errs).Write()
	return errs
}

// Recorded is ToKubeOpenAPI with additionalProperties below junctors, which ToKubeOpenAPI drops.
func (s *Structural) Recorded() *spec.Schema {
	recorded := s.ToKubeOpenAPI()
	s.complete(recorded)
	return recorded
}

func (s *Structural) complete(recorded *spec.Schema) {
	if s == nil {
		return
	}
	for name, property := range s.Properties {
		completed := recorded.Properties[name]
		property.complete(&completed)
		recorded.Properties[name] = completed
	}
	if s.Items != nil {
		s.Items.complete(recorded.Items.Schema)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Structural != nil {
		s.AdditionalProperties.Structural.complete(recorded.AdditionalProperties.Schema)
	}
	s.ValueValidation.complete(recorded)
}

func (v *ValueValidation) complete(recorded *spec.Schema) {
	if v == nil {
		return
	}
	for i := range v.AllOf {
		v.AllOf[i].complete(&recorded.AllOf[i])
	}
	for i := range v.AnyOf {
		v.AnyOf[i].complete(&recorded.AnyOf[i])
	}
	for i := range v.OneOf {
		v.OneOf[i].complete(&recorded.OneOf[i])
	}
	if v.Not != nil {
		v.Not.complete(recorded.Not)
	}
}

func (v *NestedValueValidation) complete(recorded *spec.Schema) {
	v.ValueValidation.complete(recorded)
	if v.Items != nil {
		v.Items.complete(recorded.Items.Schema)
	}
	for name, property := range v.Properties {
		completed := recorded.Properties[name]
		property.complete(&completed)
		recorded.Properties[name] = completed
	}
	if v.AdditionalProperties != nil {
		others := v.AdditionalProperties.toKubeOpenAPI()
		v.AdditionalProperties.complete(others)
		recorded.AdditionalProperties = &spec.SchemaOrBool{Allows: true, Schema: others}
	}
}
