package serving

import (
	"context"
	"fmt"
	"sync"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/stages"
)

// Scheme takes the objects of a case through a resource up to validation, as the API server does for a request that
// no admission sees. Objects keep the name and the namespace that they have. It implements harness.Scheme and
// contract.CapableScheme, and may be used by several goroutines at once.
//
// In a case with the subresource scale, the object is an autoscaling/v1 Scale and the old object is the resource. The
// resource with the replicas of the Scale is validated.
type Scheme struct{ Resource }

// NewTarget returns the target of a resource with all of its versions, which have no backends.
func NewTarget(of Resource) *harness.Target {
	described := of.Describe()
	target := &harness.Target{Kind: described.Kind, Scheme: Scheme{of}}
	for _, version := range described.Versions {
		target.Versions = append(target.Versions, harness.Version{
			GroupVersionKind: version.GroupVersionKind,
			Resource:         version.Plural,
			Carrier:          version.Carrier,
		})
	}
	return target
}

// Capabilities implements contract.CapableScheme.
func (s Scheme) Capabilities() contract.SchemeCapabilities {
	can := contract.SchemeCapabilities{Document: s.Document}
	if typed, is := s.Resource.(Typed); is {
		can = typed.Capabilities()
	}
	can.Omitted = omitted
	return can
}

// Decode implements harness.Scheme: it returns the Go type of a document, or a copy. See stages.Decode.
func (s Scheme) Decode(document map[string]any, version schema.GroupVersionKind) (any, error) {
	if typed, is := s.Resource.(Typed); is {
		return typed.Decode(document, version)
	}
	return stages.Decode(document, version, s.Describe().All())
}

// Default reads both objects in the version of the request; the old one, and one that is deleted, are read as from
// storage. The results are for Convert.
func (s Scheme) Default(ctx context.Context, request harness.Request, object, old any) (any, any, error) {
	received, err := s.Take(ctx, request, object, old)
	if err != nil {
		return nil, nil, err
	}
	both := &versions{Request: received}
	switch {
	case request.Operation == admissionv1.Delete:
		return side{both, true}, nil, nil
	case old == nil:
		return side{both, false}, nil, nil
	}
	return side{both, false}, side{both, true}, nil
}

// versions is a request that is prepared in each version once. A version may be asked for while the conversion to
// another one hangs.
type versions struct {
	Request
	prepared sync.Map // of schema.GroupVersionKind to func() (Prepared, error)
}

func (v *versions) in(version schema.GroupVersionKind) (Prepared, error) {
	known, _ := v.prepared.LoadOrStore(version, sync.OnceValues(func() (Prepared, error) { return v.Prepare(version) }))
	return known.(func() (Prepared, error))()
}

// side is an object that Default returns.
type side struct {
	*versions
	isOld bool
}

// Convert returns an object as validation sees it in a version. An object is inexpressible in a version that lacks
// one of its fields, or the subresource.
func (s Scheme) Convert(object any, version schema.GroupVersionKind) (any, error) {
	received, is := object.(side)
	if typed, hasTypes := s.Resource.(Typed); hasTypes && !is {
		return typed.ConvertTyped(object, version)
	}
	if !is {
		return nil, fmt.Errorf("a %T is not a document; custom resources have no Go types here", object)
	}
	prepared, err := received.in(version)
	if err != nil {
		return nil, err
	}
	if received.isOld {
		return prepared.Old, nil
	}
	return prepared.Object, nil
}

// omitted lists the fields that validation does not see.
func omitted(object any, version schema.GroupVersionKind) []contract.Omission {
	if received, is := object.(side); is {
		if prepared, err := received.in(version); err == nil {
			return prepared.Omitted()
		}
	}
	return nil
}
