// Package types has the declared types of values, and the CEL values that rules see of an object.
//
// The caller fills a Type from a schema. Provider tells the type checker of cel-go about it, and
// SizeEstimator tells the cost estimation how large a value can be. ValueOf returns the ref.Val that
// the API server makes of the same data (k8s.io/apiserver/pkg/cel/common, UnstructuredToVal), with
// the same equality and addition of lists; lists and maps are converted only when a rule reads them.
package types
