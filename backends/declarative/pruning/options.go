package pruning

import "k8s.io/kube-openapi/pkg/validation/spec"

// Options are the options of Compile. The zero value prunes a value that is not a resource itself.
type Options struct {
	// Definitions are what a $ref finds (see skeleton.Compile).
	Definitions map[string]*spec.Schema
	// Root reports whether objects are resources: apiVersion, kind and metadata are
	// declared implicitly.
	Root bool
	// Fields selects whether undeclared fields are dropped.
	Fields Fields
	// Preserving selects how far x-kubernetes-preserve-unknown-fields reaches.
	Preserving Preserving
	// Nulls selects what happens to null.
	Nulls Nulls
	// Metadata selects what happens to the metadata of the object and of embedded resources.
	Metadata Metadata
}

// Fields is spec.preserveUnknownFields of a CustomResourceDefinition.
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
	// CoerceMetadata reads and writes it as apimachinery does: unknown and empty fields are
	// dropped. Malformed metadata is an error, as in a request.
	CoerceMetadata Metadata = iota
	// DropMalformedMetadata drops also what cannot be read, as the API server does
	// with objects from its storage.
	DropMalformedMetadata
	// LeaveMetadata does not look at it.
	LeaveMetadata
)
