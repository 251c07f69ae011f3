package declared

import (
	"sync"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Known is a schema that remembers which schemas apply at the last paths: the equivalence rules ask about the path of
// each error a hundred times. It is safe for concurrent use.
type Known struct {
	Schema
	mu sync.Mutex
	at map[string][]*spec.Schema
}

// NewKnown returns a schema that remembers.
func NewKnown(schema Schema) *Known {
	return &Known{Schema: schema, at: map[string][]*spec.Schema{}}
}

// mostKnown is how many paths are remembered.
const mostKnown = 1024

// Keyword returns what Schema.Keyword does.
func (k *Known) Keyword(path, keyword string) []string { return keywordOf(k.schemasAt, path, keyword) }

// schemasAt returns the schemas at a path.
func (k *Known) schemasAt(path string) []*spec.Schema {
	k.mu.Lock()
	defer k.mu.Unlock()
	nodes, known := k.at[path]
	if !known {
		if len(k.at) == mostKnown {
			clear(k.at)
		}
		nodes = k.Schema.at(path)
		k.at[path] = nodes
	}
	return nodes
}
