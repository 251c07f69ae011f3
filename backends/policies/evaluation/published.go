package evaluation

import (
	"encoding/json"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/openapi"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/serving"
)

// published provides the OpenAPI documents that the API server publishes for resources. Unlike in a
// definition, the metadata of an object has the fields of ObjectMeta there. The API server's type
// checker reads them (k8s.io/apiserver/pkg/cel/openapi/resolver).
type published struct {
	discovery.DiscoveryInterface // only OpenAPIV3 is called
	resources                    []Resource
}

// OpenAPIV3 implements discovery.DiscoveryInterface.
func (p published) OpenAPIV3() openapi.Client { return p }

// Paths returns the document of each version of a group. It omits resources without Schema.
func (p published) Paths() (map[string]openapi.GroupVersion, error) {
	byPath := map[string][]*spec3.OpenAPI{}
	for _, resource := range p.resources {
		if resource.Schema == nil {
			continue
		}
		for _, version := range resource.Versions {
			written := resource.Schema(version.Version)
			if written == nil {
				continue
			}
			document, err := publish(version, written, resource.NonStructural)
			if err != nil {
				return nil, err
			}
			if document == nil {
				continue
			}
			path := "apis/" + version.GroupVersion().String()
			byPath[path] = append(byPath[path], document)
		}
	}
	paths := map[string]openapi.GroupVersion{}
	for path, documents := range byPath {
		merged, err := builder.MergeSpecsV3(documents...)
		if err != nil {
			return nil, fmt.Errorf("merging the OpenAPI documents of %s: %w", path, err)
		}
		paths[path] = groupVersion{merged}
	}
	return paths, nil
}

// publish returns the document of a version of a resource, as the controller of
// k8s.io/apiextensions-apiserver/pkg/controller/openapiv3 does. It returns nil if the schema is not that of a
// definition and is not structural: the document would declare nothing.
func publish(of serving.Version, written *spec.Schema, nonStructural bool) (*spec3.OpenAPI, error) {
	text, err := json.Marshal(written)
	if err != nil {
		return nil, err
	}
	props := &apiextensionsv1.JSONSchemaProps{}
	if err := json.Unmarshal(text, props); err != nil {
		return nil, fmt.Errorf("the schema of %s: %w", of.GroupVersionKind, err)
	}
	if nonStructural && !hasStructure(props) {
		return nil, nil
	}
	definition := &apiextensionsv1.CustomResourceDefinition{}
	definition.Spec.Group, definition.Spec.Scope = of.Group, apiextensionsv1.NamespaceScoped
	definition.Spec.Names = apiextensionsv1.CustomResourceDefinitionNames{Kind: of.Kind, ListKind: of.Kind + "List", Plural: of.Plural}
	definition.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{
		Name: of.Version, Served: true, Storage: true, Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: props},
	}}
	if of.Has("scale") { // the document then has the schema of a Scale
		definition.Spec.Versions[0].Subresources = &apiextensionsv1.CustomResourceSubresources{
			Scale: &apiextensionsv1.CustomResourceSubresourceScale{},
		}
	}
	return builder.BuildOpenAPIV3(definition, of.Version, builder.Options{AllowNonStructural: nonStructural})
}

func hasStructure(props *apiextensionsv1.JSONSchemaProps) bool {
	internal := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(props, internal, nil); err != nil {
		return false
	}
	_, err := structuralschema.NewStructural(internal)
	return err == nil
}

// groupVersion is the document of a version.
type groupVersion struct{ document *spec3.OpenAPI }

// Schema implements openapi.GroupVersion.
func (g groupVersion) Schema(string) ([]byte, error) { return json.Marshal(g.document) }

// ServerRelativeURL implements openapi.GroupVersion. It is unused.
func (groupVersion) ServerRelativeURL() string { return "" }
