// Package kubernetes is Kubernetes' own hand-written validation, v1.36, as a
// native backend.
//
// In goes an object in any version of legacyscheme; out come the errors that
// the registry strategy of its kind gives, the very code that the API server
// runs on a request, with the options that the strategy picks from the object
// and the default feature gates, and those of the metadata that all resources
// have in common. The Scheme of a target takes an object as far as the API
// server does before it validates: strict decoding, defaulting, what the
// strategy resets, conversion through the internal type.
//
// Privileged containers are allowed, as with kube-apiserver's flag
// --allow-privileged=true: kubeadm and the distributions set it, and no schema
// knows of a flag.
//
// It links k8s.io/kubernetes, so only the command and tests may import it.
// Schemas are left to backends/declarative/idl/kubernetes; [NewTarget] takes
// whatever declarative backend it is given.
package kubernetes
