package harness

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
)

// locate adds to each unexplained difference the places of the schema that declare its declarative
// error. If the backend cannot tell, nothing is added.
func (h *Harness) locate(ctx context.Context, declarative capableBackend, in *Input, version Version, pairs []equivalence.Pair) {
	if declarative.can.Locate == nil || h.options.InPlace || !slices.ContainsFunc(pairs, locatable) {
		return
	}
	located, fault := guarded(ctx, h.options.guard(), "the errors of the "+declarative.Name()+" backend were not located", func(ctx context.Context) ([]Located, error) {
		return declarative.can.Locate(ctx, in)
	})
	if fault != nil {
		return
	}
	for i := range pairs {
		if !locatable(pairs[i]) {
			continue
		}
		for _, one := range located {
			if sayTheSame(one.Error, pairs[i].Declarative) {
				pairs[i].Declared = version.addDeclared(pairs[i].Declared, one.Declared)
			}
		}
	}
}

// locatable reports whether a pair has an unexplained declarative error.
func locatable(pair equivalence.Pair) bool { return pair.Declarative != nil && !pair.Explained() }

func sayTheSame(a, b *field.Error) bool {
	return a.Type == b.Type && a.Field == b.Field && a.Detail == b.Detail && a.Origin == b.Origin
}

// addDeclared adds places of the schema with their positions, each once.
func (v Version) addDeclared(all []equivalence.Declared, places []string) []equivalence.Declared {
	for _, place := range places {
		one := equivalence.Declared{Place: place}
		if v.Position != nil {
			one.Position = v.Position(place)
		}
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}
