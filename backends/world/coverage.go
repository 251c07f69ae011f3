package world

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/harness"
)

// Covered returns a World whose definition counts what the keywords of the schema of a version do.
// A world without a definition has nothing to count.
func (w World) Covered(version schema.GroupVersionKind, c *declarative.Coverage) (harness.Backend, error) {
	if w.Definition == nil {
		return w, nil
	}
	definition, err := w.Definition.Covered(version.Version, c)
	w.Definition = definition
	return w, err
}

// Changed returns a World whose definition validates the objects of a version by a changed schema.
// A world without a definition stays as it is.
func (w World) Changed(version schema.GroupVersionKind, change func(declarative.Document) declarative.Document) (harness.Backend, error) {
	if w.Definition == nil {
		return w, nil
	}
	definition, err := w.Definition.Changed(version.Version, change)
	w.Definition = definition
	return w, err
}

// Subresources returns the subresources of a version.
func (w World) Subresources(version schema.GroupVersionKind) []string {
	if w.Definition == nil {
		return nil
	}
	for _, of := range w.Definition.Resource().Versions {
		if of.Name == version.Version {
			return of.Subresources.Names()
		}
	}
	return nil
}
