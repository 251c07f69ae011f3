package definitions

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// IgnoredExtensions returns the paths of unknown x-… keywords in the schema of a version, such as
// x-kubernetes-unions (KEP-2335). The API server drops them, and refuses them in a request with
// strict field validation, as kubectl sends it.
func (v *Version) IgnoredExtensions() []string {
	known := map[string]bool{}
	of := reflect.TypeFor[apiextensionsv1.JSONSchemaProps]()
	for i := range of.NumField() {
		name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		known[name] = true
	}
	var ignored []string
	eachSchema(v.written(), nil, func(value any, at *field.Path) {
		schema, _ := value.(map[string]any)
		for _, keyword := range slices.Sorted(maps.Keys(schema)) {
			if strings.HasPrefix(keyword, "x-") && !known[keyword] {
				ignored = append(ignored, join(v.Path, at.Child(keyword).String()))
			}
		}
	})
	return ignored
}

// written returns the schema as it is in the document.
func (v *Version) written() any {
	// The definition could be decoded, so the document has the shape that it has.
	versions, _, _ := unstructured.NestedFieldNoCopy(v.Of.Document.Object, "spec", "versions")
	for _, one := range versions.([]any) {
		version, _ := one.(map[string]any)
		if version["name"] == v.Version {
			written, _, _ := unstructured.NestedFieldNoCopy(version, "schema", "openAPIV3Schema")
			return written
		}
	}
	return nil
}
