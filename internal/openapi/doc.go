// Package openapi brings the schemas of CustomResourceDefinitions and of native types into
// one form, spec.Schema of k8s.io/kube-openapi.
//
// [FromProps] converts the schema of a CustomResourceDefinition. Integers in the result are
// int64, as Kubernetes decodes JSON. [Children] visits the schemas directly inside a schema, and
// [MapChildren] replaces them; [Keywords] is the table of the keywords that validate values.
// [ReadExtensions] returns the vendor extensions of a schema as Go values, and [Reference] the
// name in a $ref. The package reads schemas and does not check them.
package openapi
