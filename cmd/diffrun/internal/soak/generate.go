package soak

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/schema/diff"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// generator generates cases for a version of a suite, or for a subresource of it.
type generator struct {
	bind    binder
	version schema.GroupVersionKind
	// subresource is one that cases of the suite update. It is empty for the resource itself.
	subresource string
	// schemas are those that bind has compiled.
	schemas map[schema.GroupVersionKind]cases.CompiledSchema
	seeds   []map[string]any // objects of the suite's cases, in any version
	maker   *diff.Maker      // nil before the first case
	// validate validates with the schema of a definition. It is nil for a built-in kind.
	validate diff.Validate
}

// generatedJobs returns jobs with generated objects for each target in turn. They go on after those of
// earlier soaks.
func (r *runner) generatedJobs(seed uint64) iter.Seq2[harness.Job, error] {
	return func(yield func(harness.Job, error) bool) {
		generators, err := r.generators()
		if err == nil && len(generators) == 0 {
			err = errors.New("no target has a schema to generate objects from")
		}
		if err != nil {
			yield(harness.Job{}, err)
			return
		}
		r.env.Warn("diffrun: objects are generated for %s from seed %d\n", plaintext.Count(len(generators), "target"), seed)
		for number := uint64(r.folder.State().Position); r.stopping.Err() == nil; number++ {
			g := generators[number%uint64(len(generators))]
			c := harness.Case{ID: fmt.Sprintf("generated, seed %d, %d", seed, number), Version: g.version, Subresource: g.subresource}
			job, err := g.job(r.stopping, c, number/uint64(len(generators)), seed)
			if r.stopping.Err() != nil {
				return
			}
			if !yield(job, err) || err != nil {
				return
			}
		}
	}
}

// job generates the objects of a case. It replaces objects that no API server would decode, because a
// fault for each would hide the findings. If a definition accepts such an object, it keeps the fault,
// because a webhook would get the object.
func (g *generator) job(ctx context.Context, c harness.Case, number, seed uint64) (harness.Job, error) {
	if err := g.prepare(ctx, seed); err != nil {
		return harness.Job{}, err
	}
	for try := 0; ; try++ {
		object, old := g.maker.Make(number, try)
		if c.Object, c.Old = object, nil; old != nil {
			c.Old = old
		}
		events, err := g.bind(c)
		job, _ := jobOf(events)
		if err != nil || try == diff.Tries-1 || job.Case.Fault != nil || job.Harness.Unreadable(ctx, job.Case) == nil {
			return job, err
		}
		if g.validate != nil && len(g.validate(ctx, object)) == 0 {
			return job, nil
		}
	}
}

// prepare creates the maker of objects for the first case.
func (g *generator) prepare(ctx context.Context, seed uint64) error {
	if g.maker != nil {
		return nil
	}
	compiled, err := g.schema()
	if err != nil {
		return err
	}
	source := diff.AnySchema
	if compiled.Definition {
		source = diff.OfDefinition
	}
	side, err := diff.Compile(compiled.Document.Root, compiled.Document.Definitions, source)
	if err == nil {
		g.maker, err = diff.NewMaker(ctx, side, diff.Making{Version: g.version, Seed: seed, Known: g.seeds, Updates: g.subresource != ""})
	}
	if err != nil {
		return fmt.Errorf("no objects can be generated for %s: %w", apiname.Target(g.version), err)
	}
	if compiled.Definition {
		g.validate = side.Validate
	}
	return nil
}

var errNoSchema = errors.New("no schema")

// schema returns the schema of the version, which it compiles if needed. Compiling all bundled schemas
// at the start would take a minute.
func (g *generator) schema() (cases.CompiledSchema, error) {
	if compiled, is := g.schemas[g.version]; is {
		return compiled, nil
	}
	if _, err := g.bind(harness.Case{ID: "schema", Version: g.version, Object: map[string]any{}}); err != nil {
		return cases.CompiledSchema{}, err
	}
	compiled, is := g.schemas[g.version]
	if !is {
		return compiled, fmt.Errorf("%s has %w to generate objects from", apiname.Target(g.version), errNoSchema)
	}
	return compiled, nil
}

// generators returns the generators of all suites, and warns of versions without a schema.
func (r *runner) generators() (all []*generator, err error) {
	for _, suite := range r.plan.Suites {
		if suite.Alone() {
			r.env.Warn("diffrun: warning: suite %s sets feature gates and is left out: objects are generated for the default gates\n", suite.Name)
			continue
		}
		found, without, err := r.generatorsOf(suite)
		if err != nil {
			return nil, err
		}
		if all = append(all, found...); without > 0 {
			r.env.Warn("diffrun: warning: suite %s: no objects are generated for %d versions of kinds, whose schemas are not available\n", suite.Name, without)
		}
	}
	return all, nil
}

// generatorsOf returns the generators for the versions of a suite that have a schema, and for the
// subresources that cases update. without counts the versions that have no schema.
func (r *runner) generatorsOf(suite *cases.Suite) (all []*generator, without int, err error) {
	bind, schemas := r.compilingBinder(suite)
	redundant, seeds := r.plan.Redundant(suite), r.seedObjectsOf(suite)
	for _, version := range suite.Versions() {
		if redundant(harness.Case{Version: version}) {
			continue
		}
		known := seeds.objects[version.GroupKind()]
		if suite.HasBuiltInWorlds() && len(known) == 0 {
			continue
		}
		g := generator{bind: bind, version: version, schemas: schemas, seeds: known[""]}
		if !suite.Bundled() { // bundled suites have all schemas
			if _, err := g.schema(); errors.Is(err, errNoSchema) {
				without++
				continue
			} else if err != nil {
				return nil, 0, err
			}
		}
		all = append(all, &g)
		for _, subresource := range slices.Sorted(maps.Keys(known)) {
			if subresource != "" {
				of := g
				of.subresource, of.seeds = subresource, known[subresource]
				all = append(all, &of)
			}
		}
	}
	return all, without, nil
}

// compilingBinder returns a binder of a suite, and the schemas that it has compiled so far.
func (r *runner) compilingBinder(suite *cases.Suite) (binder, map[schema.GroupVersionKind]cases.CompiledSchema) {
	known := map[schema.GroupVersionKind]cases.CompiledSchema{}
	options := r.jobOptions(suite)
	options.SkipMissing, options.Schemas = false, true
	bind := recovering(suite.Binder(options))
	return func(c harness.Case) ([]cases.Event, error) {
		events, err := bind(c)
		for _, event := range events {
			if compiled, is := event.(cases.CompiledSchema); is {
				known[compiled.Version] = compiled
			}
		}
		return events, err
	}, known
}
