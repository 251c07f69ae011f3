package openapi

import (
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Ineffective returns the keywords of a schema that do nothing for values of some types, such as
// maxLength for an array. The API server validates strings with the keywords of strings only, and
// so on (k8s.io/kube-openapi/pkg/validation/validate, the Applies of each validator), and the type
// rejects all other values. Without types every keyword may have an effect.
func Ineffective(s *spec.Schema, types []string) []Keyword {
	return slices.DeleteFunc(Keywords(), func(k Keyword) bool { return !k.Has(s) || k.Validates(types) })
}

// WithoutIneffective returns a schema without the keywords that do nothing for its types, at any
// depth. The schema is not changed.
func WithoutIneffective(s *spec.Schema) *spec.Schema { return withoutIneffective(s, s) }

// withoutIneffective takes the types of a branch from the schema outside all junctors that declares
// the same value; nil if nothing declares it.
func withoutIneffective(s, declaring *spec.Schema) *spec.Schema {
	types := Types(s)
	if len(types) == 0 && declaring != nil {
		types = Types(declaring)
	}
	effective := *s
	for _, k := range Ineffective(s, types) {
		k.Clear(&effective)
	}
	return MapChildren(&effective, func(c Child) *spec.Schema {
		switch {
		case !c.IsPart() && !c.IsBranch():
			return c.Schema
		case declaring == nil && c.IsPart():
			return withoutIneffective(c.Schema, c.Schema)
		}
		return withoutIneffective(c.Schema, c.Declaring(s, declaring))
	})
}
