package apiresource

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness/contract"
)

// Prepare returns the request as validation sees it in a version, reduced to the fields that its subresource may set.
func (r *Request) Prepare(version schema.GroupVersionKind) (serving.Prepared, error) {
	of, err := r.as(version)
	if err != nil {
		return serving.Prepared{}, err
	}
	if of.scale != nil {
		if errs := stale(of.scale, of.old); len(errs) > 0 {
			return serving.Prepared{}, errs.ToAggregate()
		}
	}
	made, errs := of.prepare()
	if len(errs) > 0 {
		return serving.Prepared{}, fmt.Errorf("the old object has no scale that could be written: %w", errs.ToAggregate())
	}
	return serving.Prepared{Object: made.Object, Old: of.old, Omitted: of.Omitted}, nil
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
