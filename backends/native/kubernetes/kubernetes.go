// Package kubernetes provides the hand-written validators of Kubernetes v1.37 as native backends.
//
// [NewTarget] binds a kind to its validator in every version, and to the declarative backend that
// the caller provides for each version. The schemas of these kinds are in package
// backends/declarative/kubernetes:
//
//	target, err := kubernetes.NewTarget(apps.Kind("Deployment"), schemas.NewBackends().Backend)
//
// The validator of a kind is its registry strategy, the code that the API server runs for a
// request, with the options that the strategy chooses and the default feature gates (package
// backends/native/kubernetes/gates changes them). It also validates the metadata that all resources
// share. Before that, objects pass through the same stages as in the API server: strict decoding,
// defaulting, conversion to the internal type, and the strategy's reset of fields that a request may not set. Reviews of
// authorization are answered and not stored: they have no strategy, no metadata of stored objects
// and no updates. Their validator is the function that the request handler calls.
//
// Privileged containers are allowed, as with kube-apiserver --allow-privileged=true, which
// kubeadm and most distributions set.
//
// The package links k8s.io/kubernetes. Other packages of this module do not import it, so
// their users need not compile Kubernetes.
//
// Package backends/native/kubernetes/registry does the work, and may change in every release.
package kubernetes

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/native/kubernetes/registry"
	"github.com/diffrun/diffrun/harness"
)

// TargetOption changes the target that NewTarget makes.
type TargetOption = registry.TargetOption

// NewTarget binds a kind to its native validator and to declarative backends, in every version that
// legacyscheme has and that has a backend. It leaves out versions for which declaratives returns
// contract.ErrNotOffered, and fails if none is left.
func NewTarget(
	of schema.GroupKind, declaratives func(schema.GroupVersionKind) (harness.Backend, error), options ...TargetOption,
) (*harness.Target, error) {
	return registry.NewTarget(of, declaratives, options...)
}

// WithNative replaces the registry strategy with a function of the caller, such as one function of
// validation.go with other options. T is a pointer to the internal type of the kind, or to a part
// of it such as its spec; old is nil for a create. The function gets copies.
func WithNative[T any](validate func(ctx context.Context, object, old T) field.ErrorList) TargetOption {
	return registry.WithNative(validate)
}

// KindOf returns the kind of a typed object or of a part of one, such as its spec. If several kinds
// have such a part, it is the one that has it nearest to its root. It returns an error if this
// package does not validate the kind.
func KindOf(object any) (schema.GroupKind, error) { return registry.KindOf(object) }
