// Package reference validates custom resources with the code that the API server
// itself validates them with, k8s.io/apiextensions-apiserver. It exists to hold
// the declarative validator against.
//
// What comes in is a schema (Compile, CompileProps) or a version of a
// CustomResourceDefinition (CompileResource), once, and then objects as JSON
// values. What comes out is a field.ErrorList in one order. A schema that the API
// server could not serve is an error of Compile.
//
// A version of a CustomResourceDefinition is validated by the API server's own
// strategy. A schema alone has no kind, no scope and no subresources: it runs
// through the strategy's stages without those of the resource (stages.go), in the
// order of pkg/registry/customresource/strategy.go: schema, embedded resources,
// list types, and rules, the last only when no earlier error blocks them.
//
// Left to others: whether the API server would store the schema (structural
// completeness, cost of rules), and what a request may not set (status,
// generation), which is reset before validation.
package reference
