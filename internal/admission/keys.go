package admission

import (
	"fmt"
	"reflect"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	kjson "sigs.k8s.io/json"
)

// readReview decodes a review as the API server does: keys are case-sensitive, and unknown ones are
// ignored. A key that differs from a known one only in case is an error: its author meant it to be
// read, and case-insensitive decoders read it.
func readReview(text []byte) (review admissionv1.AdmissionReview, err error) {
	unknown, err := kjson.UnmarshalStrict(text, &review)
	if err != nil {
		return review, err
	}
	for _, err := range unknown {
		at, hasPath := err.(kjson.FieldError)
		if !hasPath || strings.HasPrefix(at.FieldPath(), "request.") {
			continue
		}
		if key := meant(reflect.TypeFor[admissionv1.AdmissionReview](), at.FieldPath()); key != "" {
			return review, &wrongCaseError{at.FieldPath(), key}
		}
	}
	return review, nil
}

// wrongCaseError names a key that is written in the wrong case.
type wrongCaseError struct{ path, key string }

func (e *wrongCaseError) Error() string {
	return fmt.Sprintf("the response has %q, which the API server ignores because keys are case-sensitive; write %s", e.path, e.key)
}

// meant returns the key of a type that differs from the last key of a path only in case. It is
// empty if there is none, or if the key itself is there twice.
func meant(of reflect.Type, path string) string {
	name, rest, isInside := strings.Cut(path, ".")
	name, _, _ = strings.Cut(name, "[")
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct {
		return ""
	}
	for _, field := range reflect.VisibleFields(of) {
		switch key, _, _ := strings.Cut(field.Tag.Get("json"), ","); {
		case key == "" || !strings.EqualFold(key, name):
		case isInside && key == name:
			return meant(field.Type, rest)
		case !isInside && key != name:
			return key
		}
	}
	return ""
}
