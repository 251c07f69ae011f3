package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/validation/field"
	utilversion "k8s.io/apimachinery/pkg/util/version"
	"k8s.io/client-go/applyconfigurations"
	componentversion "k8s.io/component-base/version"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/diffrun/diffrun/backends/native/release/program"
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/objectmeta"
	"github.com/diffrun/diffrun/internal/stages"
)

// Served returns a built-in kind as the API server serves it, for package world: documents are
// decoded, defaulted, prepared and validated by its registry strategy. Fields that the kind does not
// have are dropped, as with fieldValidation=Ignore. The error reports an unknown kind, or one that no
// request creates or updates by itself, such as the options of the logs of a pod. Those of SubresourceKinds are
// the objects of requests to a subresource.
func Served(of schema.GroupKind) (serving.Resource, error) {
	if found, is := findSubresourceKind(func(c subresourceKind) bool { return c.GroupKind == of }); is {
		return found.served(), nil
	}
	s, err := newServed(of)
	if err != nil {
		return nil, err
	}
	if strings.Contains(s.resource, "/") || s.resource == "scales" {
		return nil, fmt.Errorf("%s is not a resource of its own; requests to a subresource carry it", s.GroupKind)
	}
	s.described.Versions = slices.DeleteFunc(s.described.Versions, isRemoved)
	if len(s.described.Versions) == 0 {
		return nil, fmt.Errorf("this Kubernetes serves no version of %s any more", s.GroupKind)
	}
	return s, nil
}

// newServed returns a kind with all versions in legacyscheme. The error lists the known kinds.
func newServed(of schema.GroupKind) (*served, error) {
	k, err := find(of)
	if err != nil {
		return nil, err
	}
	allowPrivileged()
	s := &served{kind: k, described: serving.Description{Kind: k.GroupKind, BuiltIn: true, Namespaced: k.namespaced()}}
	for _, version := range k.versions() {
		s.described.Versions = append(s.described.Versions, serving.Version{
			GroupVersionKind: version,
			Plural:           k.resource,
			Subresources:     k.subresources(),
		})
	}
	return s, nil
}

// isRemoved reports whether the release of Kubernetes that this package is from does not serve a version any more.
func isRemoved(version serving.Version) bool {
	return program.IsRemoved(version.GroupVersionKind, utilversion.MustParse(componentversion.DefaultKubeBinaryVersion))
}

// subresources returns the names of those that requests may be to, sorted.
func (k kind) subresources() []string {
	names := k.strategies.subresources()
	if _, scalable := scaledBy(k.internal()); scalable {
		names = append(names, scaleName)
	}
	slices.Sort(names)
	return names
}

// served implements serving.Typed.
type served struct {
	kind
	described     serving.Description
	ofSubresource *subresourceKind // nil: the kind has a resource of its own
}

// Capabilities implements contract.CapableScheme.
func (s *served) Capabilities() contract.SchemeCapabilities {
	return contract.SchemeCapabilities{
		Complete:      s.complete,
		Part:          s.partField,
		Defaulted:     s.bothDefaulted,
		MetadataApart: s.metadataApart,
	}
}

// metadataApart reports whether defaults and strategies treat the labels, the finalizers and the time of deletion of an object
// apart from the rest. Without labels, the defaults of some kinds take those of their Pods, and those of an EndpointSlice count
// in its generation.
func (s *served) metadataApart(object any) bool {
	return len(accessor(object.(runtime.Object)).GetLabels()) > 0 && s.Kind != "EndpointSlice"
}

// Describe returns the kind with the versions that the API server serves.
func (s *served) Describe() serving.Description { return s.described }

// Has returns why the kind does not take a request, or nil.
func (s *served) Has(request harness.Request) error {
	version, known := s.described.Find(request.Version)
	switch {
	case !known:
		return fmt.Errorf("%s is not served; there are %s", apiname.Target(request.Version), stages.VersionNames(s.described.Served()))
	case s.ofSubresource != nil:
		return s.ofSubresource.has(request)
	case !version.Has(request.Subresource):
		if err := checkCarriesResource(request, version.Plural); err != nil {
			return err
		}
		return fmt.Errorf("requests to the subresource %q of %s are not simulated; there are %q", request.Subresource,
			s.described.Kind, version.Subresources)
	case request.Operation == admissionv1.Connect:
		return fmt.Errorf("no request connects to %s itself, only to subresources of some kinds, such as pods/exec", version.Plural)
	case request.Subresource != "" && request.Operation != admissionv1.Update:
		return fmt.Errorf("%s can be updated only: the case needs an old object", request.Subresource)
	case request.Operation == admissionv1.Update:
		return s.updatable()
	}
	return nil
}

// Receive decodes and defaults a request. An object that cannot be decoded is refused, as by the API
// server. A version or a subresource that is not served is a fault of the case.
func (s *served) Receive(request harness.Request, object, old map[string]any) (serving.Request, field.ErrorList, error) {
	if err := s.Has(request); err != nil {
		return nil, nil, err
	}
	subresource := request.Subresource
	if s.ofSubresource != nil || subresource == scaleName {
		subresource = ""
	}
	r := &servedRequest{of: s, request: request}
	var err error
	if r.strategy, err = s.strategyFor(subresource); err != nil {
		return nil, nil, err
	}
	if old != nil {
		if r.old, _, err = s.read(old, request.Version); err != nil {
			return nil, nil, fmt.Errorf("old object: %w", err)
		}
	}
	if request.Operation == admissionv1.Delete {
		r.store()
		return r, nil, nil
	}
	if request.Subresource == scaleName {
		r.store()
		if r.scale, err = stages.ReadScale(object); err != nil {
			return nil, nil, err
		}
		nameScale(r.scale, accessor(r.old))
		return r, nil, nil
	}
	var undecoded error
	if r.object, r.unknown, undecoded = s.read(object, request.Version); undecoded != nil {
		return nil, field.ErrorList{notDecoded(undecoded)}, nil
	}
	if s.ofSubresource != nil {
		return r, nil, s.ofSubresource.receive(r.object, request)
	}
	r.address()
	return r, nil, nil
}

// Take defaults the typed objects of a request, converts them to the hub type and prepares them.
func (s *served) Take(ctx context.Context, request harness.Request, object, old any) (serving.Request, error) {
	if request.Operation == admissionv1.Delete {
		return nil, errors.New("a DELETE of a built-in kind is not compared: its validators look at creates and updates")
	}
	r := &servedRequest{of: s, request: request}
	var err error
	if r.strategy, err = s.strategyFor(request.Subresource); err != nil {
		return nil, err
	}
	if old != nil {
		if err := s.updatable(); err != nil {
			return nil, err
		}
	}
	if r.object, err = s.defaulted(object.(runtime.Object).DeepCopyObject()); err != nil {
		return nil, err
	}
	if old != nil {
		if r.old, err = s.defaulted(old.(runtime.Object).DeepCopyObject()); err != nil {
			return nil, fmt.Errorf("old object: %w", err)
		}
		fillStored(r.old, r.strategy.NamespaceScoped())
	}
	r.prepare(requestContext(ctx, s.kind, request))
	return r, nil
}

// notDecoded is the answer to a request whose object cannot be decoded.
func notDecoded(err error) *field.Error {
	return &field.Error{
		Type:     field.ErrorTypeTypeInvalid,
		BadValue: field.OmitValueType{},
		Detail:   "the API server cannot decode the object: " + err.Error(),
	}
}

// Stored returns an object with the defaults of its version.
func (s *served) Stored(object map[string]any) (map[string]any, error) {
	version := apiname.Written(object)
	hub, _, err := s.read(object, version)
	if err != nil {
		return object, nil // Receive returns the error
	}
	return documentOf(hub, version)
}

// Document returns a typed object as a document of its version.
func (s *served) Document(object any, version schema.GroupVersionKind) (map[string]any, error) {
	typed, isObject := object.(runtime.Object)
	if !isObject {
		return nil, fmt.Errorf("a %T is not an object of %s; use a document (map[string]any) or its Go type in k8s.io/api",
			object, s.described.Kind)
	}
	if version.Empty() {
		known, _, err := legacyscheme.Scheme.ObjectKinds(typed)
		if err != nil {
			return nil, err
		}
		version = known[0]
	}
	document, err := runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
	if err != nil {
		return nil, err
	}
	document["apiVersion"], document["kind"] = version.ToAPIVersionAndKind()
	return document, nil
}

// Convert returns an object in another version through the hub type, with the defaults of its own.
func (s *served) Convert(object map[string]any, to schema.GroupVersionKind) (map[string]any, error) {
	written := apiname.Written(object)
	if object == nil || written == to || written == stages.ScaleKind {
		return object, nil
	}
	hub, _, err := s.read(object, written)
	if err != nil {
		return nil, err
	}
	return documentOf(hub, to)
}

// Express returns an object as a client of another version sends it, with the defaults of its own
// version.
func (s *served) Express(object map[string]any, in schema.GroupVersionKind) (map[string]any, error) {
	hub, _, err := s.read(object, apiname.Written(object))
	if err != nil {
		return nil, err
	}
	if _, err := s.ConvertTyped(hub, in); err != nil {
		return nil, err
	}
	return documentOf(hub, in)
}

var _ serving.Typed = &served{}

// TypeConverter returns the converter of all built-in kinds, which applies the configurations of
// mutating policies.
func (*served) TypeConverter() managedfields.TypeConverter { return typeConverter() }

// typeConverter reads the schema of all kinds once.
var typeConverter = sync.OnceValue(func() managedfields.TypeConverter {
	return applyconfigurations.NewTypeConverter(legacyscheme.Scheme)
})

// Default returns a document with the defaults of its version. The error names fields that the
// version does not have.
func (s *served) Default(object map[string]any) (map[string]any, error) {
	version := apiname.Written(object)
	hub, unknown, err := s.read(object, version)
	if err != nil {
		return nil, fmt.Errorf("the API server cannot decode the mutated object: %w", err)
	}
	if len(unknown) > 0 {
		return nil, fmt.Errorf("the mutated object has fields that %s does not have: %s", apiname.Target(version),
			strings.Join(unknown, ", "))
	}
	return documentOf(hub, version)
}

// setAddress sets the name and namespace in the path of a request in an object without them.
func setAddress(object runtime.Object, namespaced bool, namespace string) {
	objectmeta.Address(accessor(object), namespaced, namespace)
}
