// Package kubernetes has the schemas of Kubernetes' own kinds, with validations.
//
// [Backends] compiles them for package harness, [Library] returns the schemas themselves,
// and [Kinds] lists the kinds.
//
// The structure of a schema comes from the Go types in k8s.io/api. The validations come
// from the markers of these types and from overlays/*.yaml, one file for each group,
// which express the hand-written validators of k8s.io/kubernetes as markers of KEP-4153. A generator writes
// both into schemas/*.json, one file for each Go package. They are
// embedded here and parsed when they are first needed.
//
// Run "go generate" in this directory after you change an overlay or the version of
// k8s.io/api. CI fails if the files are not up to date.
package kubernetes

//go:generate go run ./gen
