package kubernetes

import (
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/harness"
)

// Backends compiles the schemas of a Library into declarative backends, each
// when it is first asked for. Safe for use by several goroutines.
type Backends struct {
	library  *Library
	mu       sync.Mutex
	compiled map[schema.GroupVersionKind]func() (harness.Backend, error)
}

// NewBackends makes a set in which nothing is compiled yet.
func NewBackends() *Backends {
	return &Backends{library: NewLibrary(), compiled: map[schema.GroupVersionKind]func() (harness.Backend, error){}}
}

// Backend gives the declarative backend of a kind: its schema with the rules
// that the overlays declare. A kind that [Kinds] does not list gives
// ErrUnknownKind.
func (b *Backends) Backend(gvk schema.GroupVersionKind) (harness.Backend, error) {
	b.mu.Lock()
	compiled, found := b.compiled[gvk]
	if !found {
		compiled = sync.OnceValues(func() (harness.Backend, error) { return b.compile(gvk) })
		b.compiled[gvk] = compiled
	}
	b.mu.Unlock()
	return compiled()
}

func (b *Backends) compile(gvk schema.GroupVersionKind) (harness.Backend, error) {
	root, definitions, err := b.library.Schema(gvk)
	if err != nil {
		return nil, err
	}
	validator, err := declarative.Compile(root, declarative.Options{
		Definitions: definitions,
		Root:        true,
		// Kubernetes' types bound neither their lists nor their strings, so
		// nearly every rule is too costly in the worst case that the estimate
		// assumes. The limits at run time hold.
		Estimation: declarative.EstimationOff,
	})
	if err != nil {
		return nil, fmt.Errorf("the schema of %s does not compile: %w", harness.TargetName(gvk), err)
	}
	return declarative.Backend{Validator: validator}, nil
}
