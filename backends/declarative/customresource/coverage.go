package customresource

import (
	"maps"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/harness"
)

// Covered gives a Backend that counts what the keywords of its schema do.
func (b Backend) Covered(_ schema.GroupVersionKind, c *declarative.Coverage) (harness.Backend, error) {
	v, err := b.Validator.Covered(c)
	return Backend{v}, err
}

// Subresources names the subresources of the version.
func (b Backend) Subresources(schema.GroupVersionKind) []string { return b.opts.Subresources.Names() }

// Covered gives the same definition with a version that counts what the keywords of its schema
// do.
func (d *Definition) Covered(version string, c *declarative.Coverage) (*Definition, error) {
	backend, err := d.Backend(version)
	if err != nil {
		return nil, err
	}
	validator, err := backend.Validator.Covered(c)
	if err != nil {
		return nil, err
	}
	covered := *d
	covered.backends = maps.Clone(d.backends)
	covered.backends[version] = func() (Backend, error) { return Backend{validator}, nil }
	return &covered, nil
}

// Covered compiles the schema again, to count what its keywords do.
func (v *Validator) Covered(c *declarative.Coverage) (*Validator, error) {
	opts := v.opts
	opts.Schema.Coverage = c
	return Compile(v.schema, opts)
}

// ofValues says that a keyword validates values: the errors of a status are those of its own
// schema by these keywords, and of the whole schema by the others.
func ofValues(keyword string) bool {
	switch keyword {
	case rulesKeyword, listTypeKeyword, embeddedKeyword, declarative.FieldPlace:
		return false
	}
	return true
}
