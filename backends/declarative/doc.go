// Package declarative validates objects against OpenAPI v3 schemas with
// Kubernetes' extensions and CEL rules, as KEP-4153 ("Create a Library for
// Validation of Native Types") asks for: recursive schemas, typed objects
// without conversion, rules under quantifiers, ratcheting.
//
// What comes in is a schema, once (Compile), and then objects as value.Value of
// structured-merge-diff (Validate). What comes out is a field.ErrorList in one
// order, whose Origin names the keyword. A schema that is wrong is a SchemaError
// that names all that is wrong with it.
//
// Compile turns the schema into a graph of nodes, to which each keyword adds its checks.
// Validate visits the object once for the schema and once for the rules. Paths are
// written, old values are looked up and errors are made only when a check failed.
//
// Numbers are what the API server's decoder makes of JSON: int64 without a point, float64
// with one (k8s.io/apimachinery/pkg/util/json, or typed objects). For the schema 3.0 is an
// integer; a rule that reads it as one fails, as in the API server. value.FromJSON makes
// float64 of all numbers, so it does not fit schemas with rules.
//
// x-kubernetes-unions validates as KEP-2335 unfolds it: exactly one of the fields of a
// union is set, and the discriminator has one of their values. Whether it has the one
// of the field that is set the proposal leaves to one of its own, and so does this
// package.
//
// Left to others: whether a schema is structural, pruning, defaulting,
// subresources (the packages below this one), comparing the errors with those of
// another validator (equivalence), and reading files.
package declarative
