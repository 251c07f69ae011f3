// Package openapi reads the schemas of CustomResourceDefinitions and of native
// types in one form, k8s.io/kube-openapi's spec.Schema.
//
// What comes in is a schema as it stands in a CustomResourceDefinition (FromProps),
// or a spec.Schema. What comes out is a spec.Schema whose values are JSON as
// Kubernetes decodes it (integers are int64), its vendor extensions as Go values
// (ReadExtensions), and what a $ref names (Reference).
//
// Left to others: judging any of it.
package openapi
