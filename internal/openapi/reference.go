package openapi

import (
	"iter"
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

// RefTo returns a reference to a definition of a schema.
func RefTo(name string) spec.Schema {
	return spec.Schema{SchemaProps: spec.SchemaProps{Ref: spec.MustCreateRef("#/definitions/" + name)}}
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

// ReferencedDefinitions returns the names of the definitions that a schema refers to, anywhere in it.
func ReferencedDefinitions(s *spec.Schema) iter.Seq[string] {
	return func(yield func(string) bool) { referencedDefinitions(s, yield) }
}

func referencedDefinitions(s *spec.Schema, yield func(string) bool) bool {
	if name, ok := DefinitionName(Ref(s)); ok && !yield(name) {
		return false
	}
	for child := range Children(s) {
		if !referencedDefinitions(child.Schema, yield) {
			return false
		}
	}
	return true
}
