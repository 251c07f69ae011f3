// Package reference validates custom resources with the API server's own code,
// k8s.io/apiextensions-apiserver. The declarative validator is tested against it.
//
// [Compile] and [CompileProps] take a schema, [CompileResource] a version of a
// CustomResourceDefinition. The [Validator] that they return validates objects, which are
// JSON values, and returns errors in canonical order (fielderror.Canonical). [NewBackend]
// makes it a backend of package harness.
//
// CompileResource validates with the API server's strategy for custom resources. A schema
// alone has no kind, no scope and no subresources. It passes through the other stages of
// that strategy in the same order: schema, embedded resources, list types and, if no
// earlier error blocks them, CEL rules.
//
// Compile refuses a schema that the API server could not serve. It does not check whether
// the API server would store the schema (package structural does), and it does not reset
// what a request may not set, such as status and generation.
package reference
