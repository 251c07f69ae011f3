package declarative_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/declarative"
	builtin "github.com/diffrun/diffrun/backends/declarative/idl/kubernetes"
)

func compileKind(t *testing.T, gvk schema.GroupVersionKind) *declarative.Validator {
	t.Helper()
	root, definitions, err := builtin.Schema(gvk)
	if err != nil {
		t.Fatal(err)
	}
	v, err := declarative.Compile(root, declarative.Options{Definitions: definitions, Root: true, Estimation: declarative.EstimationOff})
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

// disturb changes one value somewhere in a Go object.
func disturb(src *rand.Rand, v reflect.Value) {
	switch x := v.Addr().Interface().(type) {
	case *metav1.Time:
		*x = metav1.Now()
		return
	case *resource.Quantity:
		*x = resource.MustParse("-1.5Gi")
		return
	case *metav1.FieldsV1:
		*x = *metav1.NewFieldsV1(`{"f:spec":{}}`)
		return
	case *intstr.IntOrString:
		*x = []intstr.IntOrString{intstr.FromInt32(-1), intstr.FromString("A%"), {}}[src.IntN(3)]
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		if f := v.Field(src.IntN(v.NumField())); f.CanSet() {
			disturb(src, f)
		}
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		} else if src.IntN(5) == 0 {
			v.SetZero()
			return
		}
		disturb(src, v.Elem())
	case reflect.Slice:
		disturbSlice(src, v)
	case reflect.Map:
		if v.IsNil() || src.IntN(4) == 0 {
			v.Set(reflect.MakeMap(v.Type()))
		}
		elem := reflect.New(v.Type().Elem()).Elem()
		disturb(src, elem)
		v.SetMapIndex(reflect.ValueOf(fmt.Sprint("Key ", src.IntN(3))).Convert(v.Type().Key()), elem)
	case reflect.String:
		v.SetString([]string{"", "a", "Always", "été", "-"}[src.IntN(5)])
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt([]int64{-1, 0, 1, 70000}[src.IntN(4)])
	}
}

func disturbSlice(src *rand.Rand, v reflect.Value) {
	switch at := src.IntN(5); {
	case at == 0:
		v.SetZero()
	case at == 1:
		v.SetLen(0)
	case at == 2 && v.Len() > 0:
		v.Set(reflect.Append(v, v.Index(0)))
	case at == 3 || v.Len() == 0:
		elem := reflect.New(v.Type().Elem()).Elem()
		disturb(src, elem)
		v.Set(reflect.Append(v, elem))
	default:
		disturb(src, v.Index(src.IntN(v.Len())))
	}
}

// stripped lets some schemas below strip zeros, and require their properties.
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
