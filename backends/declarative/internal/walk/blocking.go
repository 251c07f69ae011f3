package walk

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// ruleOrigin is the keyword that the errors of rules come from.
const ruleOrigin = fielderror.OriginRule

// BlocksRules reports whether the API server skips the rules of an object with this error
// (apiextensions-apiserver, pkg/registry/customresource/strategy.go, hasBlockingErr).
func BlocksRules(err *field.Error) bool {
	switch err.Type {
	case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
		return true
	}
	return false
}

// RulesNotChecked returns the error that the API server adds if it skips the rules. It concerns
// the whole object and has no bad value.
func RulesNotChecked() *field.Error {
	err := fielderror.RulesNotChecked()
	err.Origin = ruleOrigin
	return err
}

// IsRulesNotChecked reports whether an error is that of RulesNotChecked, and not of a rule with
// the same message: errors of rules have a bad value or omit it.
func IsRulesNotChecked(err *field.Error) bool {
	return err.Origin == ruleOrigin && err.Field == (*field.Path)(nil).String() && err.BadValue == nil
}

// UncheckedRules runs the rules that Validate skips because of other errors (RulesNotChecked). A
// rule that cannot be evaluated is reported as failed, because nothing shows that it holds.
func (v *Validator) UncheckedRules(ctx context.Context, obj, old value.Value) field.ErrorList {
	errs := v.validate(ctx, obj, old, true)
	return slices.DeleteFunc(errs, func(err *field.Error) bool { return err.Origin != ruleOrigin })
}
