package remembered

import (
	"reflect"
	"slices"

	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/harness"
)

// Target returns a target whose native backends and mutators repeat their answers, without the documents that would be stored.
// A mutator that both sides have is asked once for both.
func Target(of *harness.Target) *harness.Target {
	repeats := *of
	repeats.Versions = slices.Clone(of.Versions)
	mutators := map[world.Mutator]Mutator{}
	for n, version := range repeats.Versions {
		version.Native = New(withMutator(version.Native, mutators), false)
		version.Declarative = withMutator(version.Declarative, mutators)
		repeats.Versions[n] = version
	}
	return &repeats
}

// withMutator returns a backend whose mutator repeats its answers. mutators has one for each.
func withMutator(of harness.Backend, mutators map[world.Mutator]Mutator) harness.Backend {
	guarded, is := of.(world.World)
	if !is || guarded.Mutate.Mutator == nil {
		return of
	}
	mutator := guarded.Mutate.Mutator
	repeats, known := Mutator{}, false
	canBeKey := reflect.TypeOf(mutator).Comparable()
	if canBeKey {
		repeats, known = mutators[mutator]
	}
	if !known {
		repeats = NewMutator(mutator)
	}
	if canBeKey {
		mutators[mutator] = repeats
	}
	guarded.Mutate.Mutator = repeats
	return guarded
}
