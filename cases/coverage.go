package cases

import (
	"context"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// covering is a declarative backend that can count what the keywords of its schema do.
type covering interface {
	Covered(version schema.GroupVersionKind, c *tally.Coverage) (harness.Backend, error)
}

// declarative returns the backend of a version, and its schema if that is asked for. If the run
// measures coverage, the backend counts, provided that it can.
func (t *targets) declarative(version schema.GroupVersionKind) (harness.Backend, *CompiledSchema, error) {
	compile := t.suite.declaratives
	if t.options.Coverage != nil && t.suite.counting != nil {
		compile = func(version schema.GroupVersionKind) (harness.Backend, error) {
			return t.suite.counting(version, t.options.Coverage(version, nil))
		}
	}
	backend, err := compile.guarded(version)
	if err != nil {
		return backend, nil, err
	}
	shown, err := t.schemaOf(version, backend)
	counts, can := backend.(covering)
	if t.options.Coverage == nil || t.suite.counting != nil || err != nil || !can {
		return backend, shown, err
	}
	var names []string
	if of, ok := backend.(interface {
		Subresources(schema.GroupVersionKind) []string
	}); ok {
		names = append([]string{}, of.Subresources(version)...)
	}
	counting, err := counts.Covered(version, t.options.Coverage(version, names))
	if err != nil {
		return nil, shown, err
	}
	return casesAlone{counting, backend}, shown, nil
}

// casesAlone is a backend that counts the requests of cases, and not those on stored objects.
type casesAlone struct {
	harness.Backend
	uncounted harness.Backend
}

// Capabilities implements contract.Capable.
func (b casesAlone) Capabilities() contract.Capabilities { return contract.CapabilitiesOf(b.Backend) }

// Validate returns the errors of one of the backends, which are the same.
func (b casesAlone) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	if in.Stored != "" {
		return b.uncounted.Validate(ctx, in)
	}
	return b.Backend.Validate(ctx, in)
}

// documented is a declarative backend that has a schema.
type documented interface {
	Document(version schema.GroupVersionKind) (tally.Document, error)
}

// schemaOf returns the schema of a backend, or nil if it has none or JobOptions.Schemas is not set. Of a
// built-in kind in a world it is the bundled schema, which validates nothing there.
func (t *targets) schemaOf(version schema.GroupVersionKind, backend harness.Backend) (*CompiledSchema, error) {
	if t.options.Schemas && t.suite.worldSchemas != nil {
		bundled, err := t.suite.worldSchemas.guarded(version)
		if err != nil {
			return nil, nil // no schema is bundled for the version
		}
		backend = bundled
	}
	has, ok := backend.(documented)
	if !t.options.Schemas || !ok {
		return nil, nil
	}
	document, err := has.Document(version)
	if err != nil || document.Root == nil {
		return nil, err
	}
	return &CompiledSchema{Version: version, Document: document, Definition: t.suite.counting == nil && t.suite.worldSchemas == nil}, nil
}

// Of returns the name of the suite without the set of options of its matrix.
func (s *Suite) Of() string { return strings.TrimSuffix(s.Name, "["+s.Set+"]") }

// Versions returns the versions of all kinds that the suite can compare.
func (s *Suite) Versions() []schema.GroupVersionKind {
	var all []schema.GroupVersionKind
	for _, kind := range s.natives.Kinds() {
		target, err := s.natives.Target(kind)
		if err != nil {
			continue // as for a case of the kind, which is a fault
		}
		for _, version := range s.narrow(target.Versions) {
			if s.offers == nil || s.offers(version.GroupVersionKind) {
				all = append(all, version.GroupVersionKind)
			}
		}
	}
	return all
}
