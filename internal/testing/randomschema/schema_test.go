package randomschema_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/testing/randomschema"
)

// drawn lets rapid choose, and shrink its choices.
type drawn struct{ *rapid.T }

func (d drawn) IntN(n int) int { return rapid.IntRange(0, n-1).Draw(d.T, "of") }

// TestSchemasAreStored checks the generator with CRD validation: the API server would store every schema,
// except for the cost of its rules.
func TestSchemasAreStored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := randomschema.Make(drawn{t}, randomschema.Options{})
		for _, err := range storing(t, schema) {
			if !strings.Contains(err.Detail, "exceeds budget") && !strings.Contains(err.Detail, "exceeding cost limit") {
				t.Errorf("%v\nin %s", err, indented(t, schema))
			}
		}
	})
}

// storing returns the API server's errors when it is to store a schema.
func storing(t rapid.TB, schema *apiextensionsv1.JSONSchemaProps) field.ErrorList {
	crd := &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "things.example.dev"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "example.dev",
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "things", Singular: "thing", Kind: "Thing", ListKind: "ThingList"},
			Scope: apiextensionsv1.NamespaceScoped,
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: schema},
			}},
		},
		Status: apiextensionsv1.CustomResourceDefinitionStatus{StoredVersions: []string{"v1"}},
	}
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&crd.Spec)
	var internal apiextensions.CustomResourceDefinition
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(crd, &internal,
		nil); err != nil {
		t.Fatal(err)
	}
	return crdvalidation.ValidateCustomResourceDefinition(context.Background(), &internal)
}

// TestSchemasCompile checks that the API server compiles schemas of all options.
func TestSchemasCompile(t *testing.T) {
	for seed := range uint64(300) {
		schema := randomschema.Make(generate.Seeded(seed), randomschema.Options{Unadmitted: true, Depth: 5})
		if _, err := reference.CompileProps(schema, reference.Options{Root: true}); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

// TestSameNumbersSameResult: nothing depends on the order of Go's maps.
func TestSameNumbersSameResult(t *testing.T) {
	type all struct{ Schema, Object, Update any }
	build := func(seed uint64) all {
		src := generate.Seeded(seed)
		schema := randomschema.Make(src, randomschema.Options{})
		object := generate.Object(src, schema, generate.ObjectOptions{Faults: 6})
		return all{schema, object, generate.Vary(src, schema, object, generate.ObjectOptions{Faults: 6})}
	}
	for seed := range uint64(50) {
		first := build(seed)
		for range 5 {
			if d := cmp.Diff(first, build(seed)); d != "" {
				t.Fatalf("seed %d gives two results:\n%s", seed, d)
			}
		}
	}
}

// TestZerosEnd: when a fuzzer's data runs out, zeros finish what was begun.
func TestZerosEnd(t *testing.T) {
	src := generate.Bytes(nil)
	schema := randomschema.Make(src, randomschema.Options{})
	if got := len(generate.Object(src, schema, generate.ObjectOptions{Faults: 1})); got < 3 {
		t.Errorf("the object of zeros has %d fields; apiVersion, kind and metadata are always there", got)
	}
}

func indented(t rapid.TB, value any) string {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
