package apiresource

import (
	"context"
	"maps"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Covered returns a Backend that counts what the keywords of its schema do.
func (b Backend) Covered(_ schema.GroupVersionKind, c *tally.Coverage) (harness.Backend, error) {
	v, err := b.Validator.Covered(c)
	return Backend{v}, err
}

// Document returns the schema of the version.
func (b Backend) Document(schema.GroupVersionKind) (tally.Document, error) {
	return b.Validator.document(), nil
}

// Changed returns a Backend with a schema that was changed, see declarative.Validator.
func (b Backend) Changed(_ schema.GroupVersionKind, change func(tally.Document) tally.Document) (harness.Backend, error) {
	v, err := b.Validator.Changed(change)
	return Backend{v}, err
}

// Subresources names the subresources of the version.
func (b Backend) Subresources(schema.GroupVersionKind) []string { return b.opts.Subresources.Names() }

// Covered returns the same definition with a version that counts what the keywords of its schema
// do.
func (d *Definition) Covered(version string, c *tally.Coverage) (*Definition, error) {
	backend, err := d.Backend(version)
	if err != nil {
		return nil, err
	}
	validator, err := backend.Validator.Covered(c)
	return d.with(version, validator), err
}

// Changed returns the same definition with a version whose objects are validated by a schema that
// was changed. Pruning, defaults and conversion stay.
func (d *Definition) Changed(version string, change func(tally.Document) tally.Document) (*Definition, error) {
	backend, err := d.Backend(version)
	if err != nil {
		return nil, err
	}
	validator, err := backend.Validator.Changed(change)
	return d.with(version, validator), err
}

// with returns the same definition with another validator of a version.
func (d *Definition) with(version string, validator *Validator) *Definition {
	other, served := *d, *d.versions[version]
	served.backend = func() (Backend, error) { return Backend{validator}, nil }
	other.versions = maps.Clone(d.versions)
	other.versions[version] = &served
	return &other
}

// Changed compiles the schema after a change, see declarative.Validator.
func (v *Validator) Changed(change func(tally.Document) tally.Document) (*Validator, error) {
	changed := change(v.document())
	opts := v.opts
	opts.Schema.Definitions, opts.Schema.Coverage = changed.Definitions, nil
	return Compile(changed.Root, opts)
}

func (v *Validator) document() tally.Document {
	return tally.Document{Root: v.schema, Definitions: v.opts.Schema.Definitions}
}

// Covered compiles the schema again, to count what its keywords do.
func (v *Validator) Covered(c *tally.Coverage) (*Validator, error) {
	opts := v.opts
	opts.Schema.Coverage = c
	return Compile(v.schema, opts)
}

// locate validates an input again and finds the keyword or rule that each error comes from. The
// first call compiles the schema once more.
func (b Backend) locate(ctx context.Context, in *harness.Input) ([]contract.Located, error) {
	counting, err := b.locating()
	if err != nil {
		return nil, err
	}
	asked := *counting
	asked.opts.Metadata = b.opts.Metadata // see Definition.LeavingMetadata
	return tally.LocateErrors(ctx, func(ctx context.Context) (field.ErrorList, error) { return Backend{&asked}.Validate(ctx, in) })
}

// ofValues reports whether a keyword validates values: the errors of a status are those of its own
// schema by these keywords, and of the whole schema by the others.
func ofValues(keyword string) bool {
	switch keyword {
	case openapi.XValidations, openapi.XListType, openapi.XEmbeddedResource, tally.FieldPlace:
		return false
	}
	return true
}
