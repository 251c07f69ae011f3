package tally

import "k8s.io/kube-openapi/pkg/validation/spec"

// Document is a schema with the definitions that it refers to.
type Document struct {
	Root        *spec.Schema
	Definitions map[string]*spec.Schema
	// SameTypes promises that a change keeps the types of all values, so rules that stay are not
	// compiled again. The zero value is always right, but slow.
	SameTypes bool
}
