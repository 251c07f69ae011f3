package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/schemadiff"
)

// generating makes cases for a version of a suite, or for a subresource of it.
type generating struct {
	take    route
	version schema.GroupVersionKind
	// subresource is one that cases of the suite update; empty: the resource itself.
	subresource string
	document    declarative.Document
	source      schemadiff.Source
	maker       *schemadiff.Maker // made for the first case
	find        func() error      // the document; nil: it is there
	known       []map[string]any  // objects of the suite's cases, in any version
	// validate is the schema if it is that of a definition; nil: of a built-in kind.
	validate schemadiff.Validate
}

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
		k.program.warn("diffrun: objects are made for %d targets from seed %d\n", len(targets), seed)
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
		if err != nil || try == schemadiff.Tries-1 || job.Case.Fault != nil || job.Harness.Unreadable(ctx, job.Case) == nil {
			return job, err
		}
		if g.validate != nil && len(g.validate(ctx, object)) == 0 {
			return job, nil
		}
	}
}

// ready finds the schema and makes the maker, once.
func (g *generating) ready(ctx context.Context, seed uint64) error {
	if g.find != nil {
		if err := g.find(); err != nil {
			return err
		}
	}
	if g.maker == nil {
		side, err := schemadiff.Compile(g.document.Root, g.document.Definitions, g.source)
		if err == nil {
			g.maker, err = schemadiff.NewMaker(ctx, side, schemadiff.Making{Version: g.version, Seed: seed, Known: g.known, Updates: g.subresource != ""})
		}
		if g.source == schemadiff.OfDefinition {
			g.validate = side.Validate
		}
		if err != nil {
			return fmt.Errorf("no objects can be made for %s: %w", harness.TargetName(g.version), err)
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
		take, schemas := k.generatingRoute(suite)
		objects := objectsOf(suite)
		left, none := k.session.plan.LeftTo(suite), 0
		for _, version := range suite.Versions() {
			if left(harness.Case{Version: version}) {
				continue
			}
			known := objects[version.GroupKind()]
			target := &generating{take: take, version: version, known: known[""]}
			target.find = func() error { return target.findSchema(schemas) }
			if !suite.Bundled() { // it may have none
				if err := target.find(); errors.Is(err, errNoSchema) {
					none++
					continue
				} else if err != nil {
					return nil, err
				}
			}
			targets = append(targets, target)
			for _, subresource := range slices.Sorted(maps.Keys(known)) {
				if subresource != "" {
					of := *target
					of.subresource, of.known = subresource, known[subresource]
					of.find = func() error { return of.findSchema(schemas) }
					targets = append(targets, &of)
				}
			}
		}
		if none > 0 {
			k.program.warn("diffrun: warning: suite %s: no objects are made for %d versions of kinds, whose schemas are not at hand\n", suite.Name, none)
		}
	}
	return targets, nil
}

// casesRead is how many cases of a suite are read for their objects: a corpus may have millions.
const casesRead = 10_000

// objectsOf gives the objects of the cases of a suite, each once, by their kind and by the subresource
// that a case updates. Next to none of the objects that are made from nothing are valid where many
// rules are; near those that people wrote there are others. A file that cannot be read to its end
// gives what it has: its cases are not what is compared.
func objectsOf(suite *cases.Suite) map[schema.GroupKind]map[string][]map[string]any {
	objects, seen, read := map[schema.GroupKind]map[string][]map[string]any{}, map[string]bool{}, 0
	for c, err := range suite.Cases() {
		if read++; err != nil || read > casesRead {
			break
		}
		for _, each := range []any{c.Old, c.Object} {
			object, isDocument := each.(map[string]any)
			text, err := json.Marshal(object)
			text = append(text, c.Subresource...)
			if !isDocument || c.Fault != nil || c.Subresource != "" && c.Old == nil || err != nil || seen[string(text)] {
				continue
			}
			seen[string(text)] = true
			of := cmp.Or(c.Version, (&unstructured.Unstructured{Object: object}).GroupVersionKind()).GroupKind()
			if objects[of] == nil {
				objects[of] = map[string][]map[string]any{}
			}
			objects[of][c.Subresource] = append(objects[of][c.Subresource], object)
		}
	}
	return objects
}

// generatingRoute gives the route of a suite, and the schemas that the route has compiled so far.
func (k *soaking) generatingRoute(suite *cases.Suite) (route, func(schema.GroupVersionKind) (declarative.Document, schemadiff.Source, bool)) {
	type found struct {
		document declarative.Document
		source   schemadiff.Source
	}
	var mu sync.Mutex
	known := map[schema.GroupVersionKind]found{}
	options := k.jobOptions(suite)
	options.Missing, options.Broken = nil, nil // said by generatingTargets
	options.Schema = func(version schema.GroupVersionKind, document declarative.Document, definition bool) {
		mu.Lock()
		defer mu.Unlock()
		source := schemadiff.AnySchema
		if definition {
			source = schemadiff.OfDefinition
		}
		known[version] = found{document, source}
	}
	return contained(suite.Taker(options)), func(version schema.GroupVersionKind) (declarative.Document, schemadiff.Source, bool) {
		mu.Lock()
		defer mu.Unlock()
		found, ok := known[version]
		return found.document, found.source, ok
	}
}

var errNoSchema = errors.New("no schema")

// findSchema compiles the schema of the version. For a bundled suite, the first object of a version
// calls it: compiling all bundled schemas at the start would take a minute.
func (g *generating) findSchema(schemas func(schema.GroupVersionKind) (declarative.Document, schemadiff.Source, bool)) error {
	if _, _, err := g.take(harness.Case{ID: "schema", Version: g.version, Object: map[string]any{}}); err != nil {
		return err
	}
	var found bool
	if g.document, g.source, found = schemas(g.version); !found {
		return fmt.Errorf("%s has %w to make objects for", harness.TargetName(g.version), errNoSchema)
	}
	g.find = nil
	return nil
}
