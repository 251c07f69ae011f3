package evidence

import (
	"cmp"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/gomodule/read"
)

// PanicSite is where the native validator panicked on inputs that the schema accepts. The API server refuses these, but no
// rule is made of them: the validator decided nothing, and somebody will mend it.
type PanicSite struct {
	Err      *field.Error
	Smallest explore.Input
	size     int
}

// NotePanic notes the panic that a pair of errors has. It reports whether there is one.
func (e *Evidence) NotePanic(in explore.Input, pair *equivalence.Pair) bool {
	if !fielderror.IsPanic(pair.Native) {
		return false
	}
	if pair.Class != difference.TooLoose || pair.Explained() {
		return true
	}
	key, size := cmp.Or(fielderror.PanicPlace(pair.Native), pair.Native.Detail), SizeOf(in)
	of := e.panicAt[key]
	switch {
	case of == nil:
		of = &PanicSite{pair.Native, in, size}
		e.panicAt[key] = of
		e.Panics = append(e.Panics, of)
	case size < of.size:
		*of = PanicSite{pair.Native, in, size}
	}
	return true
}

// PanicReadings returns what the source says about a panic.
func (e *Evidence) PanicReadings(of *PanicSite) (all []*Reading) {
	place, _, _ := strings.Cut(fielderror.PanicPlace(of.Err), " ")
	for _, r := range e.Target.Readings {
		if r.Type == read.PanicType && r.Source() == place {
			all = append(all, r)
		}
	}
	return all
}
