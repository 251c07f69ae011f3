package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/schema/diff"
)

// generating makes cases for a version of a suite, or for a subresource of it.
type generating struct {
	take    route
	version schema.GroupVersionKind
	// subresource is one that cases of the suite update; empty: the resource itself.
	subresource string
	document    declarative.Document
	source      diff.Source
	maker       *diff.Maker      // made for the first case
	schemas     compiledSchemas  // where the document is found; nil: it is there
	known       []map[string]any // objects of the suite's cases, in any version
	// validate is the schema if it is that of a definition; nil: of a built-in kind.
	validate diff.Validate
}

// compiledSchemas gives the schema of a version, if a route has compiled it.
type compiledSchemas func(schema.GroupVersionKind) (declarative.Document, diff.Source, bool)

// generated gives jobs of objects that are made for each target in turn, after those of earlier
// soaks.
func (k *soaking) generated(seed uint64) iter.Seq2[harness.Job, error] {
	return func(yield func(harness.Job, error) bool) {
		targets, err := k.generatingTargets()
		if err == nil && len(targets) == 0 {
			err = errors.New("no target has a schema that objects can be made for")
		}
		if err != nil {
			yield(harness.Job{}, err)
			return
		}
		k.program.warn("diffrun: objects are made for %s from seed %d\n", counted(len(targets), "target"), seed)
		for number := uint64(k.folder.State().Position); k.stopping.Err() == nil; number++ {
			target := targets[number%uint64(len(targets))]
			c := harness.Case{ID: fmt.Sprintf("generated, seed %d, %d", seed, number), Version: target.version, Subresource: target.subresource}
			job, err := target.job(k.stopping, c, number/uint64(len(targets)), seed)
			if k.stopping.Err() != nil {
				return
			}
			if !yield(job, err) || err != nil {
				return
			}
		}
	}
}

// job makes the objects of a case. Objects that no API server would decode are made anew: a fault
// for each of them would bury what is found. If a definition accepts such an object, the fault is
// kept, because a webhook would get the object.
func (g *generating) job(ctx context.Context, c harness.Case, number, seed uint64) (harness.Job, error) {
	if err := g.ready(ctx, seed); err != nil {
		return harness.Job{}, err
	}
	for try := 0; ; try++ {
		object, old := g.maker.Make(number, try)
		if c.Object, c.Old = object, nil; old != nil {
			c.Old = old
		}
		job, _, err := g.take(c)
		if err != nil || try == diff.Tries-1 || job.Case.Fault != nil || job.Harness.Unreadable(ctx, job.Case) == nil {
			return job, err
		}
		if g.validate != nil && len(g.validate(ctx, object)) == 0 {
			return job, nil
		}
	}
}

// ready finds the schema and makes the maker, once.
func (g *generating) ready(ctx context.Context, seed uint64) error {
	if err := g.findSchema(); err != nil {
		return err
	}
	if g.maker == nil {
		side, err := diff.Compile(g.document.Root, g.document.Definitions, g.source)
		if err == nil {
			g.maker, err = diff.NewMaker(ctx, side, diff.Making{Version: g.version, Seed: seed, Known: g.known, Updates: g.subresource != ""})
		}
		if g.source == diff.OfDefinition {
			g.validate = side.Validate
		}
		if err != nil {
			return fmt.Errorf("no objects can be made for %s: %w", apiname.Target(g.version), err)
		}
	}
	return nil
}

// generatingTargets gives the versions of all suites that have a schema, and says how many have
// none.
func (k *soaking) generatingTargets() (targets []*generating, err error) {
	for _, suite := range k.session.plan.Suites {
		if suite.Alone() {
			k.program.warn("diffrun: warning: suite %s sets feature gates and is left out: objects are generated for the default gates\n", suite.Name)
			continue
		}
		found, none, err := k.targetsOf(suite)
		if err != nil {
			return nil, err
		}
		if targets = append(targets, found...); none > 0 {
			k.program.warn("diffrun: warning: suite %s: no objects are made for %d versions of kinds, whose schemas are not at hand\n", suite.Name, none)
		}
	}
	return targets, nil
}

// targetsOf gives the versions of a suite that have a schema, each with the subresources that cases
// update, and the number of versions that have none.
func (k *soaking) targetsOf(suite *cases.Suite) (targets []*generating, none int, err error) {
	take, schemas := k.generatingRoute(suite)
	left, begin := k.session.plan.LeftTo(suite), k.beginningsOf(suite)
	for _, version := range suite.Versions() {
		if left(harness.Case{Version: version}) {
			continue
		}
		known := begin.objects[version.GroupKind()]
		target := generating{take: take, version: version, schemas: schemas, known: known[""]}
		if !suite.Bundled() { // it may have none
			if err := target.findSchema(); errors.Is(err, errNoSchema) {
				none++
				continue
			} else if err != nil {
				return nil, 0, err
			}
		}
		targets = append(targets, &target)
		for _, subresource := range slices.Sorted(maps.Keys(known)) {
			if subresource != "" {
				of := target
				of.subresource, of.known = subresource, known[subresource]
				targets = append(targets, &of)
			}
		}
	}
	return targets, none, nil
}

// generatingRoute gives the route of a suite, and the schemas that the route has compiled so far.
func (k *soaking) generatingRoute(suite *cases.Suite) (route, compiledSchemas) {
	type found struct {
		document declarative.Document
		source   diff.Source
	}
	var mu sync.Mutex
	known := map[schema.GroupVersionKind]found{}
	options := k.jobOptions(suite)
	options.Missing, options.Broken = nil, nil // said by generatingTargets
	options.Schema = func(version schema.GroupVersionKind, document declarative.Document, definition bool) {
		mu.Lock()
		defer mu.Unlock()
		source := diff.AnySchema
		if definition {
			source = diff.OfDefinition
		}
		known[version] = found{document, source}
	}
	return contained(suite.Taker(options)), func(version schema.GroupVersionKind) (declarative.Document, diff.Source, bool) {
		mu.Lock()
		defer mu.Unlock()
		found, ok := known[version]
		return found.document, found.source, ok
	}
}

var errNoSchema = errors.New("no schema")

// findSchema compiles the schema of the version. For a bundled suite, the first object of a version
// calls it: compiling all bundled schemas at the start would take a minute.
func (g *generating) findSchema() error {
	if g.schemas == nil {
		return nil
	}
	if _, _, err := g.take(harness.Case{ID: "schema", Version: g.version, Object: map[string]any{}}); err != nil {
		return err
	}
	var found bool
	if g.document, g.source, found = g.schemas(g.version); !found {
		return fmt.Errorf("%s has %w to make objects for", apiname.Target(g.version), errNoSchema)
	}
	g.schemas = nil
	return nil
}
