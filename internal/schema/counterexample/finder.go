package counterexample

import (
	"context"
	"iter"
	"maps"
	"reflect"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/defaulting"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/object"
)

// The limits on the objects that are tried: for a base, for one rule, and those that become updates of each other.
const (
	baseTries  = 4
	baseSteps  = 300
	mostTried  = 200
	mostStored = 12
	mostShrunk = 300
	// seeds is the number of different starts of updates.
	seeds = 4
)

// Finder finds objects for the rules of one schema. It is for one goroutine.
type Finder struct {
	options   declarative.Options
	validator *declarative.Validator
	defaulter *defaulting.Defaulter
	maker     explore.Maker
	base      map[string]any // nil: no accepted object was found
	// rules are all rules of the schema.
	rules []*trial
}

// New returns a Finder for the schema of a resource. The error is that of the packages that compile it.
func New(root *spec.Schema, options declarative.Options) (*Finder, error) {
	props, err := generate.Expand(root, options.Definitions)
	if err != nil {
		return nil, err
	}
	validator, err := declarative.Compile(root, options)
	if err != nil {
		return nil, err
	}
	defaulter, err := defaulting.Compile(root, defaulting.Options{Definitions: options.Definitions})
	if err != nil {
		return nil, err
	}
	f := &Finder{options: options, validator: validator, defaulter: defaulter,
		maker: explore.Maker{Source: generate.Seeded(1), Schema: props}}
	f.base = f.smallest(props)
	f.add(root, nil)
	return f, nil
}

// smallest returns a small object that the schema accepts; nil: none was found.
func (f *Finder) smallest(props *apiextensionsv1.JSONSchemaProps) map[string]any {
	for range baseTries {
		if made, ok := f.mended(generate.Object(f.maker.Source, props, generate.ObjectOptions{Values: 1})); ok {
			small := f.smaller(func(smaller []map[string]any) bool { return f.accepts(smaller[0], nil) }, made)
			return f.defaulter.Default(small[0])
		}
	}
	return nil
}

func (f *Finder) mended(object map[string]any) (map[string]any, bool) {
	made, ok := generate.Mend(f.maker.Source, f.maker.Schema, object, generate.Mending{
		Steps: baseSteps, Object: generate.ObjectOptions{Values: 1},
		Wrong: func(object map[string]any) (all []generate.Mistake) {
			for _, err := range f.validate(f.defaulter.Default(object), nil) {
				all = append(all, generate.Mistake{Field: err.Field, Text: err.Error()})
			}
			return all
		},
	})
	return f.defaulter.Default(made), ok
}

// validate validates an object that has its defaults, or the update of an old one.
func (f *Finder) validate(object, old map[string]any) field.ErrorList {
	var before value.Value
	if old != nil {
		before = value.NewValueInterface(old)
	}
	return f.validator.Validate(context.Background(), value.NewValueInterface(object), before)
}

func (f *Finder) accepts(object, old map[string]any) bool { return len(f.validate(object, old)) == 0 }

// AcceptsWithout reports whether the schema accepts a small object that lacks a field.
func (f *Finder) AcceptsWithout(name string) bool {
	if f.base == nil {
		return false
	}
	without := maps.Clone(f.base)
	delete(without, name)
	return f.accepts(f.defaulter.Default(without), nil)
}

// identity returns the fields that the API server itself validates.
func (f *Finder) identity() []string {
	if f.options.Root {
		return []string{"apiVersion", "kind", "metadata"}
	}
	return nil
}

// identified reports whether an object has the identity of another one.
func (f *Finder) identified(object, as map[string]any) bool {
	return !slices.ContainsFunc(f.identity(), func(name string) bool { return !reflect.DeepEqual(object[name], as[name]) })
}

// candidates yields objects that have the value of a rule, with defaults: with other values of the fields that the rule
// reads, and without them.
func (f *Finder) candidates(rule rule, seed uint64) iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		left := mostTried
		reads := explore.ReadRule(rule.expr, nil)
		f.maker.Source = generate.Seeded(seed)
		for _, start := range f.starts(rule, reads.Paths) {
			if !yield(start) {
				return
			}
			for made := range f.maker.ForRule(start, rule.path, reads) {
				if left--; left < 0 {
					return
				}
				if f.identified(made, f.base) && !yield(f.defaulter.Default(made)) {
					return
				}
			}
		}
	}
}

// starts returns objects with the value of a rule: as small as possible, and with, without and with a null for each part
// along the paths that the rule reads.
func (f *Finder) starts(rule rule, paths [][]string) []map[string]any {
	first := f.base
	if _, has := f.maker.ValueAt(first, rule.path); !has {
		with := f.maker.WithPart(first, rule.path)
		if made, ok := f.mended(with); ok {
			with = made
		}
		first = with
	}
	all := []map[string]any{f.defaulter.Default(first)}
	add := func(made map[string]any) {
		if made != nil && f.identified(made, f.base) {
			all = append(all, f.defaulter.Default(made))
		}
	}
	for _, path := range paths {
		for i := range path {
			at := slices.Concat(rule.path, path[:i+1])
			with := first
			if _, has := f.maker.ValueAt(first, at); has {
				add(f.maker.With(first, at, object.Absence{}))
			} else {
				with = f.maker.WithPart(first, at)
				add(with)
			}
			if with == nil {
				continue
			}
			if nullable := explore.SchemaAt(f.maker.Schema, at); nullable != nil && nullable.Nullable {
				add(f.maker.With(with, at, nil))
			}
			if i+1 < len(path) {
				add(f.maker.With(with, slices.Concat(at, path[i+1:i+2]), object.Absence{}))
			}
		}
	}
	return all
}

// stored returns objects that the schema accepts and that differ in what a rule reads.
func (f *Finder) stored(rule rule) (all []map[string]any) {
	for seed := range uint64(seeds) {
		for made := range f.candidates(rule, seed) {
			if len(all) >= mostStored*int(seed+1)/seeds {
				break
			}
			isNew := !slices.ContainsFunc(all, func(other map[string]any) bool { return reflect.DeepEqual(other, made) })
			if isNew && f.accepts(made, nil) {
				all = append(all, made)
			}
		}
	}
	return all
}

// smaller returns objects without the parts, and without the defaults, that are not needed to show something.
func (f *Finder) smaller(shows func([]map[string]any) bool, objects ...map[string]any) []map[string]any {
	shrinker := object.Shrinker{Objects: objects, Left: mostShrunk, Keep: f.identity()}
	shrinker.Show = func(candidates [][]map[string]any) iter.Seq[bool] {
		return func(yield func(bool) bool) {
			for _, candidate := range candidates {
				if !yield(shows(f.defaulted(candidate))) {
					return
				}
			}
		}
	}
	for shrinker.Parts() || shrinker.Simplify() {
	}
	return shrinker.Objects
}

func (f *Finder) defaulted(all []map[string]any) []map[string]any {
	made := make([]map[string]any, len(all))
	for i, one := range all {
		made[i] = f.defaulter.Default(one)
	}
	return made
}

// shown returns an object for people: without its identity.
func (f *Finder) shown(object map[string]any) map[string]any {
	part := maps.Clone(object)
	for _, name := range f.identity() {
		delete(part, name)
	}
	return part
}
