package apiresource

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// DefinitionName is the file in the positions of mistakes of a definition.
const DefinitionName = "CustomResourceDefinition"

// Definition is a CustomResourceDefinition as the API server serves it: everything that
// happens to an object in a request, besides admission. [Definition.Receive] takes a
// request in. Package world puts admission around it. It implements serving.Resource.
//
// A Definition may be used by several goroutines at once. It does not change.
type Definition struct {
	scheme   *Scheme
	metadata Metadata
	backends map[string]func() (Backend, error)
}

// ReadDefinition reads a CustomResourceDefinition, YAML or JSON, and compiles all versions that it
// serves. The error has every mistake with its line. Package structural checks whether the API
// server would store the definition.
func ReadDefinition(definition []byte) (*Definition, error) {
	read, err := definitions.ReadOne(DefinitionName, definition)
	if err != nil {
		return nil, err
	}
	var schemas []Version
	for _, v := range read.Versions {
		schemas = append(schemas, Version{Name: v.Version, Schema: v.Schema, Unserved: !v.Served})
	}
	resource, err := New(read.CRD, schemas)
	if err != nil {
		return nil, read.Mistake("spec.versions", "%v", err)
	}
	made, err := NewDefinition(resource)
	if err != nil {
		return nil, read.Mistake("spec.versions", "%v", err)
	}
	var mistakes strictyaml.Mistakes
	for _, v := range read.Versions {
		if v.Served {
			_, err := made.Backend(v.Version)
			mistakes.Merge(DefinitionName, v.Placed(err))
		}
	}
	return made, mistakes.Err()
}

// NewDefinition returns the Definition of a resource, which should have all versions that objects
// can be converted to, also those that are not served. A version is compiled for validation on
// first use; [Definition.Backend] returns the error.
func NewDefinition(r Resource) (*Definition, error) {
	scheme, err := NewScheme(r)
	if err != nil {
		return nil, err
	}
	d := &Definition{scheme: scheme, backends: map[string]func() (Backend, error){}}
	for _, version := range r.Versions {
		d.backends[version.Name] = sync.OnceValues(func() (Backend, error) {
			opts := r.Options(version)
			opts.Schema.WithoutEstimation = true // the definition is stored already
			validator, err := Compile(version.Schema, opts)
			return Backend{validator}, err
		})
	}
	return d, nil
}

// LeavingMetadata returns the same definition with validators that do not validate type and
// metadata of objects. See LeaveMetadata.
func (d *Definition) LeavingMetadata() *Definition {
	leaving := *d
	leaving.metadata = LeaveMetadata
	return &leaving
}

// Resource returns the kind with its versions.
func (d *Definition) Resource() Resource { return d.scheme.resource }

// Describe returns the kind with its versions.
func (d *Definition) Describe() serving.Description {
	of := d.scheme.resource
	described := serving.Description{Kind: of.Kind}
	for _, version := range of.Versions {
		described.Versions = append(described.Versions, serving.Version{
			GroupVersionKind: of.Kind.WithVersion(version.Name), Plural: of.Plural, Subresources: version.Subresources.Names(), Unserved: version.Unserved,
		})
	}
	return described
}

// Document turns a pointer to a Go struct into a document; see [Scheme.Document].
func (d *Definition) Document(object any, version schema.GroupVersionKind) (map[string]any, error) {
	return d.scheme.Document(object, version)
}

// serves reports whether a client can send objects of a version.
func (d *Definition) serves(version schema.GroupVersionKind) bool {
	return slices.Contains(d.Describe().Served(), version)
}

// Backend returns the validator of a version. The error is that of Compile, or reports that there
// is no such version.
func (d *Definition) Backend(version string) (Backend, error) {
	compiled, known := d.backends[version]
	if !known {
		return Backend{}, fmt.Errorf("%s has no version %q; it has %s", d.scheme.resource.Kind, version, strings.Join(slices.Sorted(maps.Keys(d.backends)), ", "))
	}
	backend, err := compiled()
	if err != nil || d.metadata == ValidateMetadata {
		return backend, err
	}
	leaving := *backend.Validator
	leaving.opts.Metadata = d.metadata
	return Backend{&leaving}, nil
}

// Convert returns an object of the resource in another version, as the API server converts it for a
// webhook (k8s.io/apiextensions-apiserver/pkg/apiserver/conversion): with the strategy None only
// apiVersion changes. The object is not changed. The error reports that a conversion webhook, which
// is not called here, would have to convert it.
func (d *Definition) Convert(object map[string]any, to schema.GroupVersionKind) (map[string]any, error) {
	if object == nil || writtenFor(object) == scaleKind {
		return object, nil
	}
	return d.scheme.resource.convert(object, to.Version)
}

// Express returns an object as a client of another version sends it. Both versions must be served,
// and the other one must have all fields of the object.
func (d *Definition) Express(object map[string]any, in schema.GroupVersionKind) (map[string]any, error) {
	own := writtenFor(object)
	if !d.serves(in) || !d.serves(own) {
		return nil, fmt.Errorf("only one of the worlds serves both %s and %s", own.Version, in.Version)
	}
	converted, err := d.Convert(object, in)
	if err != nil {
		return nil, err
	}
	unknown, err := d.unknown(object, own)
	if err != nil {
		return nil, err
	}
	there, err := d.unknown(converted, in)
	if err != nil {
		return nil, err
	}
	if lost := slices.DeleteFunc(there, func(path string) bool { return slices.Contains(unknown, path) }); len(lost) > 0 {
		return nil, fmt.Errorf("it has no %s", strings.Join(lost, ", "))
	}
	return converted, nil
}

// unknown lists the fields of an object that a version does not have, in order. They are pruned.
func (d *Definition) unknown(object map[string]any, version schema.GroupVersionKind) ([]string, error) {
	served, err := d.scheme.find(version)
	if err != nil {
		return nil, err
	}
	return served.sent.Prune(object).Dropped, nil
}

// Has returns why the resource does not take a request, or nil. The error is about the version or
// the subresource.
func (d *Definition) Has(request harness.Request) error {
	if !d.serves(request.Version) {
		return fmt.Errorf("%s is not served; there are %s", apiname.Target(request.Version), serving.VersionNames(d.Describe().Served()))
	}
	return accepts(d.scheme.versions[request.Version.Version].Subresources, request)
}
