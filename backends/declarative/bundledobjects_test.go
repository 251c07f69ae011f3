package declarative_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/declarative"
	builtin "github.com/diffrun/diffrun/backends/declarative/kubernetes"
)

func compileKind(t *testing.T, gvk schema.GroupVersionKind) *declarative.Validator {
	t.Helper()
	root, definitions, err := builtin.NewLibrary().Schema(gvk)
	if err != nil {
		t.Fatal(err)
	}
	v, err := declarative.Compile(root, declarative.Options{Definitions: definitions, Root: true, WithoutEstimation: true})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// bundledObjects are the named objects of all bundled case files.
func bundledObjects(t *testing.T) []map[string]any {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "cases", "kubernetes", "*", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no bundled cases: %v", err)
	}
	var all []map[string]any
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var content any
		if data, err = yaml.YAMLToJSON(data); err == nil {
			err = utiljson.Unmarshal(data, &content)
		}
		if err != nil {
			t.Fatal(err)
		}
		cases, _ := content.(map[string]any) // else rules
		objects, _ := cases["objects"].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(objects)) {
			if object := objects[name].(map[string]any); object["apiVersion"] != nil && object["kind"] != nil {
				all = append(all, object)
			}
		}
	}
	return all
}

// disturb randomly fills a part of a Go object.
func disturb(src *rand.Rand, filler interface{ Fill(any) }, v reflect.Value) {
	_, converts := v.Addr().Interface().(json.Marshaler)
	switch {
	case v.Kind() == reflect.Struct && !converts && v.NumField() > 0 && src.IntN(6) > 0:
		if f := v.Field(src.IntN(v.NumField())); f.CanSet() {
			disturb(src, filler, f)
		}
	case v.Kind() == reflect.Pointer && !v.IsNil() && src.IntN(6) > 0:
		disturb(src, filler, v.Elem())
	case v.Kind() == reflect.Slice && v.Len() > 0 && src.IntN(6) > 0:
		if src.IntN(3) == 0 {
			v.Set(reflect.Append(v, v.Index(0)))
		}
		disturb(src, filler, v.Index(src.IntN(v.Len())))
	default:
		filler.Fill(v.Addr().Interface())
	}
}

// stripped lets some nested schemas strip zeros, and requires their properties.
func stripped(src *rand.Rand, s *spec.Schema) {
	for name, p := range s.Properties {
		stripped(src, &p)
		if src.IntN(2) == 0 {
			p.AddExtension("x-kubernetes-strip-zero", true)
		}
		if src.IntN(3) == 0 {
			s.Required = append(s.Required, name)
		}
		s.Properties[name] = p
	}
	if s.Items != nil && s.Items.Schema != nil {
		stripped(src, s.Items.Schema)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		stripped(src, s.AdditionalProperties.Schema)
	}
	for _, branches := range [][]spec.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range branches {
			stripped(src, &branches[i])
		}
	}
}
