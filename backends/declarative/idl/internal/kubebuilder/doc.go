// Package kubebuilder is the dialect of controller-gen, whose markers controller-tools parses and
// applies.
package kubebuilder
