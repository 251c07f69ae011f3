package kubernetes

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validate/content"
	genericvalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validateCreate is the validation of rest.BeforeCreate. It validates the metadata that all
// resources share only if the strategy, which mostly does so as well, found no errors.
func validateCreate(ctx context.Context, s strategy, object runtime.Object) field.ErrorList {
	if errs := s.Validate(ctx, object); len(errs) > 0 {
		return errs
	}
	return validateMetadata(s, object)
}

// validateUpdate is the validation of rest.BeforeUpdate. That validates metadata for all resources,
// and most strategies do so again. Upstream counts the resulting duplicates
// (apiserver_duplicate_validation_error_total); here they are left out.
func validateUpdate(ctx context.Context, s strategy, object, old runtime.Object) field.ErrorList {
	common := validateMetadata(s, object)
	common = append(common, genericvalidation.ValidateObjectMetaAccessorUpdate(accessor(object), accessor(old), field.NewPath("metadata"))...)
	errs := s.ValidateUpdate(ctx, object, old)
	for _, err := range common {
		same := func(other *field.Error) bool { return other.Error() == err.Error() }
		if !slices.ContainsFunc(errs, same) {
			errs = append(errs, err)
		}
	}
	return errs
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

// accessor returns the metadata of an object. All kinds of this package have metadata.
func accessor(object runtime.Object) metav1.Object {
	metadata, err := meta.Accessor(object)
	if err != nil {
		panic(err)
	}
	return metadata
}
