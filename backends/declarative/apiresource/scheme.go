package apiresource

import (
	"context"
	"fmt"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
)

// Scheme prepares the objects of a resource for validation, as the API server does. It implements
// harness.Scheme and harness.CapableScheme. It may be used by several goroutines
// at once.
//
// In a case with the subresource scale, the object is an autoscaling/v1 Scale and the old object is
// the resource. The resource with the replicas of the Scale is validated.
type Scheme struct {
	resource Resource
	versions map[string]*servedVersion
	storage  *servedVersion // the version that objects are stored in; nil: unknown
}

// servedVersion has the steps before validation in one version.
type servedVersion struct {
	Version
	*Reader
	preparation Preparation
}

// NewScheme compiles the schemas of a resource. The error names those that do not compile.
func NewScheme(r Resource) (*Scheme, error) {
	s := &Scheme{resource: r, versions: map[string]*servedVersion{}}
	for _, version := range r.Versions {
		served, err := s.compile(version)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", apiname.Target(r.Kind.WithVersion(version.Name)), err)
		}
		s.versions[version.Name] = served
		if version.Storage {
			s.storage = served
		}
	}
	return s, nil
}

func (s *Scheme) compile(version Version) (*servedVersion, error) {
	served := &servedVersion{Version: version, preparation: s.resource.Preparation(version)}
	served.Subresources = served.preparation.Subresources
	var err error
	served.Reader, err = CompileReader(version.Schema, ReaderOptions{
		Prune: true, Default: true, Root: true, Definitions: version.Definitions,
		PreservesUnknownFields: s.resource.PreservesUnknownFields, KEPs: s.resource.KEPs,
	})
	return served, err
}

// find returns a version. The error lists the known ones.
func (s *Scheme) find(version schema.GroupVersionKind) (*servedVersion, error) {
	if served := s.versions[version.Version]; served != nil && version.GroupKind() == s.resource.Kind {
		return served, nil
	}
	names := make([]string, len(s.resource.Versions))
	for i, known := range s.resource.Versions {
		names[i] = apiname.Target(s.resource.Kind.WithVersion(known.Name))
	}
	return nil, fmt.Errorf("there is no %s; there are %s", apiname.Target(version), strings.Join(names, ", "))
}

// Decode copies the document. The document may be a Scale; Default checks whether the
// request is for one.
func (s *Scheme) Decode(document map[string]any, version schema.GroupVersionKind) (any, error) {
	if _, err := s.find(version); err != nil {
		return nil, err
	}
	if writtenFor(document) != scaleKind {
		if err := apiname.CheckVersion(document, version); err != nil {
			return nil, err
		}
	}
	return runtime.DeepCopyJSON(document), nil
}

func writtenFor(document map[string]any) schema.GroupVersionKind {
	apiVersion, _ := document["apiVersion"].(string)
	kind, _ := document["kind"].(string)
	return schema.FromAPIVersionAndKind(apiVersion, kind)
}

// Default prunes and defaults both objects in the version of the request; the old one is read as
// from storage.
func (s *Scheme) Default(_ context.Context, request harness.Request, object, old any) (any, any, error) {
	served, err := s.find(request.Version)
	if err != nil {
		return nil, nil, err
	}
	if err := accepts(served.Subresources, request); err != nil {
		return nil, nil, err
	}
	r := &sentRequest{scheme: s, Request: request, versions: map[string]func() *arrived{}}
	if old != nil {
		if r.old, err = served.load(old); err != nil {
			return nil, nil, fmt.Errorf("old object: %w", err)
		}
	}
	if request.Operation == admissionv1.Delete { // in the stored object
		if r.object, err = served.load(object); err != nil {
			return nil, nil, err
		}
		return objectOf{r}, nil, nil
	}
	if err := r.receive(served, object); err != nil {
		return nil, nil, err
	}
	if old == nil {
		return objectOf{r}, nil, nil
	}
	return objectOf{r}, oldOf{r}, nil
}

// load returns an object as it is read from the storage.
func (v *servedVersion) load(old any) (map[string]any, error) {
	document, isDocument := old.(map[string]any)
	if !isDocument {
		return nil, fmt.Errorf("a %T is not a document; custom resources have no Go types here", old)
	}
	read := v.Load(document)
	if len(read.Errors) > 0 {
		return nil, eachMetadataError(read.Errors).ToAggregate()
	}
	return v.preparation.Stored(read.Object()), nil
}
