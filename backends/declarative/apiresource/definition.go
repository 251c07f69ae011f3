package apiresource

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/stages"
)

// DefinitionName is the file in the positions of mistakes of a definition.
const DefinitionName = "CustomResourceDefinition"

// Definition is a CustomResourceDefinition as the API server serves it: everything that
// happens to an object in a request, besides admission. [Definition.Receive] takes a
// request in. Package world puts admission around it. It implements serving.Resource.
//
// A Definition may be used by several goroutines at once. It does not change.
type Definition struct {
	resource Resource
	versions map[string]*servedVersion
	storage  *servedVersion // the version that objects are stored in; nil: unknown
	metadata Metadata
}

// servedVersion has the stages of one version: it reads, prepares and validates.
type servedVersion struct {
	Version
	*Reader
	preparation Preparation
	// backend compiles the schema for validation on first use.
	backend func() (Backend, error)
}

// ReadDefinition reads a CustomResourceDefinition, YAML or JSON, and compiles all versions that it
// serves. The error has every mistake with its line. Package structural checks whether the API
// server would store the definition.
func ReadDefinition(definition []byte) (*Definition, error) {
	read, err := definitions.ReadOne(DefinitionName, definition)
	if err != nil {
		return nil, err
	}
	served := slices.DeleteFunc(slices.Clone(read.Versions), func(v *definitions.Version) bool { return !v.Served })
	return load(read.CRD, read.Versions, served)
}

// ReadVersions is ReadDefinition for the versions with these names, which a client can send, in their order.
// Objects are converted to no others. Without names, it reads all served versions.
func ReadVersions(definition []byte, names ...string) (*Definition, error) {
	read, err := definitions.ReadOne(DefinitionName, definition)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		names = []string{""}
	}
	var picked []*definitions.Version
	for _, name := range names {
		found, err := read.Pick(name)
		if err != nil {
			return nil, err
		}
		picked = append(picked, found...)
	}
	return load(read.CRD, picked, picked)
}

// load compiles the served ones of some versions.
func load(crd *apiextensionsv1.CustomResourceDefinition, versions, served []*definitions.Version) (*Definition, error) {
	var schemas []Version
	for _, v := range versions {
		schemas = append(schemas, Version{Name: v.Version, Schema: v.Schema, Unserved: !slices.Contains(served, v)})
	}
	d, err := NewDefinition(New(crd, schemas...))
	var mistakes strictyaml.Mistakes
	for _, v := range served {
		_, err := d.Backend(v.Version)
		mistakes.Merge(DefinitionName, v.Placed(err))
	}
	if len(mistakes) == 0 && err != nil {
		return nil, versions[0].Placed(err)
	}
	return d, mistakes.Err()
}

// NewDefinition returns the Definition of a resource, which should have all versions that objects
// can be converted to, also those that are not served. A version is compiled for validation on
// first use; [Definition.Backend] returns the error. The error here names a version whose schema
// cannot prune or default; the Definition can then only validate.
func NewDefinition(r Resource) (*Definition, error) {
	d := &Definition{resource: r, versions: map[string]*servedVersion{}}
	var unread error
	for _, version := range r.Versions {
		served, err := r.serve(version)
		if err != nil && unread == nil {
			unread = fmt.Errorf("%s: %w", apiname.Target(r.Kind.WithVersion(version.Name)), err)
		}
		d.versions[version.Name] = served
		if version.Storage {
			d.storage = served
		}
	}
	return d, unread
}

func (r Resource) serve(version Version) (*servedVersion, error) {
	served := &servedVersion{Version: version, preparation: r.Preparation(version)}
	served.Subresources = served.preparation.Subresources
	served.backend = sync.OnceValues(func() (Backend, error) { return r.Compile(version) })
	var err error
	served.Reader, err = CompileReader(version.Schema, ReaderOptions{
		Prune: true, Default: true, Root: true, Definitions: version.Definitions,
		PreservesUnknownFields: r.PreservesUnknownFields, KEPs: r.KEPs,
	})
	return served, err
}

// Compile compiles a version for validation. The error is that of the function Compile.
func (r Resource) Compile(version Version) (Backend, error) {
	opts := r.Options(version)
	opts.Schema.WithoutEstimation = true // the definition is stored already
	validator, err := Compile(version.Schema, opts)
	return Backend{validator}, err
}

// LeavingMetadata returns the same definition with validators that do not validate type and
// metadata of objects. See LeaveMetadata.
func (d *Definition) LeavingMetadata() *Definition {
	leaving := *d
	leaving.metadata = LeaveMetadata
	return &leaving
}

// Converting returns the same definition whose objects a converter converts.
func (d *Definition) Converting(converter Converter) *Definition {
	converting := *d
	converting.resource.Converter = converter
	return &converting
}

// Resource returns the kind with its versions.
func (d *Definition) Resource() Resource { return d.resource }

// Describe returns the kind with its versions.
func (d *Definition) Describe() serving.Description {
	of := d.resource
	described := serving.Description{Kind: of.Kind, Namespaced: of.Namespaced}
	for _, version := range of.Versions {
		described.Versions = append(described.Versions, serving.Version{
			GroupVersionKind: of.Kind.WithVersion(version.Name), Plural: of.Plural, Subresources: version.Subresources.Names(),
			Unserved: version.Unserved,
		})
	}
	return described
}

// find returns a version. The error lists the known ones.
func (d *Definition) find(version schema.GroupVersionKind) (*servedVersion, error) {
	if served := d.versions[version.Version]; served != nil && version.GroupKind() == d.resource.Kind {
		return served, nil
	}
	return nil, fmt.Errorf("there is no %s; there are %s", apiname.Target(version), stages.VersionNames(d.Describe().All()))
}

// serves reports whether a client can send objects of a version.
func (d *Definition) serves(version schema.GroupVersionKind) bool {
	return slices.Contains(d.Describe().Served(), version)
}

// Backend returns the validator of a version. The error is that of Compile, or reports that there
// is no such version.
func (d *Definition) Backend(version string) (Backend, error) {
	served, known := d.versions[version]
	if !known {
		return Backend{}, fmt.Errorf("%s has no version %q; it has %s", d.resource.Kind, version,
			strings.Join(slices.Sorted(maps.Keys(d.versions)), ", "))
	}
	backend, err := served.backend()
	if err != nil || d.metadata == ValidateMetadata {
		return backend, err
	}
	return backend.LeavingMetadata(), nil
}

// LeavingMetadata returns the same validator for a comparison with a webhook: it does not validate type and
// metadata. See LeaveMetadata.
func (b Backend) LeavingMetadata() Backend {
	leaving := *b.Validator
	leaving.opts.Metadata = LeaveMetadata
	return Backend{&leaving}
}

// Convert returns an object of the resource in another version, as the API server converts it for a
// webhook (k8s.io/apiextensions-apiserver/pkg/apiserver/conversion): with the strategy None only
// apiVersion changes. The object is not changed. The error reports that a conversion webhook, which
// is not called here, would have to convert it.
func (d *Definition) Convert(object map[string]any, to schema.GroupVersionKind) (map[string]any, error) {
	if object == nil || apiname.Written(object) == stages.ScaleKind {
		return object, nil
	}
	return d.resource.convert(object, to.Version)
}

// Express returns an object as a client of another version sends it. Both versions must be served,
// and the other one must have all fields of the object.
func (d *Definition) Express(object map[string]any, in schema.GroupVersionKind) (map[string]any, error) {
	own := apiname.Written(object)
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
	served, err := d.find(version)
	if err != nil {
		return nil, err
	}
	return served.sent.Prune(object).Dropped, nil
}

// Has returns why the resource does not take a request, or nil. The error is about the version or
// the subresource.
func (d *Definition) Has(request harness.Request) error {
	if !d.serves(request.Version) {
		return fmt.Errorf("%s is not served; there are %s", apiname.Target(request.Version), stages.VersionNames(d.Describe().Served()))
	}
	return accepts(d.versions[request.Version.Version].Subresources, request)
}
