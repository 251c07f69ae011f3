// Package declarative validates objects against OpenAPI v3 schemas with Kubernetes'
// extensions and CEL rules, as KEP-4153 ("Create a Library for Validation of Native
// Types") asks for: recursive schemas, typed objects without conversion, rules under
// quantifiers, ratcheting.
//
// [Compile] compiles a schema once. [Validator.Validate] then validates any number of
// objects, given as value.Value of structured-merge-diff, and returns errors in canonical
// order. The Origin of an error is the keyword that it comes from. If a schema is wrong,
// Compile returns a [SchemaError] with everything that is wrong.
//
// An object is visited once for the schema and once for the rules. Paths, old values and
// errors are made only when a check fails, so valid objects cost least.
//
// Numbers are those of the API server's decoder: int64 without a decimal point, float64
// with one (k8s.io/apimachinery/pkg/util/json, or typed objects). The type integer accepts
// 3.0; a rule that reads it as an integer fails, as in the API server. value.FromJSON
// makes every number a float64, so do not use it for schemas with rules.
//
// x-kubernetes-unions validates as KEP-2335 unfolds it: exactly one field of a union is
// set, and the discriminator has the value of one of its fields. Like the proposal, this
// package does not check that it is the value of the field that is set. The API server
// does not know the extension, so with [CustomResources] it has no effect unless
// [Options] asks for it (see [Proposals]).
//
// Packages below this one check that a schema is structural, and prune and default
// objects. Package customresource does all of it for a CustomResourceDefinition. [Backend]
// makes a Validator a backend of package harness.
package declarative
