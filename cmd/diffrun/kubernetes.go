package main

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	schemas "github.com/diffrun/diffrun/backends/declarative/idl/kubernetes"
	natives "github.com/diffrun/diffrun/backends/native/kubernetes"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
)

// kubernetesBuiltins links Kubernetes' own validators and schemas.
func kubernetesBuiltins() map[string]cases.Builtin {
	backends := schemas.NewBackends()
	return map[string]cases.Builtin{
		"kubernetes": {
			Natives: kubernetesNatives{}, Declaratives: backends.Backend, Counting: backends.Counting, Declared: schemas.Declared, Typed: true, Gates: natives.SetGates,
			Backends: map[string]cases.Declaratives{
				natives.GeneratedName: offered(natives.Generated),
			},
		},
	}
}

// offered makes every error of a backend's maker one of a version without that backend.
func offered(maker cases.Declaratives) cases.Declaratives {
	return func(version schema.GroupVersionKind) (harness.Backend, error) {
		backend, err := maker(version)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", cases.ErrNotOffered, err)
		}
		return backend, nil
	}
}

type kubernetesNatives struct{}

func (kubernetesNatives) Kinds() []schema.GroupKind { return natives.Kinds() }

// Target leaves the declarative backends to the suite.
func (kubernetesNatives) Target(kind schema.GroupKind) (*harness.Target, error) {
	return natives.NewTarget(kind, func(schema.GroupVersionKind) (harness.Backend, error) { return nil, nil })
}

// Namespaced says whether the objects of a kind are in namespaces.
func (kubernetesNatives) Namespaced(kind schema.GroupKind) (bool, error) {
	return natives.Namespaced(kind)
}
