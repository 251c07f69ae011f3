package declarative

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative/internal/declared"
	"github.com/diffrun/diffrun/backends/declarative/internal/graph"
	"github.com/diffrun/diffrun/backends/declarative/internal/walk"
	"github.com/diffrun/diffrun/equivalence/difference"
)

// Validator validates objects against one schema. It never changes and may be
// used by many goroutines at once.
type Validator struct {
	walker   *walk.Validator
	root     *graph.Node
	ignored  []string
	declared declarations
	options  Options
	// subresource is the subresource of the requests; others has the validators for the subresources
	// that rules name.
	subresource  string
	subresources []string
	others       *sync.Map
	// programs are the compiled rules, for schemas that differ little; see Changed.
	programs graph.Programs
	// without makes the validator of WithoutRatcheting, once.
	without func() *Validator
	// locating returns a validator of the same schema that knows where errors are declared.
	locating func() (*Validator, error)
}

// Declarations returns what the schema declares at the fields of an object.
func (v *Validator) Declarations() difference.Declarations { return v.declared }

// Ignored returns the places of the schema that have no effect: unknown formats, which JSON Schema and the
// API server ignore, and keys of rules and extensions of Kubernetes that are unknown or do not concern
// validation.
func (v *Validator) Ignored() []string { return slices.Clone(v.ignored) }

// SchemaError has all mistakes of a schema. The field of each error is the place in the schema, as in
// "properties[spec].properties[name].pattern".
type SchemaError struct {
	Errors field.ErrorList
}

// Error returns one line for each mistake. A mistake of the schema as a whole has no place.
func (e *SchemaError) Error() string {
	lines := make([]string, len(e.Errors))
	for i, one := range e.Errors {
		if lines[i] = one.Error(); one.Field == (*field.Path)(nil).String() {
			lines[i] = one.Detail
		}
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the mistakes.
func (e *SchemaError) Unwrap() []error {
	all := make([]error, len(e.Errors))
	for i, one := range e.Errors {
		all[i] = one
	}
	return all
}

// Compile compiles an OpenAPI v3 schema with Kubernetes' extensions.
//
// The error is a *SchemaError with all mistakes: a rule that does not compile, a pattern that is not a
// regular expression, a $ref to a missing definition, an unknown keyword or value. Nothing is skipped.
func Compile(schema *spec.Schema, opts Options) (*Validator, error) {
	if schema == nil {
		return nil, errors.New("no schema to compile")
	}
	return compile(schema, opts, graph.Programs{})
}

// compile compiles a schema, reusing rules that were compiled before. It adds those that were not.
func compile(schema *spec.Schema, opts Options, programs graph.Programs) (*Validator, error) {
	how := opts.graph()
	how.Programs = programs
	g, mistakes := graph.Compile(schema, how)
	if len(mistakes) > 0 {
		return nil, &SchemaError{Errors: mistakes}
	}
	v := &Validator{
		walker: walk.New(g.Root, opts.walk()), root: g.Root, ignored: g.Ignored,
		declared: newDeclarations(declared.Schema{Root: schema, Definitions: opts.Definitions}),
		options:  opts, subresources: g.Subresources, others: &sync.Map{}, programs: programs,
	}
	v.locating, v.without = locatingOf(v), sync.OnceValue(v.withoutRatcheting)
	return v, nil
}

// WithoutRatcheting returns a validator of the same schema that also reports errors of an update at
// unchanged values. It counts nothing (Options.Coverage).
func (v *Validator) WithoutRatcheting() *Validator { return v.without() }

func (v *Validator) withoutRatcheting() *Validator {
	without := *v
	without.options.WithoutRatcheting, without.options.Coverage = true, nil
	without.walk()
	return &without
}

// ForSubresource returns a validator of the same schema for requests to a subresource, "" for none:
// a rule may hold for some subresources only (onlySubresources, exceptSubresources).
func (v *Validator) ForSubresource(name string) *Validator {
	if !slices.Contains(v.subresources, name) {
		name = ""
	}
	if name == v.subresource {
		return v
	}
	if known, ok := v.others.Load(name); ok {
		return known.(*Validator)
	}
	other := *v
	other.subresource = name
	other.walk()
	first, _ := v.others.LoadOrStore(name, &other) // another goroutine may have been faster
	return first.(*Validator)
}

// walk makes the walker of a changed copy of a validator.
func (v *Validator) walk() {
	how := v.options.walk()
	how.Subresource = v.subresource
	v.walker, v.others, v.without = walk.New(v.root, how), &sync.Map{}, sync.OnceValue(v.withoutRatcheting)
}

// Validate validates obj, or the update of old to obj if old is not nil. Errors are ordered by field, type,
// text and value. It returns nil if obj is valid.
//
// The object is not changed. A typed object is read through value.NewValueReflect
// without a conversion; a nil slice, map or pointer in it counts as absent unless
// the schema is nullable there. No schema accepts a Go value without a counterpart in JSON, such as a
// channel.
//
// No object makes Validate panic. A panic is a bug, or comes from a value.Value or the conversion of a Go
// type. Validate does not recover it, because an error would count as one of validation; Backend.Validate
// returns it as a fault.
func (v *Validator) Validate(ctx context.Context, obj, old value.Value) field.ErrorList {
	return v.walker.Validate(ctx, obj, old)
}
