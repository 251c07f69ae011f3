package harness

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
)

// locate adds to each unexplained difference the places that declare its error: in the schema of the
// declarative side, or in a policy of either side. If a backend cannot tell, nothing is added.
func (h *Harness) locate(ctx context.Context, backend capableBackend, in *Input, version Version, pairs []equivalence.Pair, errorOf func(equivalence.Pair) *field.Error) {
	locatable := func(pair equivalence.Pair) bool { return errorOf(pair) != nil && !pair.Explained() }
	if backend.can.Locate == nil || h.options.InPlace || !slices.ContainsFunc(pairs, locatable) {
		return
	}
	located, fault := guarded(ctx, h.options.guard(), "the errors of the "+backend.Name()+" backend were not located", func(ctx context.Context) ([]Located, error) {
		return backend.can.Locate(ctx, in)
	})
	if fault != nil {
		return
	}
	for i := range pairs {
		if !locatable(pairs[i]) {
			continue
		}
		for _, one := range located {
			if sayTheSame(one.Error, errorOf(pairs[i])) {
				pairs[i].Declared = version.addDeclared(pairs[i].Declared, one.Declared)
			}
		}
	}
}

// declarativeError returns the error of the declarative side.
func declarativeError(pair equivalence.Pair) *field.Error { return pair.Declarative }

// nativeDenial returns the error of the native side if a policy reports it: other errors of that side
// are not declared anywhere.
func nativeDenial(pair equivalence.Pair) *field.Error {
	if !equivalence.IsPolicy(pair.Native) {
		return nil
	}
	return pair.Native
}

func sayTheSame(a, b *field.Error) bool {
	return a.Type == b.Type && a.Field == b.Field && a.Detail == b.Detail && a.Origin == b.Origin
}

// addDeclared adds places of the schema with their positions, each once.
func (v Version) addDeclared(all []equivalence.Declared, places []string) []equivalence.Declared {
	for _, place := range places {
		one := equivalence.Declared{Place: place}
		if v.Stands != nil {
			one.Stands = v.Stands(place)
		}
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}
