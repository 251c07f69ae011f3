package defaulting

import "k8s.io/kube-openapi/pkg/validation/spec"

// Options says how objects are defaulted. The zero value is what the API server
// does.
type Options struct {
	// Definitions are what a $ref finds (see skeleton.Compile).
	Definitions map[string]*spec.Schema
	// Nulls says what happens to a null where the schema is not nullable and has a
	// default.
	Nulls Nulls
	// Zeros says what happens to zero values where the schema strips them.
	Zeros Zeros
}

// Nulls is what happens to a null where the schema is not nullable and has a
// default.
type Nulls uint8

const (
	// DefaultNulls counts it as absent, as the API server does.
	DefaultNulls Nulls = iota
	// KeepNulls is KEP-575 to the letter: it stays, and validation rejects it.
	KeepNulls
)

// Zeros is what happens to null, false, 0, "", [] and {} in a field whose schema has
// x-kubernetes-strip-zero.
type Zeros uint8

const (
	// StripZeros drops the field before defaults are filled in.
	StripZeros Zeros = iota
	// KeepZeros leaves it.
	KeepZeros
)
