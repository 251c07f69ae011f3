// Package kubernetes has the schemas of Kubernetes' own kinds, structure and
// declared validations both.
//
// The structure comes from the Go types in k8s.io/api; the validations from the
// markers those types carry and from overlays/*.yaml, one file a group, which
// say in KEP-4153's markers what k8s.io/kubernetes' hand-written validation
// does. The generator (gen) brings both together into schemas/*.json, one file
// for each Go package, which are embedded here and parsed when first asked for.
//
// After a change of an overlay or of the version of k8s.io/api run "go generate"
// in this folder; CI fails when the files are not what it makes.
package kubernetes

//go:generate go run ./gen
