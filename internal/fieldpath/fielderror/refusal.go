package fielderror

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath"
)

// Origins of errors that represent a refusal as a whole. Backends set them, and they decide how such an
// error is compared.
const (
	// OriginText marks the one error that represents a refusal whose text names no field.
	OriginText = "admission/text"
	// OriginDenied marks the one error that represents a refusal without a text.
	OriginDenied = "admission/denied"
	// OriginPolicy is the prefix of the Origin of a denial by a policy. The names of policy and binding
	// follow, each after a slash, and the part of the policy that denied if it is known, such as
	// "validations[1]".
	OriginPolicy = "ValidatingAdmissionPolicy"
	// OriginMutatingPolicy is the same for a policy that could not change an object.
	OriginMutatingPolicy = "MutatingAdmissionPolicy"
	// ExpressionFailed begins the detail of a denial because an expression of a policy failed, rather than
	// evaluated to false.
	ExpressionFailed = "the expression failed: "
)

// IsPolicy reports whether an error is the denial of an admission policy; err may be nil.
func IsPolicy(err *field.Error) bool {
	return err != nil && (strings.HasPrefix(err.Origin, OriginPolicy+"/") || strings.HasPrefix(err.Origin, OriginMutatingPolicy+"/"))
}

// PolicyPart returns the policy that denied, with the part of it if that is known, such as
// "quotas/validations[1]". It is empty for all other errors.
func PolicyPart(err *field.Error) string {
	if !IsPolicy(err) {
		return ""
	}
	parts := strings.Split(err.Origin, "/")
	if len(parts) < 4 { // kind, policy, binding, part
		return parts[1]
	}
	return parts[1] + "/" + parts[3]
}

// NamesNoField reports whether an error is a refusal by a validator outside the process whose text names
// no field (OriginText).
func NamesNoField(err *field.Error) bool { return err != nil && err.Origin == OriginText }

// rulesNotChecked is the text of RulesNotChecked.
const rulesNotChecked = "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"

// RulesNotChecked returns the error that apiextensions-apiserver reports, at the root, in place of the
// errors of a schema's rules if they cannot run on an object of this shape.
func RulesNotChecked() *field.Error { return field.Invalid(nil, nil, rulesNotChecked) }

// IsRulesNotChecked reports whether an error is that of RulesNotChecked. Errors of rules have a value, or
// omit it.
func IsRulesNotChecked(err *field.Error) bool {
	return err != nil && err.Type == field.ErrorTypeInvalid && fieldpath.Canonical(err.Field) == "" &&
		err.BadValue == nil && strings.TrimSpace(err.Detail) == rulesNotChecked
}
