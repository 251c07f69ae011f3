// Package bench measures the declarative backend beside whatever else can validate, copy or
// compile the same: apiextensions-apiserver, santhosh-tekuri/jsonschema, DeepCopyJSON and the
// hand-written code of Kubernetes. It has benchmarks only; `make bench` runs them.
//
// Each benchmark reports ratios: 20 jsonschema/ours means that jsonschema takes 20 times as long.
// Both are measured in turn in one run, by processor time, so a busy machine disturbs neither more
// than the other. Compare ratios of one run, never times of two.
package bench
