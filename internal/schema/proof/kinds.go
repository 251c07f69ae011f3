package proof

import (
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// kinds is a set of kinds of JSON values. Null is not among them; see mayBeNull.
type kinds uint8

const (
	boolean kinds = 1 << iota
	whole
	fraction
	text
	list
	object
	numbers  = whole | fraction
	anything = boolean | numbers | text | list | object
)

// intOrString is a format that is a type in native schemas.
const intOrString = "int-or-string"

// kinds returns the kinds that the value may have.
func (p *proof) kinds(v Value) kinds {
	all := anything
	for _, s := range v.all {
		all &= p.kindsOf(s.Schema)
	}
	return all
}

func (p *proof) kindsOf(s *spec.Schema) kinds {
	types := openapi.Types(s)
	switch {
	case len(types) == 0:
		return anything
	case s.Format == intOrString:
		return whole | text
	}
	var all kinds
	for _, one := range types {
		all |= map[string]kinds{"boolean": boolean, "integer": whole, "number": numbers, "string": text, "array": list,
			"object": object}[one]
	}
	// kube-openapi's type validator leaves strings and lists to the validator of the format.
	if slices.Equal(types, []string{"string"}) && p.semantics.EffectiveFormat(s) != "" {
		all |= list
	}
	return all
}
