// Package native makes hand-written validators into native backends.
//
// In goes a Go function as people write them, over their own type: [Func] for
// one that returns a field.ErrorList, [ErrorFunc] for one that returns an error
// of Go, [Adapt] for one with an error type of its own. Out comes a
// harness.Backend.
//
// Validators outside the process are in packages exec and webhook below this
// one, the documents that they are asked with in package admission. Kubernetes'
// own validators are in package kubernetes.
package native
