// Package openapi brings the schemas of CustomResourceDefinitions and of native types into
// one form, spec.Schema of k8s.io/kube-openapi.
//
// [FromProps] converts the schema of a CustomResourceDefinition. The values in the result
// are JSON as Kubernetes decodes it, with integers as int64. [ReadExtensions] gives the
// vendor extensions of a schema as Go values, and [Reference] the name in a $ref. The
// package reads schemas and does not check them.
package openapi
