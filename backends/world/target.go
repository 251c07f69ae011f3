package world

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/stages"
)

// NewTarget returns the target that compares two worlds: native guards the objects today,
// declarative will guard them. Without versions it has every version that one of the worlds serves;
// if only one serves a version, the other refuses its objects.
//
// At least one world must have a Definition. If the other one has none, it reads objects with it.
// Type and metadata are validated if both have one: a webhook alone leaves them to the API server.
// The API server always validates built-in kinds, so both worlds do.
//
// Objects of cases are documents or pointers to Go structs. The error says why the worlds
// cannot be compared.
func NewTarget(native, declarative World, versions ...string) (*harness.Target, error) {
	if native.Definition == nil && declarative.Definition == nil {
		return nil, errors.New("neither world has a definition; at least one is needed to read the objects")
	}
	old, new := native.shares(&declarative), declarative.shares(&native)
	described := new.Describe()
	if kind := old.Describe().Kind; kind != described.Kind {
		return nil, fmt.Errorf("the definition of today is that of %s, the one of tomorrow that of %s; compare definitions of "+
			"the same kind", kind, described.Kind)
	}
	for _, of := range []*World{&native, &declarative} {
		if of.StoredBy == nil {
			of.StoredBy = old
		}
	}
	native.Side, declarative.Side = contract.NativeName, contract.DeclarativeName
	scheme := &scheme{old, new}
	target := &harness.Target{Kind: described.Kind, Scheme: scheme}
	compared, err := pick(scheme.versions(), versions)
	for _, version := range compared {
		of, _ := described.Find(version)
		target.Versions = append(target.Versions, harness.Version{
			GroupVersionKind: version,
			Resource:         cmp.Or(of.Plural, described.Versions[0].Plural),
			Carrier:          of.Carrier,
			Native:           native,
			Declarative:      declarative,
		})
	}
	return target, err
}

// shares returns the definition of a world, or that of the other one if it has none. The worlds then
// share it: for reading, and for validation if the kind is built in.
func (w *World) shares(other *World) serving.Resource {
	if w.Definition != nil {
		return w.Definition
	}
	shared := other.Definition
	switch definition := shared.(type) {
	case *apiresource.Definition:
		w.Reads, other.Definition = definition, definition.LeavingMetadata()
	default:
		w.Definition = definition
	}
	return shared
}

// pick returns the versions with these names, or all.
func pick(served []schema.GroupVersionKind, names []string) ([]schema.GroupVersionKind, error) {
	if len(names) == 0 {
		return served, nil
	}
	var picked []schema.GroupVersionKind
	for _, name := range names {
		i := slices.IndexFunc(served, func(version schema.GroupVersionKind) bool { return version.Version == name })
		if i < 0 {
			return nil, fmt.Errorf("neither world serves version %q; they serve %s", name, stages.VersionNames(served))
		}
		picked = append(picked, served[i])
	}
	return picked, nil
}
