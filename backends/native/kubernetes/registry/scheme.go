package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	jsonserializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/apiname"
)

// kindScheme takes the objects of one kind through legacyscheme, as the API
// server's request handlers do. It implements harness.Scheme.
type kindScheme struct {
	kind   kind
	decode runtime.Decoder
}

// newScheme returns the harness.Scheme of a kind. The error lists the known kinds.
func newScheme(of schema.GroupKind) (*kindScheme, error) {
	k, err := find(of)
	if err != nil {
		return nil, err
	}
	return schemeOf(k), nil
}

func schemeOf(k kind) *kindScheme {
	strict := jsonserializer.SerializerOptions{Strict: true}
	return &kindScheme{k, jsonserializer.NewSerializerWithOptions(jsonserializer.DefaultMetaFactory, legacyscheme.Scheme,
		legacyscheme.Scheme, strict)}
}

// Capabilities implements contract.CapableScheme.
func (s *kindScheme) Capabilities() contract.SchemeCapabilities {
	return contract.SchemeCapabilities{
		Complete:      s.complete,
		Part:          s.partField,
		Omitted:       s.omitted,
		Defaulted:     s.bothDefaulted,
		MetadataApart: s.metadataApart,
	}
}

// metadataApart reports whether defaults and strategies treat the labels, the finalizers and the time of deletion of an object
// apart from the rest. Without labels, the defaults of some kinds take those of their Pods, and those of an EndpointSlice count
// in its generation.
func (s *kindScheme) metadataApart(object any) bool {
	return len(accessor(object.(runtime.Object)).GetLabels()) > 0 && s.kind.Kind != "EndpointSlice"
}

// Decode reads a document into the Go type of a version. Unknown and duplicate fields are errors,
// as with fieldValidation=Strict.
func (s *kindScheme) Decode(document map[string]any, version schema.GroupVersionKind) (any, error) {
	data, err := json.Marshal(document)
	if err != nil {
		return nil, err
	}
	object, actual, err := s.decode.Decode(data, &version, nil)
	if err != nil {
		return nil, err
	}
	if *actual != version {
		return nil, fmt.Errorf("the case is written for %s, but its object is a %s", apiname.Target(version), apiname.Target(*actual))
	}
	return object, nil
}

// Default defaults the objects in their version, converts them to the hub type and prepares them as
// the request's strategy does: it resets status and fields of disabled features, and fills in
// generation and selectors.
func (s *kindScheme) Default(ctx context.Context, request harness.Request, object, old any) (any, any, error) {
	if request.Operation == admissionv1.Delete {
		return nil, nil, errors.New("a DELETE of a built-in kind is not compared: its validators look at creates and updates")
	}
	strategy, err := s.kind.strategyFor(request.Subresource)
	if err != nil {
		return nil, nil, err
	}
	if old != nil {
		if err := s.kind.updatable(); err != nil {
			return nil, nil, err
		}
	}
	hub, err := s.defaulted(object)
	if err != nil {
		return nil, nil, err
	}
	ctx = requestContext(ctx, s.kind, request)
	sent := hub.DeepCopyObject()
	if old == nil {
		s.kind.prepareCreate(ctx, strategy, hub)
		return prepared{hub, sent}, nil, nil
	}
	oldHub, err := s.defaulted(old)
	if err != nil {
		return nil, nil, fmt.Errorf("old object: %w", err)
	}
	fillStored(oldHub, strategy.NamespaceScoped())
	prepareUpdate(ctx, strategy, request.Subresource, hub, oldHub)
	return prepared{hub, sent}, oldHub, nil
}

// defaulted defaults an object in its version and converts it to the hub type.
func (s *kindScheme) defaulted(object any) (runtime.Object, error) {
	versioned := object.(runtime.Object).DeepCopyObject()
	legacyscheme.Scheme.Default(versioned)
	return s.kind.hub(versioned)
}

// hub converts an object to the internal type. The result may share memory with the input, so the
// input must be the caller's own copy.
func (k kind) hub(versioned runtime.Object) (runtime.Object, error) {
	if err := k.owns(versioned); err != nil {
		return nil, err
	}
	hub := k.internal()
	if err := legacyscheme.Scheme.Convert(versioned, hub, nil); err != nil {
		return nil, fmt.Errorf("converting %T to the internal version: %w", versioned, err)
	}
	return hub, nil
}

// readHub returns an object of the internal type that the caller only reads: the object itself if it is of that
// type, for which a conversion is a copy.
func (k kind) readHub(object runtime.Object) (runtime.Object, error) {
	if reflect.TypeOf(object) == reflect.TypeOf(k.internal()) {
		return object, nil
	}
	return k.hub(object.DeepCopyObject())
}

// owns returns an error unless an object is of the kind, in any version.
func (k kind) owns(object runtime.Object) error {
	known, _, err := legacyscheme.Scheme.ObjectKinds(object)
	if err == nil && slices.ContainsFunc(known, func(of schema.GroupVersionKind) bool { return of.Kind == k.Kind }) {
		return nil
	}
	return fmt.Errorf("a %T is not a %s; use an object of the kind, or of a part of it", object, k.GroupKind)
}
