package apiresource

import (
	"fmt"

	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
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

// objectMeta returns the errors of metadata; it is an update if old is not nil. Metadata that cannot be decoded
// has no other error (getObjectMeta of k8s.io/apiextensions-apiserver/pkg/registry/customresource).
func (v *Validator) objectMeta(object, old map[string]any) field.ErrorList {
	at, of := field.NewPath("metadata"), &unstructured.Unstructured{Object: object}
	if err := undecodable(at, object); err != nil {
		return field.ErrorList{err}
	}
	if old != nil {
		if err := undecodable(at, old); err != nil {
			return field.ErrorList{err}
		}
		return metavalidation.ValidateObjectMetaAccessorUpdate(of, &unstructured.Unstructured{Object: old}, at)
	}
	return metavalidation.ValidateObjectMetaAccessor(of, v.opts.Namespaced, metavalidation.NameIsDNSSubdomain, at)
}

// undecodable returns why the metadata of an object is not an ObjectMeta, or nil.
func undecodable(at *field.Path, object map[string]any) *field.Error {
	raw := object["metadata"]
	if raw == nil {
		return nil
	}
	metadata, isMap := raw.(map[string]any)
	if !isMap {
		return field.Invalid(at, raw, fmt.Sprintf("expected map[string]interface{}, got %T", raw))
	}
	for name, value := range metadata {
		if !plainlyDecodable(name, value) {
			// The message is about all fields together.
			if err := runtime.DefaultUnstructuredConverter.FromUnstructured(metadata, &metav1.ObjectMeta{}); err != nil {
				return field.Invalid(at, raw, err.Error())
			}
			return nil
		}
	}
	return nil
}

// plainlyDecodable reports whether a field of metadata needs no decoding to see that it can be decoded.
// Decoding all of it takes longer than its validation.
func plainlyDecodable(name string, value any) bool {
	switch name {
	case "name", "generateName", "namespace", "selfLink", "uid", "resourceVersion":
		_, is := value.(string)
		return is
	case "generation", "deletionGracePeriodSeconds":
		_, is := value.(int64)
		return is
	case "labels", "annotations":
		texts, is := value.(map[string]any)
		for _, text := range texts {
			_, isText := text.(string)
			is = is && isText
		}
		return is
	case "finalizers":
		texts, is := value.([]any)
		for _, text := range texts {
			_, isText := text.(string)
			is = is && isText
		}
		return is
	case "creationTimestamp":
		return value == "1970-01-01T00:00:00Z" // as objectmeta sets it
	default:
		return false
	}
}
