package infer

import (
	"cmp"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// panicSite is where the native validator panicked on inputs that the schema accepts. The API server refuses these, but no
// rule is made of them: the validator decided nothing, and somebody will mend it.
type panicSite struct {
	err      *field.Error
	smallest explore.Input
	size     int
}

// notePanic notes the panic that a pair of errors has. It reports whether there is one.
func (e *evidence) notePanic(in explore.Input, pair *equivalence.Pair) bool {
	if !fielderror.IsPanic(pair.Native) {
		return false
	}
	if pair.Class != equivalence.TooLoose || pair.Explained() {
		return true
	}
	key, size := cmp.Or(fielderror.PanicPlace(pair.Native), pair.Native.Detail), sizeOf(in)
	of := e.panicAt[key]
	switch {
	case of == nil:
		of = &panicSite{pair.Native, in, size}
		e.panicAt[key] = of
		e.panics = append(e.panics, of)
	case size < of.size:
		*of = panicSite{pair.Native, in, size}
	}
	return true
}
