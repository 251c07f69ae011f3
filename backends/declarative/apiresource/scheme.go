package apiresource

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/stages"
)

// Scheme prepares the objects of a Definition for validation, as the API server does for a request that no
// admission sees: it is the way of a [Request] up to Validate. Objects keep the name and the namespace that
// they have. It implements harness.Scheme and contract.CapableScheme, and may be used by several
// goroutines at once.
//
// In a case with the subresource scale, the object is an autoscaling/v1 Scale and the old object is
// the resource. The resource with the replicas of the Scale is validated.
type Scheme struct{ *Definition }

// Capabilities implements contract.CapableScheme.
func (s Scheme) Capabilities() contract.SchemeCapabilities {
	return contract.SchemeCapabilities{Document: s.Document, Omitted: s.omitted}
}

// Decode implements harness.Scheme, see stages.Decode.
func (s Scheme) Decode(document map[string]any, version schema.GroupVersionKind) (any, error) {
	return stages.Decode(document, version, s.known())
}

// Default reads both objects in the version of the request; the old one, and one that is deleted, are read
// as from storage. The results are for Convert.
func (s Scheme) Default(_ context.Context, request harness.Request, object, old any) (any, any, error) {
	if err := s.Has(request); err != nil {
		return nil, nil, err
	}
	sent, isDocument := object.(map[string]any)
	stored, wasDocument := old.(map[string]any)
	if !isDocument || old != nil && !wasDocument {
		return nil, nil, notDocument(object)
	}
	if request.Operation == admissionv1.Delete {
		sent, stored = nil, sent
	}
	decoded, errs, err := s.decode(request, sent, stored)
	if err == nil {
		err = errs.ToAggregate()
	}
	if err != nil {
		return nil, nil, err
	}
	r := &sentRequest{Request: decoded, versions: map[schema.GroupVersionKind]func() (*Request, error){}}
	switch {
	case request.Operation == admissionv1.Delete:
		return oldOf{r}, nil, nil
	case old == nil:
		return objectOf{r}, nil, nil
	}
	return objectOf{r}, oldOf{r}, nil
}

func notDocument(object any) error {
	return fmt.Errorf("a %T is not a document; custom resources have no Go types here", object)
}

// sentRequest is a request that Default decoded, and that Convert converts to one version at a time. A version
// may be asked for while the conversion to another one hangs.
type sentRequest struct {
	*Request
	mutex    sync.Mutex
	versions map[schema.GroupVersionKind]func() (*Request, error)
}

// objectOf and oldOf are the objects that Default returns.
type (
	objectOf struct{ *sentRequest }
	oldOf    struct{ *sentRequest }
)

// Convert returns an object in a version, reduced to the fields that the subresource of the request
// may set. An object is inexpressible in a version that lacks one of its fields, or the
// subresource.
func (s Scheme) Convert(object any, version schema.GroupVersionKind) (any, error) {
	switch side := object.(type) {
	case objectOf:
		r, err := side.in(version)
		if err != nil {
			return nil, err
		}
		return r.prepared.Object, nil
	case oldOf:
		r, err := side.in(version)
		if err != nil {
			return nil, err
		}
		return r.old, nil
	}
	return nil, notDocument(object)
}

// omitted lists the fields that validation does not see.
func (s Scheme) omitted(object any, version schema.GroupVersionKind) []contract.Omission {
	if of, isObject := object.(objectOf); isObject {
		if r, err := of.in(version); err == nil {
			return r.Omitted()
		}
	}
	return nil
}

// in returns the request as it is validated in a version.
func (r *sentRequest) in(version schema.GroupVersionKind) (*Request, error) {
	r.mutex.Lock()
	known := r.versions[version]
	if known == nil {
		known = sync.OnceValues(func() (*Request, error) { return r.preparedIn(version) })
		r.versions[version] = known
	}
	r.mutex.Unlock()
	return known()
}

func (r *Request) preparedIn(version schema.GroupVersionKind) (*Request, error) {
	of, err := r.as(version)
	if err != nil {
		return nil, err
	}
	if of.scale != nil {
		if errs := stale(of.scale, of.old); len(errs) > 0 {
			return nil, errs.ToAggregate()
		}
	}
	if _, errs := of.prepare(); len(errs) > 0 {
		return nil, fmt.Errorf("the old object has no scale that could be written: %w", errs.ToAggregate())
	}
	return of, nil
}

// as returns a copy of a request as a client sends it in a version.
func (r *Request) as(version schema.GroupVersionKind) (*Request, error) {
	served, err := r.definition.find(version)
	if err != nil {
		return nil, err
	}
	of := *r
	of.served, of.request.Version = served, version
	if version == r.request.Version {
		return &of, nil
	}
	if err = accepts(served.Subresources, of.request); err == nil {
		var oldErr error
		of.object, err = r.converted(r.object, served)
		of.old, oldErr = r.converted(r.old, served)
		err = errors.Join(err, oldErr)
	}
	switch {
	case err == nil:
		return &of, nil
	case errors.As(err, new(conversionError)):
		return nil, err
	}
	return nil, &contract.InexpressibleError{Version: version, Reason: err.Error()}
}

// converted returns an object of the request in another version, as if it were stored in the first and read
// in the second.
func (r *Request) converted(object map[string]any, served *servedVersion) (map[string]any, error) {
	if object == nil {
		return nil, nil
	}
	converted, err := r.definition.resource.convert(object, served.Name)
	if err == nil {
		err = r.definition.resource.lost(object, converted, r.request.Version.Version)
	}
	if err != nil {
		return nil, err
	}
	read := served.Receive(converted)
	switch {
	case len(read.Errors) > 0:
		return nil, eachMetadataError(read.Errors).ToAggregate()
	case len(read.Dropped) > 0:
		return nil, fmt.Errorf("it has no %s", strings.Join(read.Dropped, ", "))
	}
	return read.Object(), nil
}
