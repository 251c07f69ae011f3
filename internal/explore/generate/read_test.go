package generate_test

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

func read(t testing.TB, text string) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	props := &apiextensionsv1.JSONSchemaProps{}
	if err := yaml.UnmarshalStrict([]byte(text), props); err != nil {
		t.Fatal(err)
	}
	return props
}
