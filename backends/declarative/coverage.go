package declarative

import (
	"maps"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/harness"
)

// Covered returns a Backend that counts what the keywords of its schema do.
func (b Backend) Covered(_ schema.GroupVersionKind, c *tally.Coverage) (harness.Backend, error) {
	v, err := b.Validator.Covered(c)
	return Backend{v}, err
}

// Document returns the schema of a Validator. It must not be modified.
func (v *Validator) Document() tally.Document {
	return tally.Document{Root: v.declared.Root, Definitions: v.declared.Definitions}
}

// Covered compiles the schema of a Validator again, except for its rules, to count what its keywords do.
func (v *Validator) Covered(c *tally.Coverage) (*Validator, error) {
	opts := v.options
	opts.Coverage = c
	return compile(v.declared.Root, opts, maps.Clone(v.programs))
}

// Changed compiles a changed copy of the schema of a Validator. The function receives the schema and its
// definitions, which it must not modify, and returns those to compile. Nothing is counted.
func (v *Validator) Changed(change func(tally.Document) tally.Document) (*Validator, error) {
	opts := v.options
	changed := change(v.Document())
	opts.Definitions, opts.Coverage = changed.Definitions, nil
	if !changed.SameTypes || !opts.WithoutEstimation {
		return Compile(changed.Root, opts)
	}
	return compile(changed.Root, opts, maps.Clone(v.programs))
}

// Document returns the schema of the Backend.
func (b Backend) Document(schema.GroupVersionKind) (tally.Document, error) {
	return b.Validator.Document(), nil
}

// Changed returns a Backend with a changed schema; see Validator.Changed.
func (b Backend) Changed(_ schema.GroupVersionKind, change func(tally.Document) tally.Document) (harness.Backend, error) {
	v, err := b.Validator.Changed(change)
	return Backend{v}, err
}
