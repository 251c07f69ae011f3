package registry

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/api/validate/content"
	genericvalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
)

// validate is rest.ValidateCreate, or rest.ValidateUpdate with an old object: the errors of hand-written code, and those
// of generated code that the API server enforces.
func validate(ctx context.Context, s strategy, object, old runtime.Object) field.ErrorList {
	if answered, ok := s.(review); ok && old == nil {
		return answered.handled(ctx, object)
	}
	return withGenerated(ctx, s, object, old, handwritten(ctx, s, object, old))
}

// handwritten is the hand-written part. On a create it validates the metadata that all resources share only
// if the strategy, which mostly does so as well, found no errors.
func handwritten(ctx context.Context, s strategy, object, old runtime.Object) field.ErrorList {
	if old != nil {
		return handwrittenUpdate(ctx, s, object, old)
	}
	_, answered := s.(review)
	if errs := s.Validate(ctx, object); answered || len(errs) > 0 {
		return errs
	}
	return validateMetadata(s, object)
}

// handwrittenUpdate is the hand-written part of an update. That validates metadata for all resources, and most
// strategies do so again. Upstream counts the resulting duplicates
// (apiserver_duplicate_validation_error_total); here they are left out.
func handwrittenUpdate(ctx context.Context, s strategy, object, old runtime.Object) field.ErrorList {
	common := validateMetadata(s, object)
	common = append(common, genericvalidation.ValidateObjectMetaAccessorUpdate(accessor(object), accessor(old),
		field.NewPath("metadata"))...)
	errs := s.ValidateUpdate(ctx, object, old)
	for _, err := range common {
		same := func(other *field.Error) bool { return other.Error() == err.Error() }
		if !slices.ContainsFunc(errs, same) {
			errs = append(errs, err)
		}
	}
	return errs
}

// withGenerated adds the errors of generated code to those of hand-written code, and removes the hand-written ones
// that a generated one replaces. The old object is nil for a create.
func withGenerated(ctx context.Context, s strategy, object, old runtime.Object, errs field.ErrorList) field.ErrorList {
	declarative, ok := s.(rest.DeclarativeValidationStrategy)
	if !ok {
		return errs
	}
	request := operation.Update
	if old == nil {
		request = operation.Create
	}
	return declarative.ValidateDeclaratively(ctx, object, old, errs, request, declarative.DeclarativeValidationConfig(ctx, object, old))
}

// validateMetadata validates the metadata that all resources share.
func validateMetadata(s strategy, object runtime.Object) field.ErrorList {
	return genericvalidation.ValidateObjectMetaAccessor(accessor(object), s.NamespaceScoped(), pathSegment, field.NewPath("metadata"))
}

// pathSegment validates a name as every kind requires.
func pathSegment(name string, prefix bool) []string {
	if prefix {
		return content.IsPathSegmentPrefix(name)
	}
	return content.IsPathSegmentName(name)
}

// copied returns a copy of an object, which validation code may write to; nil for nil.
func copied(object runtime.Object) runtime.Object {
	if object == nil {
		return nil
	}
	return object.DeepCopyObject()
}

// accessor returns the metadata of an object. All kinds of this package have metadata.
func accessor(object runtime.Object) metav1.Object {
	metadata, err := meta.Accessor(object)
	if err != nil {
		panic(err)
	}
	return metadata
}
