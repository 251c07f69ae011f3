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

// validateCreate is the validation of rest.BeforeCreate: the metadata that all
// resources have in common is looked at only when the strategy, which mostly
// does so as well, found nothing.
func validateCreate(ctx context.Context, s strategy, object runtime.Object) field.ErrorList {
	if errs := s.Validate(ctx, object); len(errs) > 0 {
		return errs
	}
	return validateMetadata(s, object)
}

// validateUpdate is the validation of rest.BeforeUpdate. Metadata is validated
// there for all resources and once more by most strategies; upstream counts the
// errors that this reports twice as a nuisance
// (apiserver_duplicate_validation_error_total), so a second copy is left out.
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

// validateMetadata holds metadata to what all resources have in common.
func validateMetadata(s strategy, object runtime.Object) field.ErrorList {
	return genericvalidation.ValidateObjectMetaAccessor(accessor(object), s.NamespaceScoped(), pathSegment, field.NewPath("metadata"))
}

// pathSegment is what every name must be, whatever else its kind asks for.
func pathSegment(name string, prefix bool) []string {
	if prefix {
		return content.IsPathSegmentPrefix(name)
	}
	return content.IsPathSegmentName(name)
}

// accessor gives the metadata of an object of this package's kinds, which all
// have some.
func accessor(object runtime.Object) metav1.Object {
	metadata, err := meta.Accessor(object)
	if err != nil {
		panic(err)
	}
	return metadata
}
