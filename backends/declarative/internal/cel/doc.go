// Package cel compiles and evaluates the CEL rules of a schema (x-kubernetes-validations).
//
// An Env compiles a Rule on values of a declared type (package types) to a Program. An
// Evaluator runs Programs on Views of an object within a budget and returns how each ended.
//
// The language is that of Kubernetes (k8s.io/apiserver/pkg/cel/environment) with the additions of
// KEP-4153 (package library).
//
// A rule is parsed by package parse. Package plan proves most rules true without cel-go. For
// every other result, and for every mistake, cel-go decides on the values of package types.
//
// The caller decides where rules are in a schema, which values they apply to, what the old
// values are, and how a failure becomes an error.
package cel
