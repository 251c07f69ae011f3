// Package native makes hand-written validators into native backends.
//
// In goes a Go function as people write them, over their own type; out comes a
// harness.Backend. Kubernetes' own validators are in package kubernetes below
// this one.
package native
