package main

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/coverage"
	"github.com/diffrun/diffrun/internal/schema/diff"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// objectMaker keeps what is needed to make objects that fail keywords: schemas, and objects of
// cases that are valid.
type objectMaker struct {
	mu    sync.Mutex
	known map[suiteTarget]*knownTarget
}

type suiteTarget struct{ suite, target string }

type knownTarget struct {
	document   declarative.Document
	definition bool
	valid      []map[string]any
}

// mostValid is how many valid objects of cases are kept for a target.
const mostValid = 5

func (m *objectMaker) of(suite string, version schema.GroupVersionKind) *knownTarget {
	name := suiteTarget{suite, apiname.Target(version)}
	if m.known == nil {
		m.known = map[suiteTarget]*knownTarget{}
	}
	if m.known[name] == nil {
		m.known[name] = &knownTarget{}
	}
	return m.known[name]
}

// schema keeps the schema of a version.
func (m *objectMaker) schema(suite string, version schema.GroupVersionKind, document declarative.Document, definition bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	target := m.of(suite, version)
	target.document, target.definition = document, definition
}

// add keeps the object of a result that both validators accept.
func (m *objectMaker) add(suite string, r *harness.Result) {
	object, isDocument := r.Case.Object.(map[string]any)
	if !isDocument || r.Case.Old != nil || r.Case.Subresource != "" || r.Verdict != harness.Equal || len(r.Pairs) > 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	target := m.of(suite, r.Version)
	if len(target.valid) == mostValid {
		return
	}
	text, err := plaintext.JSON(object)
	var copied map[string]any
	if err == nil && utiljson.Unmarshal(text, &copied) == nil {
		target.valid = append(target.valid, copied)
	}
}

// breaker gives what breaks the keywords of a target; nil: nothing can.
func (m *objectMaker) breaker(ctx context.Context, t *coverage.Target) coverage.Breaker {
	known := m.known[suiteTarget{t.Suite, t.Name}]
	if known == nil || known.document.Root == nil || ctx.Err() != nil {
		return nil
	}
	source := diff.AnySchema
	if known.definition {
		source = diff.OfDefinition
	}
	side, err := diff.Compile(known.document.Root, known.document.Definitions, source)
	if err != nil {
		return nil // as for a run, which says so
	}
	b, err := diff.NewBreaker(ctx, side, known.valid, 1)
	if err != nil {
		return nil
	}
	return func(p declarative.Place) coverage.Object {
		if p.Keyword == "type" && !known.definition {
			return coverage.NoObject() // Go decodes the objects of types first
		}
		made, found := diff.Broken{}, false
		if p.Within != "" {
			made, found = b.BreakWithin(diff.Branch{Within: p.Within, Declared: p.Declared}, p.Keyword, p.Path, p.Value)
		} else {
			made, found = b.Break(p.Keyword, p.Path, p.Value)
		}
		text, err := plaintext.JSON(made.Object)
		if !found || err != nil {
			return coverage.NoObject()
		}
		object := coverage.Object{JSON: text, Alone: made.Alone}
		if made.Old != nil {
			if object.Old, err = plaintext.JSON(made.Old); err != nil {
				return coverage.NoObject()
			}
		}
		return object
	}
}
