package validate

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/objectmeta"
)

// resourceChecker validates objects of a custom resource as the API server would receive them. It implements
// harness.Backend.
type resourceChecker struct {
	*compiled
	version *definitions.Version
	// typed is true if the API server decodes the objects into Go types, which ignore null.
	typed bool
}

// Validate also returns errors for unknown fields. A value of a wrong type in metadata hides no other error and
// does not count as missing.
func (r *resourceChecker) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	object, err := in.Object.Unstructured()
	if err != nil {
		return nil, err
	}
	if r.typed {
		object = withoutNulls(object)
	}
	read, errs, left, err := r.receiveDecodable(object)
	if err != nil {
		return nil, err
	}
	for _, path := range read.Dropped {
		errs = append(errs, unknownField(path))
	}
	if len(read.Errors) > 0 {
		return append(errs, read.Errors...), nil
	}
	placed := read.Object()
	if r.resource != nil {
		placed = inNamespace(placed, r.resource.Namespaced)
	}
	found, err := r.validate(ctx, in.Request, placed, nil)
	found = slices.DeleteFunc(found, func(err *field.Error) bool { return isWithin(err.Field, left) })
	return append(errs, errorsPerField(found)...), err
}

// receiveDecodable decodes the parts of an object that can be decoded, and returns the errors about the others
// and the fields that it removed because of them.
func (r *resourceChecker) receiveDecodable(object map[string]any) (read apiresource.Read, errs field.ErrorList, left []string, err error) {
	read, err = r.read(r.Receive, object)
	if err != nil || len(read.Errors) == 0 {
		return read, nil, nil, err
	}
	object, errs = keepDecodableMetadata(runtime.DeepCopyJSON(object))
	for _, each := range errs {
		left = append(left, each.Field)
	}
	for { // the reference names one embedded resource at a time
		read, err = r.read(r.Receive, object)
		if err != nil {
			return read, nil, nil, err
		}
		inside := errorsPerField(read.Errors)
		var dropped []string
		if object, dropped = dropValues(object, inside); len(dropped) == 0 {
			return read, errs, left, nil
		}
		errs, left = append(errs, inside...), append(left, dropped...)
	}
}

// inNamespace sets the namespace that kubectl uses if neither the object nor a flag has one.
func inNamespace(object map[string]any, namespaced bool) map[string]any {
	return objectmeta.Change(object, func(metadata *unstructured.Unstructured) {
		objectmeta.Address(metadata, namespaced, metav1.NamespaceDefault)
	})
}

// withoutNulls returns an object without null entries at any depth.
func withoutNulls(object map[string]any) map[string]any {
	without := make(map[string]any, len(object))
	for name, value := range object {
		if value != nil {
			without[name] = valueWithoutNulls(value)
		}
	}
	return without
}

func valueWithoutNulls(value any) any {
	switch value := value.(type) {
	case map[string]any:
		return withoutNulls(value)
	case []any:
		items := make([]any, len(value))
		for i, item := range value {
			items[i] = valueWithoutNulls(item)
		}
		return items
	}
	return value
}
