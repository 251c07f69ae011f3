package proof

import (
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// Part returns a schema with one keyword of another one; nil if proofs do not cover the keyword.
func Part(s *spec.Schema, keyword string) *spec.Schema {
	only := &spec.Schema{}
	switch keyword {
	case "required", "properties", "additionalProperties", "items":
		return nil
	case "format":
		only.Type = s.Type
		only.Nullable = true // the format does not apply to null
	case openapi.XListType:
		if name, has := s.Extensions[openapi.XListType]; has {
			only.Extensions = spec.Extensions{openapi.XListType: name, openapi.XListMapKeys: s.Extensions[openapi.XListMapKeys]}
		}
		return only
	}
	if k, known := openapi.KeywordNamed(keyword); known {
		k.Copy(only, s)
		return only
	}
	return nil
}
