package customresource

import (
	"cmp"
	"context"
	"fmt"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/objectmeta"
)

// Passage is a request on its way from the client to the storage. Its methods are the
// stages in which the definition takes part, in their order (create.go and update.go of
// k8s.io/apiserver/pkg/endpoints/handlers, and BeforeCreate and BeforeUpdate of
// k8s.io/apiserver/pkg/registry/rest): Receive, Mutated, Validate. Sent is what mutating
// admission sees, Admitted what validating admission sees.
//
// A Passage is used by one goroutine.
type Passage struct {
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

// Receive decodes a request: it prunes and defaults the object in the version of the
// request, and reads the old object from the storage. Both are left unchanged. The errors
// say what the API server cannot read, and the request ends with them; the error is a
// fault of the input.
func (d *Definition) Receive(request harness.Request, object, old map[string]any) (*Passage, field.ErrorList, error) {
	if err := d.Has(request); err != nil {
		return nil, field.ErrorList{notServed(request, err)}, nil
	}
	if request.Operation != harness.Delete {
		if err := isTaken(object, request.Subresource); err != nil {
			return nil, nil, err
		}
	}
	p := &Passage{definition: d, served: d.scheme.versions[request.Version.Version], request: request}
	if old != nil {
		loaded, err := p.served.load(updatedBy(object, old))
		if err != nil {
			return nil, nil, fmt.Errorf("old object: %w", err)
		}
		p.old = d.addressed(loaded, nil)
	}
	if request.Operation == harness.Delete {
		return p, nil, nil
	}
	if request.Subresource == subresource.ScaleName {
		var err error
		p.scale, err = toScale(object)
		return p, nil, err
	}
	read := p.served.Receive(object)
	if len(read.Errors) > 0 {
		return nil, eachMetadataError(read.Errors), nil
	}
	p.object, p.pruned = d.addressed(read.Object(), p.old), read.Dropped
	return p, nil, nil
}

// addressed gives an object the name and namespace that the path of its request has, if it
// has none itself: cases need not say them.
func (d *Definition) addressed(object, old map[string]any) map[string]any {
	before := unstructured.Unstructured{Object: old}
	return objectmeta.Change(object, func(metadata *unstructured.Unstructured) {
		if metadata.GetName() == "" && (metadata.GetGenerateName() == "" || old != nil) { // else it has none yet, see created
			metadata.SetName(cmp.Or(before.GetName(), madeUpName))
		}
		objectmeta.Address(metadata, d.scheme.resource.Namespaced, cmp.Or(before.GetNamespace(), metav1.NamespaceDefault))
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

// Sent gives the objects that mutating admission sees. They are those of the client with
// defaults: neither is the status reset yet, nor are uid and generation filled in. For a
// request to a scale they are Scales. Old is nil for a create.
func (p *Passage) Sent() (object, old map[string]any, err error) {
	if p.scale == nil {
		return p.object, p.old, nil
	}
	return p.scales(p.scale, p.old)
}

// Mutated takes the object that a mutating webhook made of the one from Sent, in the same
// or another version of the resource. As in the API server, it gets the defaults of its
// version and is not pruned before it is stored, which is after validation
// (k8s.io/apiserver/pkg/admission/plugin/webhook/mutating, callAttrMutatingHook). The errors
// end the request. The error is a fault of who made the object: the API server answers with
// an internal error.
func (p *Passage) Mutated(object map[string]any) (field.ErrorList, error) {
	if p.scale != nil {
		return nil, p.scaleMutated(object)
	}
	resource := p.definition.Resource().Kind
	written := (&unstructured.Unstructured{Object: object}).GroupVersionKind()
	if written.Kind == "" {
		return nil, fmt.Errorf("the mutated object has the apiVersion %v and the kind %v; the API server takes no object without them", object["apiVersion"], object["kind"])
	}
	version, err := p.definition.scheme.find(resource.WithVersion(written.Version))
	if err != nil || written.Group != resource.Group {
		return nil, fmt.Errorf("the mutated object has the apiVersion %q, from which the API server cannot convert it; accepted: those of %s", written.GroupVersion(), VersionNames(p.definition.Served()))
	}
	if written.Kind != resource.Kind {
		return field.ErrorList{wrongKind(written.Kind, resource.Kind)}, nil
	}
	p.object, err = p.definition.Convert(version.defaulter.Default(object), p.request.Version.Version)
	return nil, err
}

// scaleMutated is Mutated for a Scale. The API server decodes it into its Go type, so it needs
// neither apiVersion nor kind, and a field that a Scale does not have is dropped.
func (p *Passage) scaleMutated(object map[string]any) (err error) {
	written := scaleKind
	written.Kind = cmp.Or((&unstructured.Unstructured{Object: object}).GetKind(), written.Kind)
	if apiVersion, _ := object["apiVersion"].(string); apiVersion != "" {
		written = schema.FromAPIVersionAndKind(apiVersion, written.Kind)
	}
	if written != scaleKind {
		return fmt.Errorf("the mutated object is of %s; the API server takes only one of %s there", apiname.Target(written), apiname.Target(scaleKind))
	}
	p.scale = &autoscalingv1.Scale{}
	return runtime.DefaultUnstructuredConverter.FromUnstructured(object, p.scale)
}

// Validate reduces the object to what the request may set and validates it. The errors
// end the request; the error is a fault. It accepts a delete.
func (p *Passage) Validate(ctx context.Context) (field.ErrorList, error) {
	if p.request.Operation == harness.Delete {
		return nil, nil
	}
	backend, in, errs, err := p.Validated()
	if err != nil || len(errs) > 0 {
		return errs, err
	}
	return backend.Validate(ctx, in)
}

// Validated gives the input that Validate validates and the validator that it asks. The
// errors are those that keep it from validating.
func (p *Passage) Validated() (Backend, *harness.Input, field.ErrorList, error) {
	backend, err := p.definition.Backend(p.request.Version.Version)
	if err != nil {
		return Backend{}, nil, nil, err
	}
	made, errs := p.prepare()
	if len(errs) > 0 {
		return Backend{}, nil, errs, nil
	}
	in := &harness.Input{Request: p.request, Object: harness.NewView(made.Object)}
	if p.old != nil {
		in.Old = harness.NewView(p.old)
	}
	return backend, in, nil, nil
}

// prepare leaves of the object what the request may set, once.
func (p *Passage) prepare() (subresource.Request, field.ErrorList) {
	if p.prepared == nil {
		made, errs := p.served.prepare(p.request, p.scale, p.object, p.old)
		if len(errs) > 0 {
			return made, errs
		}
		p.prepared = &made
	}
	return *p.prepared, nil
}

// Admitted gives the objects that validating admission sees: those that Validate accepted.
// For a request to a scale they are Scales.
func (p *Passage) Admitted() (object, old map[string]any, err error) {
	if p.request.Operation == harness.Delete {
		return nil, p.old, nil
	}
	made, errs := p.prepare()
	if len(errs) > 0 {
		return nil, nil, errs.ToAggregate()
	}
	if p.request.Subresource != subresource.ScaleName {
		return made.Object, p.old, nil
	}
	scale, errs := p.served.Subresources.Scale.Read(made.Object, p.served.Subresources.Conformance)
	if len(errs) > 0 {
		return nil, nil, errs.ToAggregate()
	}
	return p.scales(scale, p.old)
}

// Stored gives the object as it would be stored and read again, in the version of the request, once
// validating admission has accepted it: fields that a mutating webhook added and the definition does not
// have are pruned then, and a status that was reset has its defaults again. It is nil for a delete.
func (p *Passage) Stored() map[string]any {
	if p.request.Operation == harness.Delete || p.prepared == nil {
		return nil
	}
	return p.served.defaulter.Default(p.served.stored.Prune(p.prepared.Object).Object)
}

// scales gives documents of a Scale and of the one before it.
func (p *Passage) scales(scale *autoscalingv1.Scale, old map[string]any) (object, before map[string]any, err error) {
	if object, err = runtime.DefaultUnstructuredConverter.ToUnstructured(scale); err != nil {
		return nil, nil, err
	}
	was, errs := p.served.Subresources.Scale.Read(old, p.served.Subresources.Conformance)
	if len(errs) > 0 {
		return nil, nil, fmt.Errorf("the old object has no scale: %w", errs.ToAggregate())
	}
	before, err = runtime.DefaultUnstructuredConverter.ToUnstructured(was)
	return object, before, err
}

// Omitted lists the fields of the request that validation does not see: pruned ones, and
// after Validate also those that the request may not set.
func (p *Passage) Omitted() []harness.Omission {
	var omitted []harness.Omission
	for _, path := range p.pruned {
		omitted = append(omitted, harness.Omission{Field: path, Why: harness.Pruned})
	}
	if p.prepared != nil {
		for _, path := range p.prepared.Ignored {
			omitted = append(omitted, harness.Omission{Field: path, Why: harness.Ignored})
		}
	}
	return omitted
}
