package definitions

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/diffrun/diffrun/internal/files/documents"
)

// isDefinition reports whether an object is meant as a CustomResourceDefinition and not as a schema: by its kind, its
// group, or the place of its schemas. A misspelt kind is a mistake to report, and no reason to leave the object out.
func isDefinition(document documents.Document) bool {
	if document.Object["kind"] == "CustomResourceDefinition" {
		return true
	}
	apiVersion, _ := document.Object["apiVersion"].(string)
	group, _, _ := strings.Cut(apiVersion, "/")
	return group == apiextensionsv1.GroupName || hasSchemas(document.Object)
}

// hasSchemas reports whether an object has schemas where a definition has them.
func hasSchemas(object map[string]any) bool {
	if one, _, err := unstructured.NestedFieldNoCopy(object, "spec", "validation", "openAPIV3Schema"); err == nil && one != nil {
		return true
	}
	versions, _, _ := unstructured.NestedFieldNoCopy(object, "spec", "versions")
	list, _ := versions.([]any)
	return slices.ContainsFunc(list, func(version any) bool {
		of, _ := version.(map[string]any)
		schema, _ := of["schema"].(map[string]any)
		return schema["openAPIV3Schema"] != nil
	})
}

// IsPatch reports whether an object is a patch of a definition, which kustomize merges into it: it has a name, and none of
// the fields that every definition needs.
func IsPatch(document documents.Document) bool {
	object := document.Object
	if document.Err != nil || object["kind"] != "CustomResourceDefinition" || object["metadata"] == nil {
		return false
	}
	for key := range object {
		if !slices.Contains([]string{"apiVersion", "kind", "metadata", "spec"}, key) {
			return false
		}
	}
	spec, _ := object["spec"].(map[string]any)
	return spec["group"] == nil && spec["names"] == nil && spec["versions"] == nil
}

// isSchema reports whether an object without a kind looks like an OpenAPI schema.
func isSchema(object map[string]any) bool {
	kind, _ := object["type"].(string)
	isType := slices.Contains([]string{"object", "array", "string", "integer", "number", "boolean"}, kind)
	_, hasProperties := object["properties"].(map[string]any)
	return object["apiVersion"] == nil && (isType || hasProperties) || object["openAPIV3Schema"] != nil
}

// saysDefinition matches what definitions and schemas have, in text that cannot be parsed.
var saysDefinition = regexp.MustCompile(`CustomResourceDefinition|apiextensions\.k8s\.io|openAPIV3Schema|x-kubernetes-|` +
	`"properties"\s*:|(?m)^properties:`)

// MayHaveSchema reports whether a file may be meant to have definitions or a schema, even if it has mistakes.
func MayHaveSchema(file string, data []byte) bool {
	for document := range documents.Manifest(filepath.ToSlash(file), data) {
		if isDefinition(document) || isSchema(document.Object) || document.Err != nil && saysDefinition.Match(data) {
			return true
		}
	}
	return false
}
