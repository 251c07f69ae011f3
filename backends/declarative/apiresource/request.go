package apiresource

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/objectmeta"
	"github.com/diffrun/diffrun/internal/stages"
)

// Request is a request on its way from the client to the storage. Its methods are the stages in
// which the definition takes part, in their order (create.go and update.go of
// k8s.io/apiserver/pkg/endpoints/handlers, and BeforeCreate and BeforeUpdate of
// k8s.io/apiserver/pkg/registry/rest): Receive, Mutated, Validate. Mutating admission sees the
// objects of Sent, validating admission those of Admitted.
//
// A Request is used by one goroutine at a time.
type Request struct {
	definition *Definition
	served     *servedVersion
	request    harness.Request
	// object and old are in the version of the request. The object is nil if a Scale was
	// sent, old if something is created.
	object, old map[string]any
	scale       *autoscalingv1.Scale
	pruned      []string
	prepared    *subresource.Request
}

// Receive decodes a request: it prunes and defaults the object in the version of the request, and
// reads the old object from the storage. Both are left unchanged. The errors report what the API
// server cannot read; the request ends with them. The error is a fault of the input.
func (d *Definition) Receive(request harness.Request, object, old map[string]any) (serving.Request, field.ErrorList, error) {
	if err := d.Has(request); err != nil {
		return nil, field.ErrorList{notServed(request, err)}, nil
	}
	if old != nil {
		old = objectmeta.Change(old,
			func(o *unstructured.Unstructured) { objectmeta.NameLike(o, &unstructured.Unstructured{Object: object}) })
	}
	r, errs, err := d.decode(request, object, old)
	if err != nil || len(errs) > 0 {
		return nil, errs, err
	}
	r.old = d.addressed(r.old, nil)
	r.object = d.addressed(r.object, r.old)
	return r, nil, nil
}

// Take decodes a request of the harness, whose objects are documents.
func (d *Definition) Take(_ context.Context, request harness.Request, object, old any) (serving.Request, error) {
	if err := d.Has(request); err != nil {
		return nil, err
	}
	sent, isDocument := object.(map[string]any)
	stored, wasDocument := old.(map[string]any)
	if !isDocument || old != nil && !wasDocument {
		return nil, fmt.Errorf("a %T is not a document; custom resources have no Go types here", object)
	}
	if request.Operation == admissionv1.Delete {
		sent, stored = nil, sent
	}
	r, errs, err := d.decode(request, sent, stored)
	if err == nil {
		err = errs.ToAggregate()
	}
	return r, err
}

// decode is Receive for objects that have the name and the namespace in the path of their request.
func (d *Definition) decode(request harness.Request, object, old map[string]any) (*Request, field.ErrorList, error) {
	r := &Request{definition: d, served: d.versions[request.Version.Version], request: request}
	if request.Subresource != subresource.ScaleName && apiname.Written(object) == stages.ScaleKind {
		return nil, nil, fmt.Errorf("the object is %s, which only the subresource scale takes", apiname.Target(stages.ScaleKind))
	}
	var err error
	if old != nil {
		if r.old, err = d.load(old, r.served); err != nil {
			return nil, nil, fmt.Errorf("old object: %w", err)
		}
	}
	switch {
	case request.Operation == admissionv1.Delete:
		return r, nil, nil
	case request.Subresource == subresource.ScaleName:
		r.scale, err = stages.ReadScale(object)
		return r, nil, err
	}
	read := r.served.Receive(object)
	r.object, r.pruned = read.Object(), read.Dropped
	return r, eachMetadataError(read.Errors), nil
}

// addressed sets the name and namespace of an object to those in the path of its request, if the
// object has none. Cases may omit them.
func (d *Definition) addressed(object, old map[string]any) map[string]any {
	if object == nil {
		return nil
	}
	before := unstructured.Unstructured{Object: old}
	return objectmeta.Change(object, func(metadata *unstructured.Unstructured) {
		if metadata.GetName() == "" && (metadata.GetGenerateName() == "" || old != nil) { // else it has none yet, see created
			metadata.SetName(cmp.Or(before.GetName(), madeUpName))
		}
		objectmeta.Address(metadata, d.resource.Namespaced, cmp.Or(before.GetNamespace(), metav1.NamespaceDefault))
	})
}

// notServed is the answer to a request to a resource that does not exist.
func notServed(request harness.Request, why error) *field.Error {
	place, value := field.NewPath("apiVersion"), request.Version.GroupVersion().String()
	if request.Subresource != "" {
		place, value = nil, request.Subresource
	}
	missing := field.NotFound(place, value)
	missing.Detail = "the server could not find the requested resource: " + why.Error()
	return missing
}

// Sent returns the objects that mutating admission sees: those of the client with defaults. The
// status is not reset yet, and uid and generation are not set. For a request to a scale they are
// Scales. Old is nil for a create.
func (r *Request) Sent() (object, old map[string]any, err error) {
	if r.scale == nil {
		return r.object, r.old, nil
	}
	return r.scales(r.scale, r.old)
}

// Mutated takes the object that a mutating webhook returned for the one from Sent, in the same or
// another version of the resource. As in the API server, it gets the defaults of its version and is
// not pruned before validation (k8s.io/apiserver/pkg/admission/plugin/webhook/mutating,
// callAttrMutatingHook). The errors end the request. The error is a fault of the webhook: the API
// server answers with an internal error.
func (r *Request) Mutated(object map[string]any) (field.ErrorList, error) {
	if r.scale != nil {
		return nil, r.scaleMutated(object)
	}
	resource := r.definition.Resource().Kind
	written := (&unstructured.Unstructured{Object: object}).GroupVersionKind()
	if written.Kind == "" {
		return nil, fmt.Errorf("the mutated object has the apiVersion %v and the kind %v; the API server accepts no object without them",
			object["apiVersion"], object["kind"])
	}
	version, err := r.definition.find(resource.WithVersion(written.Version))
	if err != nil || written.Group != resource.Group {
		return nil, fmt.Errorf("the mutated object has the apiVersion %q, from which the API server cannot convert it; accepted: "+
			"those of %s", written.GroupVersion(), stages.VersionNames(r.definition.Describe().Served()))
	}
	if written.Kind != resource.Kind {
		return field.ErrorList{wrongKind(written.Kind, resource.Kind)}, nil
	}
	r.object, err = r.definition.Convert(version.defaulter.Default(object), r.request.Version)
	return nil, err
}

// scaleMutated is Mutated for a Scale. The API server decodes it into its Go type, so it needs
// neither apiVersion nor kind, and unknown fields are dropped.
func (r *Request) scaleMutated(object map[string]any) (err error) {
	written := stages.ScaleKind
	written.Kind = cmp.Or((&unstructured.Unstructured{Object: object}).GetKind(), written.Kind)
	if apiVersion, _ := object["apiVersion"].(string); apiVersion != "" {
		written = schema.FromAPIVersionAndKind(apiVersion, written.Kind)
	}
	if written != stages.ScaleKind {
		return fmt.Errorf("the mutated object is of %s; the API server accepts only an object of %s there",
			apiname.Target(written), apiname.Target(stages.ScaleKind))
	}
	r.scale = &autoscalingv1.Scale{}
	return runtime.DefaultUnstructuredConverter.FromUnstructured(object, r.scale)
}

// Validate reduces the object to the fields that the request may set and validates it. The errors
// end the request; the error is a fault. A delete is always accepted.
func (r *Request) Validate(ctx context.Context) (field.ErrorList, error) {
	if r.request.Operation == admissionv1.Delete {
		return nil, nil
	}
	backend, in, errs, err := r.Validated()
	if err != nil || len(errs) > 0 {
		return errs, err
	}
	return backend.Validate(ctx, in)
}

// Validated returns the input of Validate and the validator that it calls. The errors prevent
// validation.
func (r *Request) Validated() (Backend, *harness.Input, field.ErrorList, error) {
	backend, err := r.definition.Backend(r.request.Version.Version)
	if err != nil {
		return Backend{}, nil, nil, err
	}
	made, errs := r.prepare()
	if len(errs) > 0 {
		return Backend{}, nil, errs, nil
	}
	in := &harness.Input{Request: r.request, Object: contract.NewView(made.Object)}
	if r.old != nil {
		in.Old = contract.NewView(r.old)
	}
	return backend, in, nil, nil
}

// prepare reduces the object to the fields that the request may set, once.
func (r *Request) prepare() (subresource.Request, field.ErrorList) {
	if r.prepared != nil {
		return *r.prepared, nil
	}
	var made subresource.Request
	var errs field.ErrorList
	if r.scale != nil {
		made, errs = r.served.preparation.write(r.scale, r.old)
	} else {
		made = r.served.preparation.Prepare(r.request, r.object, r.old)
	}
	if len(errs) == 0 {
		r.prepared = &made
	}
	return made, errs
}

// Admitted returns the objects that validating admission sees, which Validate accepted. For a
// request to a scale they are Scales.
func (r *Request) Admitted() (object, old map[string]any, err error) {
	if r.request.Operation == admissionv1.Delete {
		return nil, r.old, nil
	}
	made, errs := r.prepare()
	if len(errs) > 0 {
		return nil, nil, errs.ToAggregate()
	}
	if r.request.Subresource != subresource.ScaleName {
		return made.Object, r.old, nil
	}
	scale, errs := r.served.Subresources.Scale.Read(made.Object, r.served.Subresources.Conformance)
	if len(errs) > 0 {
		return nil, nil, errs.ToAggregate()
	}
	return r.scales(scale, r.old)
}

// scales returns a Scale and the one before it as documents.
func (r *Request) scales(scale *autoscalingv1.Scale, old map[string]any) (object, before map[string]any, err error) {
	was, errs := r.served.Subresources.Scale.Read(old, r.served.Subresources.Conformance)
	if len(errs) > 0 {
		return nil, nil, fmt.Errorf("the old object has no scale: %w", errs.ToAggregate())
	}
	return stages.ScaleDocuments(scale, was)
}

// Omitted lists the fields of the request that validation does not see: pruned ones, and after
// Validate also those that the request may not set.
func (r *Request) Omitted() []contract.Omission {
	if r.prepared == nil {
		return stages.Omissions(r.pruned, nil)
	}
	return stages.Omissions(r.pruned, r.prepared.Ignored)
}

// accepts returns why a resource does not take a request, or nil.
func accepts(s subresource.Subresources, request harness.Request) error {
	name := request.Subresource
	has := name == "" || name == subresource.StatusName && s.Status || name == subresource.ScaleName && s.Scale != nil
	switch {
	case !has && len(s.Names()) == 0:
		return fmt.Errorf("%s has no subresource %q; it has none", apiname.Target(request.Version), name)
	case !has:
		return fmt.Errorf("%s has no subresource %q; it has %s", apiname.Target(request.Version), name, strings.Join(s.Names(), ", "))
	case request.Operation == admissionv1.Delete && name != "":
		return fmt.Errorf("%s cannot be deleted; leave the subresource out", name)
	case name != "" && request.Operation != admissionv1.Update:
		return fmt.Errorf("%s can be updated only: the case needs an old object", name)
	}
	return nil
}
