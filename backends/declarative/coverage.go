package declarative

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/tally"
	"github.com/diffrun/diffrun/harness"
)

// Coverage counts what the keywords and rules of a schema do to the objects that a Validator
// validates. Give it to Compile in Options. The zero value is ready; several goroutines may
// use it, and several schemas may share it: places that are the same are one.
//
// Each Validate is one input. The rules that Backend.Unchecked runs are not counted, because their input
// was counted before.
type Coverage struct {
	tally tally.Tally

	// See Part.
	of      *Coverage
	at      string
	counted func(keyword string) bool
}

// Part counts the validation of a part of an object into the same places. at is the path of the part, and
// counted reports whether a keyword counts. Use it if several schemas validate one object together.
func (c *Coverage) Part(at string, counted func(keyword string) bool) *Coverage {
	if c == nil {
		return nil
	}
	return &Coverage{of: c, at: at, counted: counted}
}

// FieldPlace and EnumValuePlace are the Keywords of places that are not keywords: a field, which is
// reached if it is set, and a value of an enum, which is reached if it is used.
const (
	FieldPlace     = "field"
	EnumValuePlace = "enum value"
)

// Place is a keyword or a rule of a schema with its counts. It is where it checks values, not
// where it is written: a definition that two fields refer to has places for both. A definition
// that refers back to itself has those of the first path.
type Place struct {
	// Path is the field whose values are checked, as in "spec.ports[*].port"; "[*]" means
	// the items of a list, or the keys that a schema does not name. Empty: the object.
	// For required it is the field that is required.
	Path string
	// Within is the branch of a junctor that has the keyword, as in "spec.ports[*] anyOf[0]"; it is
	// empty outside of branches.
	Within string
	// Keyword is its name, FieldPlace or EnumValuePlace. A rule is "x-kubernetes-validations" with its Index in the list.
	Keyword string
	Index   int
	// Value is the value of the keyword, or the rule. It is empty for keywords with schemas, such as
	// not, and for required.
	Value string
	// Declared are the places of the schema that have the keyword, as SchemaError names them:
	// "definitions[Port].properties[number].maximum". Fields and values of enums have none.
	Declared []string
	// Reached is the number of inputs with a value that the keyword checks; Passed and Failed are the
	// numbers of inputs with a right and with a wrong value. An input with several values may be
	// both, and an input whose rule could not be evaluated is neither. Errors that an update drops
	// at unchanged values, and failures in a branch where another branch is valid, count.
	Reached, Passed, Failed int
}

// Places returns all places, ordered by path, those outside of branches first, then in the order of the
// checks.
func (c *Coverage) Places() []Place {
	var places []Place
	for _, one := range c.counts().All() {
		places = append(places, Place{
			Path: one.Path, Within: one.Within, Keyword: one.Keyword, Index: one.Index, Value: one.Value,
			Declared: one.Declared, Reached: one.Reached, Passed: one.Passed, Failed: one.Failed,
		})
	}
	slices.SortStableFunc(places, func(a, b Place) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Within, b.Within))
	})
	return places
}

func (c *Coverage) counts() *tally.Tally {
	if c == nil {
		return nil
	}
	if c.of != nil {
		return c.of.counts()
	}
	return &c.tally
}

// Covered returns a Backend that counts what the keywords of its schema do.
func (b Backend) Covered(_ schema.GroupVersionKind, c *Coverage) (harness.Backend, error) {
	v, err := b.Validator.Covered(c)
	return Backend{v}, err
}

// Covered compiles the schema of a Validator again, to count what its keywords do.
func (v *Validator) Covered(c *Coverage) (*Validator, error) {
	opts := v.options
	opts.Coverage = c
	return Compile(v.declared.Root, opts)
}

// Seen is what happened on one input at a place of a schema that declares a keyword; see Watch.
type Seen struct {
	// Declared is the place, as in Place.
	Declared string
	// Passed and Failed are true if at least one value was right, or wrong. Both are false if a rule
	// could not be evaluated.
	Passed, Failed bool
}

// Watch returns a context. If a Validator that counts validates an input with it, each is called for every
// declared keyword and rule that the input reached, before Validate returns.
func Watch(ctx context.Context, each func(Seen)) context.Context {
	return tally.Watch(ctx, func(s tally.Seen) { each(Seen(s)) })
}

// Changed compiles a changed copy of the schema of a Validator. The function receives the schema and its
// definitions, which it must not modify, and returns those to compile. Nothing is counted.
func (v *Validator) Changed(change func(Document) Document) (*Validator, error) {
	opts := v.options
	changed := change(Document{Root: v.declared.Root, Definitions: v.declared.Definitions})
	opts.Definitions, opts.Coverage = changed.Definitions, nil
	if !changed.SameTypes || !opts.WithoutEstimation {
		return Compile(changed.Root, opts)
	}
	return compile(changed.Root, opts, maps.Clone(v.programs()))
}

// Document is a schema with the definitions that it refers to.
type Document struct {
	Root        *spec.Schema
	Definitions map[string]*spec.Schema
	// SameTypes promises that a change keeps the types of all values, so rules that stay are not
	// compiled again. The zero value is always right, but slow.
	SameTypes bool
}

// Changed returns a Backend with a changed schema; see Validator.Changed.
func (b Backend) Changed(_ schema.GroupVersionKind, change func(Document) Document) (harness.Backend, error) {
	v, err := b.Validator.Changed(change)
	return Backend{v}, err
}
