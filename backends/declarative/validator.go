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
	"github.com/diffrun/diffrun/equivalence"
)

// Validator validates objects against one schema. It never changes and may be
// used by many goroutines at once.
type Validator struct {
	walker   *walk.Validator
	root     *graph.Node
	ignored  []string
	declared declarations
	options  Options
	// subresource is that of the requests; others are the validators for subresources that rules
	// name, by name.
	subresource  string
	subresources []string
	others       *sync.Map
	// programs gives the compiled rules, for schemas that differ a little; see Changed.
	programs func() graph.Programs
	// locating gives a validator of the same schema that knows where its errors are declared.
	locating func() (*Validator, error)
}

// Declarations says what the schema declares at the fields of an object.
func (v *Validator) Declarations() equivalence.Declarations { return v.declared }

// Ignored says what of the schema has no effect, each with its place: formats that
// are not known, which JSON Schema and the API server ignore, keys of rules and extensions of
// Kubernetes that are not about validation or not known. It is empty for a schema
// that is taken in whole.
func (v *Validator) Ignored() []string { return slices.Clone(v.ignored) }

// SchemaError is all that is wrong with a schema. The field of each error is the
// place in the schema, as in "properties[spec].properties[name].pattern".
type SchemaError struct {
	Errors field.ErrorList
}

// Error gives one mistake a line. One of the schema as a whole has no place.
func (e *SchemaError) Error() string {
	lines := make([]string, len(e.Errors))
	for i, one := range e.Errors {
		if lines[i] = one.Error(); one.Field == (*field.Path)(nil).String() {
			lines[i] = one.Detail
		}
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives the mistakes one by one.
func (e *SchemaError) Unwrap() []error {
	all := make([]error, len(e.Errors))
	for i, one := range e.Errors {
		all[i] = one
	}
	return all
}

// Compile compiles an OpenAPI v3 schema with Kubernetes' extensions.
//
// The error is a *SchemaError that names everything that is wrong: a rule that
// does not compile, a pattern that is not a regular expression, a $ref to nothing, a
// keyword or value that is not known. Nothing is skipped.
func Compile(schema *spec.Schema, opts Options) (*Validator, error) {
	if schema == nil {
		return nil, errors.New("no schema to compile")
	}
	return compile(schema, opts, nil)
}

// compile compiles a schema with the rules that were compiled before.
func compile(schema *spec.Schema, opts Options, programs graph.Programs) (*Validator, error) {
	how := opts.graph()
	how.Programs = programs
	g, mistakes := graph.Compile(schema, how)
	if len(mistakes) > 0 {
		return nil, &SchemaError{Errors: mistakes}
	}
	v := &Validator{
		walker: walk.New(g.Root, opts.walk()), root: g.Root, ignored: g.Ignored, declared: newDeclarations(declared.Schema{Root: schema, Definitions: opts.Definitions}),
		options: opts, subresources: g.Subresources, others: &sync.Map{}, programs: programsOf(schema, opts),
	}
	v.locating = locatingOf(v)
	return v, nil
}

// programsOf compiles the rules of a schema when they are first asked for.
func programsOf(schema *spec.Schema, opts Options) func() graph.Programs {
	return sync.OnceValue(func() graph.Programs {
		how := opts.graph()
		how.Tally, how.Programs = nil, graph.Programs{}
		graph.Compile(schema, how) // without mistakes, as before
		return how.Programs
	})
}

// WithoutRatcheting gives a validator of the same schema that reports errors of an update at
// values that did not change. It counts nothing (Options.Coverage).
func (v *Validator) WithoutRatcheting() *Validator {
	without := *v
	without.options.Ratcheting, without.options.Coverage = RatchetingOff, nil
	without.walk()
	return &without
}

// ForSubresource gives a validator of the same schema for requests to a subresource, "" for none:
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
	v.walker, v.others = walk.New(v.root, how), &sync.Map{}
}

// Validate validates obj, or the update of old to obj when old is not nil. Errors
// come in one order: by field, type, text and value. It is nil when obj is
// valid.
//
// The object is not changed. A typed object is read through value.NewValueReflect
// without a conversion; a nil slice, map or pointer in it counts as absent unless
// the schema is nullable there. A Go value that JSON has no counterpart for, such as a
// channel, is of no type that a schema accepts.
//
// No object makes Validate panic. A panic is a bug, or comes from a value.Value or a
// conversion of a Go type that panics itself. It is not recovered here, because an error
// would count as one of validation: Backend.Validate makes it a fault.
func (v *Validator) Validate(ctx context.Context, obj, old value.Value) field.ErrorList {
	return v.walker.Validate(ctx, obj, old)
}
