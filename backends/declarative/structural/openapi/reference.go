package openapi

import (
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Reference is the $ref of a schema, or "". Kubernetes' published OpenAPI v3 writes
// a reference that has a default or description beside it as an allOf with one
// element, because OpenAPI 3.0 ignores what stands beside a $ref; that is a
// reference too.
func Reference(s *spec.Schema) string {
	if ref := s.Ref.String(); ref != "" {
		return ref
	}
	if len(s.AllOf) == 1 {
		return s.AllOf[0].Ref.String()
	}
	return ""
}

// DefinitionName is the name that a $ref to a definition has, of OpenAPI v2 or v3.
func DefinitionName(ref string) (string, bool) {
	for _, prefix := range []string{"#/definitions/", "#/components/schemas/"} {
		if name, ok := strings.CutPrefix(ref, prefix); ok && name != "" {
			return strings.NewReplacer("~1", "/", "~0", "~").Replace(name), true
		}
	}
	return "", false
}
