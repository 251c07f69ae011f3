package main

import (
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative"
	schemas "github.com/diffrun/diffrun/backends/declarative/idl/kubernetes"
	natives "github.com/diffrun/diffrun/backends/native/kubernetes"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
)

// kubernetesBuiltins links Kubernetes' own validators and schemas.
func kubernetesBuiltins() map[string]cases.Builtin {
	return map[string]cases.Builtin{
		"kubernetes": {Natives: kubernetesNatives{}, Declaratives: newCompiler().backend},
	}
}

type kubernetesNatives struct{}

func (kubernetesNatives) Kinds() []schema.GroupKind { return natives.Kinds() }

func (kubernetesNatives) Target(kind schema.GroupKind, declaratives cases.Declaratives) (*harness.Target, error) {
	return natives.NewTarget(kind, natives.Declaratives(declaratives))
}

// compiler compiles the schema of a version when it is first asked for, and
// keeps it: several suites may name the same kinds.
type compiler struct {
	library  *schemas.Library
	mu       sync.Mutex
	compiled map[schema.GroupVersionKind]compiled
}

type compiled struct {
	backend harness.Backend
	err     error
}

func newCompiler() *compiler {
	return &compiler{library: schemas.NewLibrary(), compiled: map[schema.GroupVersionKind]compiled{}}
}

func (c *compiler) backend(version schema.GroupVersionKind) (harness.Backend, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known, found := c.compiled[version]
	if !found {
		known.backend, known.err = c.compile(version)
		c.compiled[version] = known
	}
	return known.backend, known.err
}

func (c *compiler) compile(version schema.GroupVersionKind) (harness.Backend, error) {
	root, definitions, err := c.library.Schema(version)
	if err != nil {
		return nil, err
	}
	validator, err := declarative.Compile(root, declarative.Options{
		Definitions: definitions,
		Root:        true,
		// Kubernetes' types bound neither their lists nor their strings, so
		// nearly every rule is too costly in the worst case. The limits at run
		// time hold.
		Estimation: declarative.EstimationOff,
	})
	if err != nil {
		return nil, fmt.Errorf("the schema of %s does not compile: %w", harness.TargetName(version), err)
	}
	return schemaBackend{validator}, nil
}
