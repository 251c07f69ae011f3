package serving

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// Resource is a kind as the API server serves it. It may be used by several goroutines at once.
type Resource interface {
	Reader
	Converter
	// Describe returns the kind with its versions.
	Describe() Description
}

// Reader takes requests to a resource.
type Reader interface {
	// Has returns why the resource does not take a request, or nil. The error is about the version
	// or the subresource.
	Has(request harness.Request) error
	// Receive decodes a request: it drops unknown fields of the object, defaults it in the version
	// of the request, and reads the old object from the storage. Both are left unchanged. The
	// errors report what the API server cannot read; the request ends with them. The error is a
	// fault of the input.
	Receive(request harness.Request, object, old map[string]any) (Request, field.ErrorList, error)
	// Take is Receive for the objects of a Scheme, which have the name and the namespace in the path of their
	// request. The error reports what the API server cannot read, too.
	Take(ctx context.Context, request harness.Request, object, old any) (Request, error)
	// Stored returns an object as it is in the storage after a request: with the defaults of its version,
	// and in the version that objects are stored in. An object of a version that the resource does not
	// have is returned as it is. The error reports that the conversion failed.
	Stored(object map[string]any) (map[string]any, error)
}

// Converter converts the objects of a resource.
type Converter interface {
	// Document returns a typed object as the document that a client sends. The version is that of
	// the case; empty: unknown.
	Document(object any, version schema.GroupVersionKind) (map[string]any, error)
	// Default returns an object with the defaults of its version. The error names fields that the version does not
	// have, if the resource decodes objects into Go types.
	Default(object map[string]any) (map[string]any, error)
	// Convert returns an object in another version, as the API server converts it for a webhook. A
	// Scale, and nil, stay as they are. The object is not changed.
	Convert(object map[string]any, to schema.GroupVersionKind) (map[string]any, error)
	// Express returns an object as a client of another version sends it. The error says why that
	// version cannot express it.
	Express(object map[string]any, in schema.GroupVersionKind) (map[string]any, error)
}

// Typed is a Resource whose objects are of Go types.
type Typed interface {
	Resource
	contract.CapableScheme
	// Decode reads a document into the Go type of a version. Unknown fields are errors.
	Decode(document map[string]any, version schema.GroupVersionKind) (any, error)
	// ConvertTyped returns a typed object, or a part of one, in a version. The error is an *InexpressibleError if
	// the version cannot express it.
	ConvertTyped(object any, version schema.GroupVersionKind) (any, error)
}

// Prepared is a request as validation sees it in a version.
type Prepared struct {
	Object, Old any
	// Omitted lists the fields that validation does not see.
	Omitted func() []contract.Omission
}

// Request is a request on its way from the client to the storage. Its methods are the stages besides
// admission, in their order (create.go and update.go of k8s.io/apiserver/pkg/endpoints/handlers, and
// BeforeCreate and BeforeUpdate of k8s.io/apiserver/pkg/registry/rest). Mutating admission sees the
// objects of Sent, validating admission those of Admitted. It is used by one goroutine at a time.
type Request interface {
	// Sent returns the objects that mutating admission sees: those of the client with defaults. The
	// status is not reset yet, and uid and generation are not set. For a request to a scale they
	// are Scales. Old is nil for a create.
	Sent() (object, old map[string]any, err error)
	// Mutated takes the object that mutating admission returned for the one from Sent, in the same
	// or another version of the resource, and defaults it. The errors end the request. The error is
	// a fault of the admission: the API server answers with an internal error.
	Mutated(object map[string]any) (field.ErrorList, error)
	// Prepare returns what Validate would validate if a client had sent the request in a version. The error is an
	// *InexpressibleError if the version cannot express it.
	Prepare(version schema.GroupVersionKind) (Prepared, error)
	Preparer
}

// Preparer has the stages of a Request after mutating admission.
type Preparer interface {
	// Validate reduces the object to the fields that the request may set, fills in what the API
	// server sets, and validates it. The errors end the request; the error is a fault. A delete is
	// always accepted.
	Validate(ctx context.Context) (field.ErrorList, error)
	// Admitted returns the objects that validating admission sees, which Validate accepted. For a
	// request to a scale they are Scales.
	Admitted() (object, old map[string]any, err error)
	// Omitted lists the fields of the request that validation does not see: unknown ones, and after
	// Validate also those that the request may not set.
	Omitted() []contract.Omission
	// Stored returns the object as it would be stored after validating admission accepted it, and read
	// again: Notes.Stored in the version of the request, and Notes.Converted in others. Nothing is
	// stored by a delete. The error reports that the object cannot be stored.
	Stored() (contract.Notes, error)
}

// Description is a kind with its versions.
type Description struct {
	Kind schema.GroupKind
	// Versions are in the order in which they are compared.
	Versions []Version
	// BuiltIn reports whether every API server has the resource and validates it. A definition may
	// be there or not.
	BuiltIn bool
	// Namespaced reports whether objects are in namespaces.
	Namespaced bool
}

// Version is a version of a resource.
type Version struct {
	schema.GroupVersionKind
	// Plural is the name in request paths, as in "httproutes".
	Plural string
	// Carrier is the version of the resource if only requests to one of its subresources carry the kind,
	// as those to pods of v1 carry a policy/v1 Eviction. Zero: the kind has a resource of its own.
	Carrier schema.GroupVersion
	// Subresources are the names of those that requests may be to.
	Subresources []string
	// Unserved reports whether clients cannot send the version: objects are only converted to it.
	Unserved bool
}

// Resource returns the version as request paths name it.
func (v Version) Resource() schema.GroupVersionResource {
	if !v.Carrier.Empty() {
		return v.Carrier.WithResource(v.Plural)
	}
	return v.GroupVersion().WithResource(v.Plural)
}

// Has reports whether requests to a subresource take the version; "" is the resource itself.
func (v Version) Has(subresource string) bool {
	return slices.Contains(v.Paths(), subresource)
}

// Paths returns what requests may be to: "" is the resource itself, all others are subresources.
func (v Version) Paths() []string {
	if v.Carrier.Empty() {
		return append([]string{""}, v.Subresources...)
	}
	return v.Subresources
}

// All returns all versions.
func (d Description) All() []schema.GroupVersionKind {
	return d.named(func(Version) bool { return true })
}

// Served returns the served versions.
func (d Description) Served() []schema.GroupVersionKind {
	return d.named(func(version Version) bool { return !version.Unserved })
}

func (d Description) named(with func(Version) bool) (all []schema.GroupVersionKind) {
	for _, version := range d.Versions {
		if with(version) {
			all = append(all, version.GroupVersionKind)
		}
	}
	return all
}

// Find returns a version.
func (d Description) Find(wanted schema.GroupVersionKind) (Version, bool) {
	at := slices.IndexFunc(d.Versions, func(version Version) bool { return version.GroupVersionKind == wanted })
	if at < 0 {
		return Version{}, false
	}
	return d.Versions[at], true
}
