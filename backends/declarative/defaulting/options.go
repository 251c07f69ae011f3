package defaulting

import "k8s.io/kube-openapi/pkg/validation/spec"

// Options controls defaulting. The zero value does what the API server does.
type Options struct {
	// Definitions are the schemas that a $ref can refer to (see skeleton.Compile).
	Definitions map[string]*spec.Schema
	// Nulls controls how a null is handled if the schema has a default and is not nullable.
	Nulls Nulls
	// Zeros controls how a zero value is handled if the schema strips zero values.
	Zeros Zeros
}

// Nulls controls how a null is handled if the schema has a default and is not nullable.
type Nulls uint8

const (
	// DefaultNulls replaces the null by the default, as the API server does.
	DefaultNulls Nulls = iota
	// KeepNulls keeps the null, as KEP-575 proposes. Validation then rejects it.
	KeepNulls
)

// Zeros controls how null, false, 0, "", [] and {} are handled in a field with
// x-kubernetes-strip-zero.
type Zeros uint8

const (
	// StripZeros removes the field before defaults are filled in.
	StripZeros Zeros = iota
	// KeepZeros keeps the value.
	KeepZeros
)
