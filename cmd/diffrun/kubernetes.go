//go:build !slim

package main

import (
	"fmt"
	"io/fs"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun"
	"github.com/diffrun/diffrun/backends/declarative/idl"
	schemas "github.com/diffrun/diffrun/backends/declarative/kubernetes"
	"github.com/diffrun/diffrun/backends/native/kubernetes/gates"
	natives "github.com/diffrun/diffrun/backends/native/kubernetes/registry"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/apiname"
)

// leftOut is empty: nothing is left out.
const leftOut = ""

// kubernetesBuiltin returns Kubernetes' own validators, with our schemas.
func kubernetesBuiltin() cases.Builtin {
	backends := schemas.NewBackends()
	return cases.Builtin{
		Natives: kubernetesNatives{}, Declaratives: backends.Backend, Counting: backends.Counting,
		SchemaPosition: schemas.Declared, Typed: true, Gates: gates.Set, Served: natives.Served,
		SubresourceKinds: natives.SubresourceKinds(),
		Offers:           func(version schema.GroupVersionKind) bool { return schemas.GoPackage(version) != "" },
		Backends:         kubernetesBackends,
	}
}

// bundle returns the bundled suites, which compare these validators.
func bundle() fs.FS { return diffrun.Bundle() }

// kubernetesBackends returns the validators that are made from upstream's tags: upstream's generated
// code, and our schemas.
func kubernetesBackends(tags idl.Reading) map[string]cases.Declaratives {
	made := schemas.NewTags(tags.Stage)
	return map[string]cases.Declaratives{
		natives.HandwrittenName: natives.Handwritten,
		natives.GeneratedName: func(version schema.GroupVersionKind) (harness.Backend, error) {
			return offered(natives.Generated(version, func(err *field.Error) bool {
				return tags.Stage == idl.StageAlpha || !err.IsAlpha() && (tags.Stage == idl.StageBeta || !err.IsBeta())
			}))
		},
		schemas.TagsName: func(version schema.GroupVersionKind) (harness.Backend, error) {
			if schemas.TaggedPackage(version) == "" {
				return nil, fmt.Errorf("%w: %s has no tags", contract.ErrNotOffered, apiname.Target(version))
			}
			return made.Backend(version, append(enabledOptions(), tags.Options...))
		},
	}
}

// enabledOptions returns the options of tags whose feature gates are enabled, for example by the matrix
// of a suite.
func enabledOptions() []string {
	return slices.DeleteFunc(schemas.TagOptions(), func(gate string) bool { return !gates.Enabled(gate) })
}

// offered marks an error as that of a version without a backend.
func offered(backend harness.Backend, err error) (harness.Backend, error) {
	if err != nil {
		return nil, fmt.Errorf("%w: %w", contract.ErrNotOffered, err)
	}
	return backend, nil
}

type kubernetesNatives struct{}

// Kinds returns the kinds that have validators.
func (kubernetesNatives) Kinds() []schema.GroupKind { return natives.Kinds() }

// Target returns the target of a kind. The suite adds the declarative backends.
func (kubernetesNatives) Target(kind schema.GroupKind) (*harness.Target, error) {
	return natives.NewTarget(kind, func(schema.GroupVersionKind) (harness.Backend, error) { return nil, nil })
}
