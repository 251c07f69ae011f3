// Package bench measures the declarative backend against other code that validates, copies or
// compiles the same: apiextensions-apiserver, santhosh-tekuri/jsonschema, DeepCopyJSON and the
// hand-written code of Kubernetes. It has benchmarks only; `make bench` runs them.
//
// Each benchmark reports ratios: 20 jsonschema/ours means that jsonschema takes 20 times as long.
// Both are measured in turn in one run, by processor time, so a busy machine affects both alike.
// Compare ratios of one run, never times of two.
package bench
