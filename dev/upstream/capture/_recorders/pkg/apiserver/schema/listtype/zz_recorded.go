package listtype

import (
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/recording"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func ValidateListSetsAndMaps(fldPath *field.Path, s *schema.Structural, obj map[string]interface{}) field.ErrorList {
	r := recording.Start("ValidateListSetsAndMaps").Object(obj).At(fldPath)
	if s != nil {
		r.Schema(s.Recorded())
	}
	errs := unrecordedValidateListSetsAndMaps(fldPath, s, obj)
	r.Errors(errs).Write()
	return errs
}
