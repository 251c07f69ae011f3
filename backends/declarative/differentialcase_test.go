package declarative_test

import (
	"testing"

	yamlv3 "go.yaml.in/yaml/v3"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/harness"
)

// differentialCase is one pair, written by hand or found by the generator.
type differentialCase struct {
	name, why           string
	schema, object, old string
}

// harnessOf compiles the schema of a case for both backends.
func (c differentialCase) harnessOf(t testing.TB) *harness.Harness {
	t.Helper()
	var props apiextensionsv1.JSONSchemaProps
	if err := yaml.UnmarshalStrict([]byte(c.schema), &props); err != nil {
		t.Fatal(err)
	}
	h, err := bothBackends(&props, true)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func (c differentialCase) pair(t testing.TB) pair {
	return pair{obj: document(t, c.object), old: document(t, c.old)}
}

// document reads an object such that 3.0 is a float and 3 is an int64, as it is in
// JSON. A case without an old object has an empty text.
func document(t testing.TB, text string) map[string]any {
	t.Helper()
	if text == "" {
		return nil
	}
	var read map[string]any
	if err := yamlv3.Unmarshal([]byte(text), &read); err != nil {
		t.Fatal(err)
	}
	document, _ := jsonValue(read).(map[string]any)
	return document
}

func jsonValue(value any) any {
	switch value := value.(type) {
	case int:
		return int64(value)
	case map[string]any:
		for key := range value {
			value[key] = jsonValue(value[key])
		}
	case []any:
		for i := range value {
			value[i] = jsonValue(value[i])
		}
	}
	return value
}
