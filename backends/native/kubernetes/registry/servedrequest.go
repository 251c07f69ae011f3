package registry

import (
	"context"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/objectmeta"
	"github.com/diffrun/diffrun/internal/stages"
)

// servedRequest is a request to a built-in kind. It implements serving.Request. The strategy is
// called in the order of the API server: PrepareForCreate or PrepareForUpdate, validation, and
// Canonicalize.
type servedRequest struct {
	of       *served
	request  harness.Request
	strategy strategy
	// object and old are of the hub type. The object is nil for a delete, and for a Scale until it
	// is validated.
	object, old runtime.Object
	sent        runtime.Object // the object before it was prepared
	// scale is the Scale in the request.
	scale *autoscalingv1.Scale
	// unknown are fields that the version does not have, and reset those that the request may not
	// set.
	unknown, reset []string
	validated      bool
}

// address sets the name and namespace in the path of the request, which cases may omit.
func (r *servedRequest) address() {
	namespaced := r.strategy.NamespaceScoped()
	if r.old != nil {
		objectmeta.NameLike(accessor(r.old), accessor(r.object))
		r.store()
		before := accessor(r.old)
		if metadata := accessor(r.object); metadata.GetName() == "" {
			metadata.SetName(before.GetName())
		}
		setAddress(r.object, namespaced, before.GetNamespace())
		return
	}
	if r.of.stored() {
		setAddress(r.object, namespaced, metav1.NamespaceDefault)
	}
}

// store completes the old object as it is stored.
func (r *servedRequest) store() {
	setAddress(r.old, r.strategy.NamespaceScoped(), metav1.NamespaceDefault)
	fillStored(r.old, r.strategy.NamespaceScoped())
	objectmeta.GenerateName(accessor(r.old))
}

// Sent returns the objects with defaults, in the version of the request.
func (r *servedRequest) Sent() (object, old map[string]any, err error) {
	if r.scale != nil {
		return r.scales(r.scale)
	}
	return r.documents()
}

func (r *servedRequest) documents() (object, old map[string]any, err error) {
	if object, err = documentOf(r.object, r.request.Version); err != nil {
		return nil, nil, err
	}
	old, err = documentOf(r.old, r.request.Version)
	return object, old, err
}

// Mutated decodes and defaults the mutated object. Unknown fields are dropped, as when the API server
// decodes the patched object.
func (r *servedRequest) Mutated(object map[string]any) (field.ErrorList, error) {
	if r.scale != nil {
		scale, err := stages.ReadScale(object)
		if err == nil {
			r.scale = scale
		}
		return nil, err
	}
	written := apiname.Written(object)
	if _, served := r.of.described.Find(written); !served {
		return nil, fmt.Errorf("the mutated object is of %s; the API server takes only one of %s", apiname.Target(written),
			apiname.Target(r.request.Version))
	}
	hub, _, err := r.of.read(object, written)
	if err != nil {
		return nil, fmt.Errorf("the API server cannot decode the mutated object: %w", err)
	}
	r.object = hub
	return nil, nil
}

// Validate prepares and validates the object as the storage does. A panic of the strategy is a fault.
func (r *servedRequest) Validate(ctx context.Context) (errs field.ErrorList, err error) {
	defer func() { err = ownPanic(err) }()
	defer contract.Recover(&err)
	r.validated = true
	ctx = requestContext(ctx, r.of.kind, r.request)
	if r.request.Operation == admissionv1.Delete {
		return nil, nil
	}
	if r.scale != nil {
		if errs := validateScale(ctx, r.scale, r.old); len(errs) > 0 {
			return errs, nil
		}
		r.object = scaled(r.old, r.scale.Spec.Replicas)
	}
	r.prepare(ctx)
	r.reset = r.resetIn(r.request.Version)
	if errs = validate(ctx, r.strategy, copied(r.object), copied(r.old)); len(errs) == 0 {
		r.strategy.Canonicalize(r.object)
	}
	return errs, nil
}

// Prepare returns the prepared objects in a version.
func (r *servedRequest) Prepare(version schema.GroupVersionKind) (prepared serving.Prepared, err error) {
	prepared.Omitted = func() []contract.Omission { return stages.Omissions(nil, r.resetIn(version)) }
	if prepared.Object, err = r.of.ConvertTyped(r.object, version); err != nil || r.old == nil {
		return prepared, err
	}
	prepared.Old, err = r.of.ConvertTyped(r.old, version)
	return prepared, err
}

// Admitted returns the prepared objects in the version of the request.
func (r *servedRequest) Admitted() (object, old map[string]any, err error) {
	if r.scale == nil {
		return r.documents()
	}
	written, err := scaleOf(r.object)
	if err != nil {
		return nil, nil, err
	}
	return r.scales(written)
}

// Omitted lists the fields that validation does not see.
func (r *servedRequest) Omitted() []contract.Omission {
	return stages.Omissions(r.unknown, r.reset)
}

// Stored returns the document that is stored, as a client reads it in the version of the request.
func (r *servedRequest) Stored() (notes contract.Notes, err error) {
	if r.request.Operation == admissionv1.Delete || !r.validated {
		return notes, nil
	}
	stored, err := documentOf(r.object, r.request.Version)
	if err != nil {
		return notes, err
	}
	notes.Stored, err = r.of.Stored(stored) // defaults depend on what the strategy filled in, such as the labels of a Job
	return notes, err
}

// scales returns a Scale and the one before it as documents.
func (r *servedRequest) scales(scale *autoscalingv1.Scale) (object, old map[string]any, err error) {
	before, err := scaleOf(r.old)
	if err != nil {
		return nil, nil, err
	}
	scale.SetGroupVersionKind(stages.ScaleKind)
	return stages.ScaleDocuments(scale, before)
}
