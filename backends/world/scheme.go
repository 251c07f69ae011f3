package world

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/stages"
)

// scheme passes objects to the worlds as clients send them. It implements harness.Scheme.
type scheme struct{ today, tomorrow serving.Resource }

// versions returns those that any world serves.
func (s *scheme) versions() []schema.GroupVersionKind {
	all := s.tomorrow.Describe().Served()
	for _, version := range s.today.Describe().Served() {
		if !slices.Contains(all, version) {
			all = append(all, version)
		}
	}
	return all
}

// Capabilities implements contract.CapableScheme.
func (s *scheme) Capabilities() contract.SchemeCapabilities {
	return contract.SchemeCapabilities{Document: s.tomorrow.Document}
}

// Decode implements harness.Scheme, see stages.Decode.
func (s *scheme) Decode(document map[string]any, version schema.GroupVersionKind) (any, error) {
	return stages.Decode(document, version, s.versions())
}

// Default leaves the objects as they are. A request that neither world has is an error.
func (s *scheme) Default(_ context.Context, request harness.Request, object, old any) (any, any, error) {
	if err := s.today.Has(request); err != nil && s.tomorrow.Has(request) != nil {
		return nil, nil, err
	}
	return object, old, nil
}

// Convert returns an object in a version. In a version other than its own it is the object that a
// client of that version would send. That requires that both worlds serve the version, convert
// without a webhook, and have all its fields.
func (s *scheme) Convert(object any, version schema.GroupVersionKind) (any, error) {
	document, isDocument := object.(map[string]any)
	if !isDocument {
		return nil, fmt.Errorf("a %T is not a document", object)
	}
	own := apiname.Written(document)
	if own == version || own == stages.ScaleKind {
		return document, nil
	}
	var converted map[string]any
	for _, resource := range []serving.Resource{s.today, s.tomorrow} {
		var err error
		if converted, err = resource.Express(document, version); err != nil {
			return nil, &contract.InexpressibleError{Version: version, Reason: err.Error()}
		}
	}
	return runtime.DeepCopyJSON(converted), nil
}
