// Package values converts the values of an object to values of CEL.
//
// Of takes a View and its declared type. It returns the ref.Val that the API server returns for
// the same data (k8s.io/apiserver/pkg/cel/common, UnstructuredToVal), with the same equality and
// addition of lists. Lists and maps are converted only when a rule reads them. The keys of maps
// are sorted.
package values
