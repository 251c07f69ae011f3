package pruning

import "k8s.io/kube-openapi/pkg/validation/spec"

// Options says how objects are pruned. The zero value prunes a value that is not a
// resource by itself.
type Options struct {
	// Definitions are what a $ref finds (see skeleton.Compile).
	Definitions map[string]*spec.Schema
	// Root says that objects are resources: apiVersion, kind and metadata are
	// declared implicitly.
	Root bool
	// Fields says whether fields that are not declared are dropped.
	Fields Fields
	// Preserving says how far x-kubernetes-preserve-unknown-fields reaches.
	Preserving Preserving
	// Nulls says what happens to null.
	Nulls Nulls
	// Metadata says what happens to the metadata of the object and of resources
	// embedded in it.
	Metadata Metadata
}

// Fields is what spec.preserveUnknownFields of a CustomResourceDefinition says.
type Fields uint8

const (
	// DropUnknown drops what is not declared: spec.preserveUnknownFields is false.
	DropUnknown Fields = iota
	// PreserveUnknown drops only what is unknown in metadata. Null stays too.
	PreserveUnknown
)

// Preserving is how far x-kubernetes-preserve-unknown-fields reaches, where KEP-2332
// and today's API server differ (examples 7 and 9 of the proposal).
type Preserving uint8

const (
	// PreservingOneLevel is what the API server does: the extension holds for the
	// fields of this value. A declared field, and a value that additionalProperties
	// covers, is pruned again unless it has the extension itself; items are not.
	PreservingOneLevel Preserving = iota
	// PreservingDeep is KEP-2332 to the letter: the extension holds for all that is
	// below, up to a schema that has properties.
	PreservingDeep
)

// Nulls is what happens to a field that is null where the schema is not nullable
// and has no default.
type Nulls uint8

const (
	// DropNulls drops it, as the API server does.
	DropNulls Nulls = iota
	// KeepNulls leaves it to validation, which rejects it.
	KeepNulls
)

// Metadata is what happens to metadata.
type Metadata uint8

const (
	// CoerceMetadata makes of it what apimachinery reads and writes again: unknown
	// fields go, empty ones too. What cannot be read is an error, as in a request.
	CoerceMetadata Metadata = iota
	// DropMalformedMetadata drops also what cannot be read, as the API server does
	// with objects from its storage.
	DropMalformedMetadata
	// LeaveMetadata does not look at it.
	LeaveMetadata
)
