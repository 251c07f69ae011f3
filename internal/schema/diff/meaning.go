package diff

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/openapi"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// silent returns the keywords that do not affect which objects are accepted.
func silent() []string {
	return []string{
		"description", "title", "example", "externalDocs", "x-kubernetes-group-version-kind", openapi.XMapType,
		"x-kubernetes-patch-strategy", "x-kubernetes-patch-merge-key", "id", "$schema", "$ref", "definitions",
	}
}

// inside returns the keywords whose schemas the walk visits.
func inside() []string {
	return []string{"properties", "additionalProperties", "items", openapi.XPreserveUnknownFields, openapi.XListMapKeys}
}

// unnamed returns the keywords of a schema whose changes have no name, as JSON.
func unnamed(s *spec.Schema) map[string]any {
	fields := document(s)
	for name := range fields {
		named := slices.ContainsFunc(keywords(), func(k keyword) bool { return k.name == name })
		foreign := strings.HasPrefix(name, "x-") && !strings.HasPrefix(name, "x-kubernetes-")
		if named || foreign || slices.Contains(silent(), name) || slices.Contains(inside(), name) {
			delete(fields, name)
		}
	}
	return fields
}

// meaning returns a schema without the keywords that do not affect objects.
func meaning(s *spec.Schema) *spec.Schema {
	fields := document(s)
	for _, name := range silent() {
		if name != "$ref" {
			delete(fields, name)
		}
	}
	data, err := json.Marshal(fields)
	kept := &spec.Schema{}
	if err == nil {
		err = json.Unmarshal(data, kept)
	}
	if err != nil {
		panic(fmt.Sprintf("diff: a schema that was read cannot be written: %v", err))
	}
	return kept
}

func document(s *spec.Schema) map[string]any {
	data, err := s.MarshalJSON()
	fields := map[string]any{}
	if err == nil {
		err = json.Unmarshal(data, &fields)
	}
	if err != nil {
		panic(fmt.Sprintf("diff: a schema that was read cannot be written: %v", err))
	}
	return fields
}
