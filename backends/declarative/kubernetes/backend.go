package kubernetes

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/defaulting"
	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/apiname"
)

// Backends compiles the schemas of a Library into declarative backends, each on first use. It is
// safe for concurrent use.
type Backends struct {
	library  *Library
	name     string // of each backend
	mu       sync.Mutex
	compiled map[countedBy]func() (harness.Backend, error)
}

// countedBy is a kind with the coverage that counts its keywords (nil for none), and the gates that
// are not in their default state.
type countedBy struct {
	schema.GroupVersionKind
	coverage *tally.Coverage
	gates    string
}

// NewBackends returns a set of backends that are compiled on first use.
func NewBackends() *Backends {
	return newBackends(NewLibrary(), contract.DeclarativeName)
}

func newBackends(library *Library, name string) *Backends {
	return &Backends{library: library, name: name, compiled: map[countedBy]func() (harness.Backend, error){}}
}

// Backend returns the declarative backend of a kind: its schema with the rules that the overlays
// declare. It returns ErrUnknownKind for a kind that [Kinds] does not list.
func (b *Backends) Backend(gvk schema.GroupVersionKind) (harness.Backend, error) {
	return b.Counting(gvk, nil)
}

// Counting returns a backend that counts what the keywords of its schema do.
func (b *Backends) Counting(gvk schema.GroupVersionKind, c *tally.Coverage) (harness.Backend, error) {
	return b.compiledBy(countedBy{GroupVersionKind: gvk, coverage: c})
}

func (b *Backends) compiledBy(by countedBy) (harness.Backend, error) {
	b.mu.Lock()
	compiled, found := b.compiled[by]
	if !found {
		compiled = sync.OnceValues(func() (harness.Backend, error) { return b.compile(by) })
		b.compiled[by] = compiled
	}
	b.mu.Unlock()
	return compiled()
}

func (b *Backends) compile(by countedBy) (harness.Backend, error) {
	gvk := by.GroupVersionKind
	root, definitions, err := b.library.SchemaWith(gvk, slices.DeleteFunc(strings.Split(by.gates, ","),
		func(gate string) bool { return gate == "" }))
	if err != nil {
		return nil, err
	}
	opts := options(definitions, true)
	opts.Coverage = by.coverage
	validator, err := declarative.Compile(root, opts)
	if err != nil {
		if b.name == contract.DeclarativeName {
			err = withLines(gvk, err)
		}
		return nil, fmt.Errorf("the schema of %s does not compile: %w", apiname.Target(gvk), err)
	}
	made := &backend{
		Backend: declarative.Backend{Validator: validator}, name: b.name, coverage: by.coverage,
		kind: apiname.Target(gvk), root: root, definitions: definitions, parts: map[string]harness.Backend{},
		defaulter: sync.OnceValues(func() (*defaulting.Defaulter, error) {
			return defaulting.Compile(root, defaulting.Options{Definitions: definitions})
		}),
	}
	gates, err := b.library.gatesOf(definitions)
	if err != nil || len(gates) == 0 || by.gates != "" {
		return made, err
	}
	return newGated(b, by, made, gates), nil
}

func options(definitions map[string]*spec.Schema, root bool) declarative.Options {
	return declarative.Options{
		Definitions: definitions,
		Root:        root,
		// The Go types of Kubernetes limit neither lists nor strings, so the estimate, which
		// assumes the worst case, would refuse nearly every rule. The limits at run time apply.
		WithoutEstimation: true,
	}
}

// backend is the schema of a kind.
type backend struct {
	declarative.Backend
	name        string
	coverage    *tally.Coverage // nil for none
	kind        string
	root        *spec.Schema
	definitions map[string]*spec.Schema
	mu          sync.Mutex
	parts       map[string]harness.Backend
	defaulter   func() (*defaulting.Defaulter, error)
}

// Name is "declarative", or "tags" of schemas that upstream's tags make.
func (b *backend) Name() string { return b.name }

// Capabilities implements contract.Capable. A test of the command finds unnecessary exceptions for
// defaults.
func (b *backend) Capabilities() contract.Capabilities {
	can := b.Backend.Capabilities()
	can.Part, can.Defaults, can.DefaultExceptions = b.Part, b.defaults, unexpiredDefaults
	return can
}

// defaults returns the function that fills in the defaults of the schema. Upstream's tags alone do
// not declare them.
func (b *backend) defaults() (func(map[string]any) map[string]any, error) {
	if b.name != contract.DeclarativeName {
		return nil, nil
	}
	defaulter, err := b.defaulter()
	if err != nil {
		return nil, fmt.Errorf("the defaults of %s do not compile: %w", b.kind, err)
	}
	return defaulter.Default, nil
}
