package world

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/harness"
)

// Covered returns a World whose definition counts what the keywords of the schema of a version do.
// A world without a definition has nothing to count, and neither has one of a built-in kind.
func (w World) Covered(version schema.GroupVersionKind, c *tally.Coverage) (harness.Backend, error) {
	definition, hasSchemas := w.Definition.(*apiresource.Definition)
	if !hasSchemas {
		return w, nil
	}
	counting, err := definition.Covered(version.Version, c)
	w.Definition = counting
	return w, err
}

// Document returns the schema of a version of the definition. It is empty for a world without schemas.
func (w World) Document(version schema.GroupVersionKind) (tally.Document, error) {
	definition, hasSchemas := w.Definition.(*apiresource.Definition)
	if !hasSchemas {
		return tally.Document{}, nil
	}
	backend, err := definition.Backend(version.Version)
	if err != nil {
		return tally.Document{}, err
	}
	return backend.Document(version)
}

// Changed returns a World whose definition validates the objects of a version by a changed schema.
// A world without schemas stays as it is.
func (w World) Changed(version schema.GroupVersionKind, change func(tally.Document) tally.Document) (harness.Backend, error) {
	definition, hasSchemas := w.Definition.(*apiresource.Definition)
	if !hasSchemas {
		return w, nil
	}
	changed, err := definition.Changed(version.Version, change)
	w.Definition = changed
	return w, err
}

// Subresources returns the subresources of a version.
func (w World) Subresources(version schema.GroupVersionKind) []string {
	if w.Definition == nil {
		return nil
	}
	of, _ := w.Definition.Describe().Find(version)
	return of.Subresources
}
