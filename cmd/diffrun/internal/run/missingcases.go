package run

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/coverage"
	"github.com/diffrun/diffrun/internal/schema/diff"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// missingCases makes objects that fail keywords which no case fails. It keeps what that needs: the
// schemas, and valid objects of cases.
type missingCases struct {
	mu      sync.Mutex
	targets map[suiteTarget]*knownTarget
}

type suiteTarget struct{ suite, target string }

type knownTarget struct {
	schema cases.CompiledSchema
	valid  []map[string]any
}

// maxValid is how many valid objects of cases are kept for a target.
const maxValid = 5

func (m *missingCases) of(suite string, version schema.GroupVersionKind) *knownTarget {
	name := suiteTarget{suite, apiname.Target(version)}
	if m.targets == nil {
		m.targets = map[suiteTarget]*knownTarget{}
	}
	if m.targets[name] == nil {
		m.targets[name] = &knownTarget{}
	}
	return m.targets[name]
}

// addSchema keeps the schema of a version.
func (m *missingCases) addSchema(suite string, compiled cases.CompiledSchema) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.of(suite, compiled.Version).schema = compiled
}

// addResult keeps the object of a result that both validators accept.
func (m *missingCases) addResult(suite string, r *harness.Result) {
	object, isDocument := r.Case.Object.(map[string]any)
	if !isDocument || r.Case.Old != nil || r.Case.Subresource != "" || r.Verdict != words.Equal || len(r.Pairs) > 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	target := m.of(suite, r.Version)
	if len(target.valid) == maxValid {
		return
	}
	text, err := plaintext.JSON(object)
	var copied map[string]any
	if err == nil && utiljson.Unmarshal(text, &copied) == nil {
		target.valid = append(target.valid, copied)
	}
}

// breaker returns what breaks the keywords of a target, or nil.
func (m *missingCases) breaker(ctx context.Context, t *coverage.Target) coverage.Breaker {
	known := m.targets[suiteTarget{t.Suite, t.Name}]
	if known == nil || known.schema.Document.Root == nil || ctx.Err() != nil {
		return nil
	}
	source := diff.AnySchema
	if known.schema.Definition {
		source = diff.OfDefinition
	}
	side, err := diff.Compile(known.schema.Document.Root, known.schema.Document.Definitions, source)
	if err != nil {
		return nil // the run has reported it
	}
	b, err := diff.NewBreaker(ctx, side, known.valid, 1)
	if err != nil {
		return nil
	}
	return func(p tally.Place) coverage.Object {
		if p.Keyword == "type" && !known.schema.Definition {
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
