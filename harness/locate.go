package harness

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness/contract"
)

// locate adds to each unexplained difference the places that declare its error: in the schema of the
// declarative side, if that can tell, or in a guard of either side.
func (h *Harness) locate(ctx context.Context, declarative capableBackend, in *Input, version Version, result *Result) {
	version.addPlaces(result.Pairs, result.Native.located, func(pair equivalence.Pair) *field.Error { return pair.Native })
	version.addPlaces(result.Pairs, result.Declarative.located, declarativeError)
	locatable := func(pair equivalence.Pair) bool { return pair.Declarative != nil && !pair.Explained() }
	if declarative.can.Locate == nil || h.options.InPlace || !slices.ContainsFunc(result.Pairs, locatable) {
		return
	}
	located, fault := guarded(ctx, h.options.guard(), "the errors of the "+declarative.Name()+" backend were not located",
		func(ctx context.Context) ([]contract.Located, error) {
			return declarative.can.Locate(ctx, in)
		})
	if fault == nil {
		version.addPlaces(result.Pairs, located, declarativeError)
	}
}

func declarativeError(pair equivalence.Pair) *field.Error { return pair.Declarative }

// addPlaces adds the places of located errors to the unexplained differences with these errors.
func (v Version) addPlaces(pairs []equivalence.Pair, located []contract.Located, errorOf func(equivalence.Pair) *field.Error) {
	for i := range pairs {
		err := errorOf(pairs[i])
		if err == nil || pairs[i].Explained() {
			continue
		}
		for _, one := range located {
			if sayTheSame(one.Error, err) {
				pairs[i].Declared = v.addDeclared(pairs[i].Declared, one)
			}
		}
	}
}

func sayTheSame(a, b *field.Error) bool {
	return a.Type == b.Type && a.Field == b.Field && a.Detail == b.Detail && a.Origin == b.Origin
}

// addDeclared adds the places of a located error with their positions, each once.
func (v Version) addDeclared(all []difference.Declared, located contract.Located) []difference.Declared {
	for _, place := range located.Declared {
		one := difference.Declared{Place: place, Position: located.Position}
		if one.Position == "" && v.Position != nil {
			one.Position = v.Position(place)
		}
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}
