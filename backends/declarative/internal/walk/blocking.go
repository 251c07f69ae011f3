package walk

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// ruleOrigin is the keyword that the errors of rules come from.
const ruleOrigin = "x-kubernetes-validations"

// BlocksRules says that the API server runs no rule on an object with this error
// (apiextensions-apiserver, pkg/registry/customresource/strategy.go, hasBlockingErr).
func BlocksRules(err *field.Error) bool {
	switch err.Type {
	case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
		return true
	}
	return false
}

// RulesNotChecked is the error that the API server gives in place of the errors of rules
// that it does not run. It concerns the whole object and has no bad value.
func RulesNotChecked() *field.Error {
	err := field.Invalid(nil, nil, "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation")
	err.Origin = ruleOrigin
	return err
}

// IsRulesNotChecked recognizes the error of RulesNotChecked. Errors of rules have a bad
// value or omit it.
func IsRulesNotChecked(err *field.Error) bool {
	return err.Origin == ruleOrigin && err.Field == (*field.Path)(nil).String() && err.BadValue == nil
}

// UncheckedRules runs the rules on an object on which the API server does not run them
// (RulesNotChecked). A rule that cannot be evaluated is reported with its message, as if it
// failed: nothing shows that it would hold.
func (v *Validator) UncheckedRules(ctx context.Context, obj, old value.Value) field.ErrorList {
	errs := v.validate(ctx, obj, old, true)
	return slices.DeleteFunc(errs, func(err *field.Error) bool { return err.Origin != ruleOrigin })
}
