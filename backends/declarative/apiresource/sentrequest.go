package apiresource

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
)

// scaleKind is the kind of requests to a scale.
var scaleKind = autoscalingv1.SchemeGroupVersion.WithKind("Scale")

// sentRequest is a request before validation. Default makes it, and Convert converts it to one
// version at a time. A version may be asked for while the conversion to another one hangs.
type sentRequest struct {
	harness.Request
	scheme *Scheme
	// object and old are pruned and defaulted in the version of the request. The
	// object is nil where a Scale was sent, old where something is created.
	object, old map[string]any
	scale       *autoscalingv1.Scale
	pruned      []string

	mutex    sync.Mutex
	versions map[string]func() *arrived
}

// objectOf and oldOf are the objects that Default returns.
type (
	objectOf struct{ *sentRequest }
	oldOf    struct{ *sentRequest }
)

// arrived is a request as it is validated in a version.
type arrived struct {
	object, old map[string]any
	omitted     []harness.Omission
	err         error
}

// receive reads the sent object.
func (r *sentRequest) receive(served *servedVersion, object any) error {
	document, isDocument := object.(map[string]any)
	if !isDocument {
		return fmt.Errorf("a %T is not a document; custom resources have no Go types here", object)
	}
	if err := isTaken(document, r.Subresource); err != nil {
		return err
	}
	if r.Subresource == subresource.ScaleName {
		var err error
		r.scale, err = toScale(document)
		return err
	}
	read := served.Receive(document)
	if len(read.Errors) > 0 {
		return eachMetadataError(read.Errors).ToAggregate()
	}
	r.object, r.pruned = read.Object(), read.Dropped
	return nil
}

// isTaken returns why a request does not take an object: a scale takes only Scales, and no other
// request takes them.
func isTaken(document map[string]any, by string) error {
	isScale := writtenFor(document) == scaleKind
	switch {
	case isScale && by != subresource.ScaleName:
		return fmt.Errorf("the object is %s, which only the subresource scale takes", apiname.Target(scaleKind))
	case !isScale && by == subresource.ScaleName:
		return fmt.Errorf("the object is %s; the subresource scale takes %s", apiname.Target(writtenFor(document)), apiname.Target(scaleKind))
	}
	return nil
}

// toScale reads a Scale. The error names unknown fields.
func toScale(document map[string]any) (*autoscalingv1.Scale, error) {
	scale := &autoscalingv1.Scale{}
	return scale, runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(document, scale, true)
}

// Convert returns an object in a version, reduced to the fields that the subresource of the request
// may set. An object is inexpressible in a version that lacks one of its fields, or the
// subresource.
func (s *Scheme) Convert(object any, version schema.GroupVersionKind) (any, error) {
	switch side := object.(type) {
	case objectOf:
		in := side.in(version)
		return in.object, in.err
	case oldOf:
		in := side.in(version)
		return in.old, in.err
	}
	return nil, fmt.Errorf("a %T is not a document; custom resources have no Go types here", object)
}

// omitted lists the fields that validation does not see.
func (s *Scheme) omitted(object any, version schema.GroupVersionKind) []harness.Omission {
	if of, ok := object.(objectOf); ok {
		return of.in(version).omitted
	}
	return nil
}

func (r *sentRequest) in(version schema.GroupVersionKind) *arrived {
	r.mutex.Lock()
	known := r.versions[version.Version]
	if known == nil {
		known = sync.OnceValue(func() *arrived { return r.arrive(version) })
		r.versions[version.Version] = known
	}
	r.mutex.Unlock()
	return known()
}

func (r *sentRequest) arrive(version schema.GroupVersionKind) *arrived {
	served, err := r.scheme.find(version)
	if err != nil {
		return &arrived{err: err}
	}
	if version != r.Version {
		request := r.Request
		request.Version = version
		if err := accepts(served.Subresources, request); err != nil {
			return &arrived{err: &harness.InexpressibleError{Version: version, Reason: err.Error()}}
		}
	}
	object, objectErr := r.convert(r.object, served, version)
	old, oldErr := r.convert(r.old, served, version)
	if err := errors.Join(objectErr, oldErr); errors.As(err, new(conversionError)) {
		return &arrived{err: err}
	} else if err != nil {
		return &arrived{err: &harness.InexpressibleError{Version: version, Reason: err.Error()}}
	}
	made, err := r.prepare(served, object, old)
	if err != nil {
		return &arrived{err: err}
	}
	return &arrived{object: made.Object, old: old, omitted: omissions(r.pruned, made.Ignored)}
}

// convert returns an object of the request's version in another version, as if it were stored in
// the first and read in the second.
func (r *sentRequest) convert(object map[string]any, served *servedVersion, version schema.GroupVersionKind) (map[string]any, error) {
	if object == nil || version == r.Version {
		return object, nil
	}
	converted, err := r.scheme.resource.convert(object, version.Version)
	if err == nil {
		err = r.scheme.resource.lost(object, converted, r.Version.Version)
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

// prepare reduces the object to the fields that the request may set.
func (r *sentRequest) prepare(served *servedVersion, object, old map[string]any) (subresource.Request, error) {
	if r.scale != nil {
		if errs := stale(r.scale, old); len(errs) > 0 {
			return subresource.Request{}, errs.ToAggregate()
		}
	}
	made, errs := served.prepare(r.Request, r.scale, object, old)
	if len(errs) > 0 {
		return made, fmt.Errorf("the old object has no scale that could be written: %w", errs.ToAggregate())
	}
	return made, nil
}

// prepare prepares the object of a request in a version. scale is the sent Scale of a request to a
// scale.
func (v *servedVersion) prepare(request harness.Request, scale *autoscalingv1.Scale, object, old map[string]any) (subresource.Request, field.ErrorList) {
	if scale != nil {
		return v.preparation.write(scale, old)
	}
	return v.preparation.Prepare(request, object, old), nil
}
