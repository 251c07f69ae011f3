package equivalence

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Origins of errors that stand for a refusal as a whole. Backends set them, and they decide how
// such an error is compared.
const (
	// OriginText marks the one error that stands for a refusal whose text names no field.
	OriginText = "admission/text"
	// OriginDenied marks the one error that stands for a refusal without a text.
	OriginDenied = "admission/denied"
	// OriginPolicy begins the Origin of a denial by a policy. The names of policy and binding
	// follow, each after a slash.
	OriginPolicy = "ValidatingAdmissionPolicy"
)

// NamesNoField says that an error is a refusal of a validator outside the process whose text
// nobody could read a field from (OriginText).
func NamesNoField(err *field.Error) bool { return err != nil && err.Origin == OriginText }
