package schemadiff

import (
	"cmp"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Side is one of the two schemas.
type Side struct {
	Schema *spec.Schema
	// Definitions are what references find.
	Definitions map[string]*spec.Schema
	// Validate gives what is wrong with an object, which it does not change.
	Validate Validate
}

// Effect is what a change does to the objects that are accepted.
type Effect string

const (
	// Wider: B accepts what A rejects.
	Wider Effect = "wider"
	// Narrower: B rejects what A accepts.
	Narrower Effect = "narrower"
	// Other: B accepts some of what A rejects, and the reverse.
	Other Effect = "other"
	// Unknown: nobody can tell from the schemas.
	Unknown Effect = "unknown"
)

// Effects lists all effects.
func Effects() []Effect { return []Effect{Narrower, Wider, Other, Unknown} }

// Change is one difference between the schemas.
type Change struct {
	Effect Effect
	// Path is the field whose schema differs, as in "spec.ports[*].name"; empty: the
	// root.
	Path string
	// What names the change, as in "maximum 10 → 5".
	What string
	// Examples are objects that show the change, one for each direction at most.
	Examples []Example

	kind string // of the rejections that it makes; empty: any
	says string // in each of those rejections; empty: that is not known
}

// Example is an object that one side accepts and the other rejects.
type Example struct {
	// Effect is Wider where B accepts the object, Narrower where A does.
	Effect Effect
	// Object is the smallest one that was found.
	Object map[string]any
	// Rejection is what the other side says.
	Rejection
}

// Texts are what the rejections of changes say, where that is known.
func Texts(changes []Change) []string {
	var texts []string
	for _, change := range changes {
		if change.says != "" && !slices.Contains(texts, change.says) {
			texts = append(texts, change.says)
		}
	}
	return texts
}

// sortChanges puts changes in order: by path, then by what they are.
func sortChanges(changes []Change) {
	slices.SortStableFunc(changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.What, b.What), cmp.Compare(a.Effect, b.Effect))
	})
}
