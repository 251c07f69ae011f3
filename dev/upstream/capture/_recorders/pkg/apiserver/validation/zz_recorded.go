package validation

import (
	"encoding/json"

	"k8s.io/apiextensions-apiserver/pkg/features"
	"k8s.io/apiextensions-apiserver/pkg/recording"
	"k8s.io/apimachinery/pkg/util/validation/field"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kube-openapi/pkg/validation/validate"
)

func ValidateCustomResource(fldPath *field.Path, customResource interface{}, validator SchemaCreateValidator,
	options ...ValidationOption) field.ErrorList {
	r := recording.Start("ValidateCustomResource").Schema(recordedSchema(validator)).Object(customResource).At(fldPath)
	errs := unrecordedValidateCustomResource(fldPath, customResource, validator, options...)
	r.Errors(errs).Write()
	return errs
}

func ValidateCustomResourceUpdate(fldPath *field.Path, customResource, old interface{}, validator SchemaValidator,
	options ...ValidationOption) field.ErrorList {
	r := recording.Start("ValidateCustomResourceUpdate").Schema(recordedSchema(validator)).Object(customResource).Old(old).At(fldPath).
		Flag("ratcheting", ratchets(options))
	errs := unrecordedValidateCustomResourceUpdate(fldPath, customResource, old, validator, options...)
	r.Errors(errs).Write()
	return errs
}

func (r *RatchetingSchemaValidator) ValidateUpdate(new, old interface{}, options ...ValidationOption) *validate.Result {
	call := recording.Start("RatchetingSchemaValidator.ValidateUpdate").Schema(recordedSchema(r)).Object(new).Old(old).
		Flag("ratcheting", ratchets(options))
	result := r.unrecordedValidateUpdate(new, old, options...)
	if call.ByTest() {
		call.Errors(kubeOpenAPIResultToFieldErrors(nil, result)).Write()
	}
	return result
}

func ratchets(options []ValidationOption) bool {
	return NewValidationOptions(options...).Ratcheting && utilfeature.DefaultFeatureGate.Enabled(features.CRDValidationRatcheting)
}

// recordedSchema returns the schema of a validator; {} if it has none.
func recordedSchema(validator SchemaCreateValidator) json.Marshaler {
	switch v := validator.(type) {
	case *RatchetingSchemaValidator:
		if v != nil && v.schema != nil {
			return v.schema
		}
	case basicSchemaValidator:
		if v.SchemaValidator != nil && v.Schema != nil {
			return v.Schema
		}
	}
	return json.RawMessage("{}")
}
