package harness

import (
	"slices"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/fieldpath"
)

// undefined returns the fields of native errors that the definition does not have, each once. A field that both sides
// name is one: the API server itself writes ".spec.replicas" for a scale. A rule that knows that the native side spells
// a field differently, and an exception, also accept the field. A native side with a
// definition of its own is held against that one.
func (r *Result) undefined(native difference.Declarations) []contract.Undefined {
	if native == nil {
		native = r.Declared
	}
	defined, is := native.(fieldpath.Defined)
	if !is || r.Case.Path != nil {
		return nil
	}
	var all []contract.Undefined
	for _, pair := range r.Pairs {
		if pair.Native == nil || pair.Exception != nil {
			continue
		}
		if pair.Declarative != nil && (pair.Rule != nil || pair.Declarative.Field == pair.Native.Field) {
			continue
		}
		at, nearest, undefined := defined.Undefined(pair.Native.Field)
		if one := (contract.Undefined{Field: at, Nearest: nearest}); undefined && !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}
