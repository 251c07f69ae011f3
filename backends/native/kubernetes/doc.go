// Package kubernetes provides the hand-written validators of Kubernetes v1.37 as native backends.
//
// [NewTarget] binds a kind to its validator in every version, and to the declarative backend that
// the caller provides for each version. The schemas of these kinds are in package
// backends/declarative/kubernetes:
//
//	target, err := kubernetes.NewTarget(apps.Kind("Deployment"), schemas.NewBackends().Backend)
//
// The validator of a kind is its registry strategy, the code that the API server runs for a
// request, with the options that the strategy chooses and the default feature gates ([SetGates]
// changes them). It also validates the metadata that all resources share. Before that, objects pass
// through the same stages as in the API server: strict decoding, defaulting, conversion to the
// internal type, and the strategy's reset of fields that a request may not set. Reviews of
// authorization are answered and not stored: they have no strategy, no metadata of stored objects
// and no updates. Their validator is the function that the request handler calls.
//
// Privileged containers are allowed, as with kube-apiserver --allow-privileged=true, which
// kubeadm and most distributions set.
//
// The package links k8s.io/kubernetes. Other packages of this module do not import it, so
// their users need not compile Kubernetes.
package kubernetes
