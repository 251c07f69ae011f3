package validation

import (
	"context"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/recording"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func ValidateCustomResourceDefinition(ctx context.Context, obj *apiextensions.CustomResourceDefinition) field.ErrorList {
	r := recording.Start("ValidateCustomResourceDefinition").Definition(obj, nil)
	errs := unrecordedValidateCustomResourceDefinition(ctx, obj)
	r.Errors(errs).Write()
	return errs
}

func ValidateCustomResourceDefinitionUpdate(ctx context.Context, obj, oldObj *apiextensions.CustomResourceDefinition) field.ErrorList {
	r := recording.Start("ValidateCustomResourceDefinitionUpdate").Definition(obj, oldObj)
	errs := unrecordedValidateCustomResourceDefinitionUpdate(ctx, obj, oldObj)
	r.Errors(errs).Write()
	return errs
}

func validateCustomResourceDefinitionValidation(ctx context.Context,
	customResourceValidation *apiextensions.CustomResourceValidation, statusSubresourceEnabled bool, opts validationOptions,
	fldPath *field.Path) field.ErrorList {
	r := recording.Start("validateCustomResourceDefinitionValidation")
	if r.ByTest() {
		r.Definition(customResourceValidation, nil).At(fldPath).Flag("status", statusSubresourceEnabled)
		for name, asked := range map[string]bool{
			"allowDefaults":                      opts.allowDefaults,
			"requireValidPropertyType":           opts.requireValidPropertyType,
			"requireStructuralSchema":            opts.requireStructuralSchema,
			"requirePrunedDefaults":              opts.requirePrunedDefaults,
			"requireAtomicSetType":               opts.requireAtomicSetType,
			"requireMapListKeysMapSetValidation": opts.requireMapListKeysMapSetValidation,
		} {
			r.Flag(name, asked)
		}
		r.Flag("suppressPerExpressionCost", opts.suppressPerExpressionCost)
		r.Flag("preexisting", len(opts.preexistingExpressions.rules)+len(opts.preexistingExpressions.messageExpressions) > 0)
	}
	errs := unrecordedvalidateCustomResourceDefinitionValidation(ctx, customResourceValidation, statusSubresourceEnabled, opts, fldPath)
	if r.ByTest() {
		r.Errors(errs).Write()
	}
	return errs
}
