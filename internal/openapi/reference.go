package openapi

import (
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// wholeDocument is a $ref to the document that contains the schema.
const wholeDocument = "#"

// Ref returns the schema's own $ref, or "". The library's Ref shows a $ref to the whole document as
// an empty text, as if there were none.
func Ref(s *spec.Schema) string {
	if s.Ref.GetURL() == nil {
		return ""
	}
	if text := s.Ref.String(); text != "" {
		return text
	}
	return wholeDocument
}

// Reference returns the $ref of a schema, or "". Kubernetes' published OpenAPI v3 writes a
// reference with a default or description as an allOf with one element, because OpenAPI 3.0 ignores
// the keywords beside a $ref; that is a reference too.
func Reference(s *spec.Schema) string {
	if ref := Ref(s); ref != "" || len(s.AllOf) != 1 {
		return ref
	}
	return Ref(&s.AllOf[0])
}

// DefinitionName returns the name of the definition that a $ref of OpenAPI v2 or v3 refers to.
// Other targets are not supported.
func DefinitionName(ref string) (string, bool) {
	for _, prefix := range []string{"#/definitions/", "#/components/schemas/"} {
		if name, ok := strings.CutPrefix(ref, prefix); ok && name != "" {
			return strings.NewReplacer("~1", "/", "~0", "~").Replace(name), true
		}
	}
	return "", false
}
