package served

import (
	"encoding/json"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/internal/openapi"
)

// Props reads a schema as written in a CustomResourceDefinition.
func Props(t testing.TB, schemaYAML string) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	var p apiextensionsv1.JSONSchemaProps
	if err := yaml.UnmarshalStrict([]byte(schemaYAML), &p); err != nil {
		t.Fatal(err)
	}
	return &p
}

// Schema reads a schema that may have keywords of OpenAPI alone, such as $ref.
func Schema(t testing.TB, schemaYAML string) *spec.Schema {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(schemaYAML))
	if err != nil {
		t.Fatal(err)
	}
	s := &spec.Schema{}
	if err := s.UnmarshalJSON(data); err != nil {
		t.Fatal(err)
	}
	return s
}

// Converted returns a schema of a CustomResourceDefinition as packages compile it.
func Converted(t testing.TB, p *apiextensionsv1.JSONSchemaProps) *spec.Schema {
	t.Helper()
	s, err := openapi.FromProps(p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Object reads an object as the API server reads JSON: integers are int64.
func Object(t testing.TB, objectYAML string) map[string]any {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(objectYAML))
	if err != nil {
		t.Fatal(err)
	}
	var obj map[string]any
	if err := utiljson.Unmarshal(data, &obj); err != nil {
		t.Fatal(err)
	}
	return obj
}

// Structural returns the API server's form of a structural schema.
func Structural(t testing.TB, p *apiextensionsv1.JSONSchemaProps) *structuralschema.Structural {
	t.Helper()
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(p, &internal, nil); err != nil {
		t.Fatal(err)
	}
	s, err := structuralschema.NewStructural(&internal)
	if err != nil {
		t.Fatal(err)
	}
	return s.DeepCopy()
}

// Text returns a value as JSON for a test message.
func Text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
