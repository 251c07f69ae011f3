// Package values shows the values of an object to cel-go.
//
// Of takes a View and its declared type, and gives the ref.Val that the API server gives for
// the same data (k8s.io/apiserver/pkg/cel/common, UnstructuredToVal), with its equality and
// its addition of lists. Values are made when a rule looks at them. Keys of maps are sorted.
package values
