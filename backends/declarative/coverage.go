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
// Each Validate is one input. The rules that Backend.Unchecked runs are not counted: they
// belong to an input that was.
type Coverage struct {
	tally tally.Tally

	// See Part.
	of      *Coverage
	at      string
	counted func(keyword string) bool
}

// Part counts into the same places what a part of an object is validated by: at is the path of
// the part, and counted says which keywords count. Use it if several schemas validate one
// object together.
func (c *Coverage) Part(at string, counted func(keyword string) bool) *Coverage {
	if c == nil {
		return nil
	}
	return &Coverage{of: c, at: at, counted: counted}
}

// FieldPlace and EnumValuePlace are the Keywords of places that are no keywords: a field, which
// is reached where it is set, and a value of an enum, which is reached where it is used.
const (
	FieldPlace     = "field"
	EnumValuePlace = "enum value"
)

// Place is a keyword or a rule of a schema with its counts. It is where it checks values, not
// where it is written: a definition that two fields refer to has places for both. A definition
// that refers back to itself has those of the first path.
type Place struct {
	// Path is the field whose values are checked, as in "spec.ports[*].port"; "[*]" stands for
	// the items of a list and for the keys that a schema does not name. Empty: the object.
	// For required it is the field that is required.
	Path string
	// Within says in which branch of a junctor the keyword stands, as in
	// "spec.ports[*] anyOf[0]"; empty: in none.
	Within string
	// Keyword is its name, FieldPlace or EnumValuePlace. A rule is "x-kubernetes-validations" with its Index in the list.
	Keyword string
	Index   int
	// Value is what the keyword says, or the rule. Empty for keywords of schemas, such as not,
	// and for required.
	Value string
	// Declared are the places of the schema that have the keyword, as SchemaError names them:
	// "definitions[Port].properties[number].maximum". Fields and values of enums have none.
	Declared []string
	// Reached is how many inputs had a value that the keyword checks; Passed and Failed, how
	// many had one that is right, and one that is wrong. An input with several values may be
	// both, and one whose rule could not be evaluated is neither. Errors that an update drops
	// at unchanged values, and failures in a branch where another branch is valid, count.
	Reached, Passed, Failed int
}

// Places gives all places: by path, those outside of branches first, then in the order in which
// they are checked.
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

// Covered gives a Backend that counts what the keywords of its schema do.
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

// Seen is what one input did at a place of a schema that declares a keyword; see Watch.
type Seen struct {
	// Declared is the place, as in Place.
	Declared string
	// Passed and Failed say that at least one value was right, or wrong. Neither: a rule could
	// not be evaluated.
	Passed, Failed bool
}

// Watch gives a context. If a Validator that counts validates an input with it, each is told what
// the input did at each declared keyword and rule that it reached, before Validate returns.
func Watch(ctx context.Context, each func(Seen)) context.Context {
	return tally.Watch(ctx, func(s tally.Seen) { each(Seen(s)) })
}

// Changed compiles the schema of a Validator after a change. The function gets the schema and
// its definitions, which it must not change, and gives those to compile. Nothing is counted.
func (v *Validator) Changed(change func(Document) Document) (*Validator, error) {
	opts := v.options
	changed := change(Document{Root: v.declared.Root, Definitions: v.declared.Definitions})
	opts.Definitions, opts.Coverage = changed.Definitions, nil
	if !changed.SameTypes || opts.Estimation == EstimationOn {
		return Compile(changed.Root, opts)
	}
	return compile(changed.Root, opts, maps.Clone(v.programs()))
}

// Document is a schema with the definitions that it refers to.
type Document struct {
	Root        *spec.Schema
	Definitions map[string]*spec.Schema
	// SameTypes says that a change leaves the types of all values as they were: rules that stay
	// are not compiled again. Zero is always right, and slow.
	SameTypes bool
}

// Changed gives a Backend with a schema that was changed, see Validator.Changed.
func (b Backend) Changed(_ schema.GroupVersionKind, change func(Document) Document) (harness.Backend, error) {
	v, err := b.Validator.Changed(change)
	return Backend{v}, err
}
