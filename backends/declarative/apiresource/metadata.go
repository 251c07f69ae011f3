package apiresource

import (
	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Metadata selects whether type and metadata of objects are validated.
type Metadata uint8

const (
	// ValidateMetadata validates them, as the API server does in each request.
	ValidateMetadata Metadata = iota
	// LeaveMetadata returns only the errors of the schema. Use it to compare with a webhook, which
	// the API server calls only for objects with correct metadata.
	LeaveMetadata
)

// typeMeta returns the errors of apiVersion and kind. If there are any, the API server validates
// neither metadata nor values. It reads both at once: with a malformed apiVersion the kind is lost
// too.
func (v *Validator) typeMeta(object map[string]any) field.ErrorList {
	var errs field.ErrorList
	is := (&unstructured.Unstructured{Object: object}).GroupVersionKind()
	if is.Kind != v.opts.Kind.Kind {
		errs = append(errs, wrongKind(is.Kind, v.opts.Kind.Kind))
	}
	want := v.opts.Kind.Group + "/" + v.opts.Kind.Version
	if got := is.GroupVersion().String(); got != want {
		errs = append(errs, field.Invalid(field.NewPath("apiVersion"), got, "must be "+want))
	}
	return errs
}

func wrongKind(is, want string) *field.Error {
	return field.Invalid(field.NewPath("kind"), is, "must be "+want)
}

// objectMeta returns the errors of metadata; it is an update if old is not nil.
func (v *Validator) objectMeta(object, old map[string]any) field.ErrorList {
	at, of := field.NewPath("metadata"), &unstructured.Unstructured{Object: object}
	if old != nil {
		return metavalidation.ValidateObjectMetaAccessorUpdate(of, &unstructured.Unstructured{Object: old}, at)
	}
	return metavalidation.ValidateObjectMetaAccessor(of, v.opts.Namespaced, metavalidation.NameIsDNSSubdomain, at)
}
