package equivalence

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Origins of errors that represent a refusal as a whole. Backends set them, and they decide how such an
// error is compared.
const (
	// OriginText marks the one error that represents a refusal whose text names no field.
	OriginText = "admission/text"
	// OriginDenied marks the one error that represents a refusal without a text.
	OriginDenied = "admission/denied"
	// OriginPolicy is the prefix of the Origin of a denial by a policy. The names of policy and binding
	// follow, each after a slash.
	OriginPolicy = "ValidatingAdmissionPolicy"
	// OriginMutatingPolicy is the same for a policy that could not change an object.
	OriginMutatingPolicy = "MutatingAdmissionPolicy"
)

// NamesNoField reports whether an error is a refusal by a validator outside the process whose text names
// no field (OriginText).
func NamesNoField(err *field.Error) bool { return err != nil && err.Origin == OriginText }
