package validate

import (
	"context"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/definitions"
)

// resourceChecker validates objects of a custom resource as the API server would
// have them. It implements harness.Backend.
type resourceChecker struct {
	*compiled
	version    *definitions.Version
	namespaced bool
}

// Validate also gives the fields that the schema does not have. What is of a wrong type
// in metadata hides nothing else, and nothing is missing at its place.
func (r *resourceChecker) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	object, err := in.Object.Unstructured()
	if err != nil {
		return nil, err
	}
	made, errs, left, err := r.prepareDecodable(object)
	if err != nil {
		return nil, err
	}
	for _, path := range made.dropped {
		errs = append(errs, unknownField(path))
	}
	if len(made.errs) > 0 {
		return append(errs, made.errs...), nil
	}
	prepared := made.value.(map[string]any) // what came in was one
	if r.namespaced {
		prepared = inNamespace(prepared)
	}
	found, err := r.Backend.Validate(ctx, &harness.Input{Request: in.Request, Object: harness.NewView(prepared)})
	found = slices.DeleteFunc(found, func(err *field.Error) bool { return isWithin(err.Field, left) })
	return append(errs, errorsPerField(found)...), err
}

// prepareDecodable prepares what can be read of an object, and says what is wrong with the
// rest, and which fields were left out for that.
func (r *resourceChecker) prepareDecodable(object map[string]any) (made prepared, errs field.ErrorList, left []string, err error) {
	made, err = r.preparer.prepare(object)
	if err != nil || len(made.errs) == 0 {
		return made, nil, nil, err
	}
	object, errs = keepDecodableMetadata(runtime.DeepCopyJSON(object))
	for _, each := range errs {
		left = append(left, each.Field)
	}
	for { // the reference names one embedded resource at a time
		made, err = r.preparer.prepare(object)
		if err != nil {
			return made, nil, nil, err
		}
		inside := errorsPerField(made.errs)
		dropped := dropValues(object, inside)
		if len(dropped) == 0 {
			return made, errs, left, nil
		}
		errs, left = append(errs, inside...), append(left, dropped...)
	}
}

// inNamespace puts an object into a namespace, as kubectl does, where it says none.
func inNamespace(object map[string]any) map[string]any {
	metadata, isObject := object["metadata"].(map[string]any)
	if !isObject || metadata["namespace"] != nil && metadata["namespace"] != "" {
		return object
	}
	placed, metadata := maps.Clone(object), maps.Clone(metadata)
	metadata["namespace"] = "default"
	placed["metadata"] = metadata
	return placed
}
