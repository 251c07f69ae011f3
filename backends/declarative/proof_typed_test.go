package declarative_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/value"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/declarative"
	builtin "github.com/diffrun/diffrun/backends/declarative/idl/kubernetes"
	"github.com/diffrun/diffrun/internal/generate"
)

// seen gives a Go object as the walk sees it.
func seen(t *testing.T, object any) value.Value {
	t.Helper()
	v, err := value.NewValueReflect(object)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestProofOfTyped holds proofs against the walk on generated schemas, and on objects
// that are maps of Go.
func TestProofOfTyped(t *testing.T) {
	const perSchema = 16
	fitting, unfitting := 0, 0
	for i := range uint64(*pairs) / perSchema {
		src := rand.New(rand.NewPCG(*seed, i))
		props := generate.Schema(src, generate.SchemaOptions{})
		s := converted(t, props)
		if i%2 == 1 {
			stripped(src, s)
		}
		v, err := declarative.Compile(s, declarative.Options{Semantics: declarative.Semantics(i % 2), Estimation: declarative.EstimationOff})
		if err != nil {
			continue // what is no schema for us is another test's
		}
		for range perSchema {
			obj := generate.Object(src, props, generate.ObjectOptions{Faults: int(i % 5), Values: 40})
			fits, sure := v.Proof(seen(t, &obj))
			if valid := v.Walked(seen(t, &obj)); sure && fits != valid {
				t.Fatalf("the proof says that the object fits: %t, the walk: %t\nschema: %s\nobject: %#v", fits, valid, asJSON(t, s), obj)
			}
			if fits {
				fitting++
			} else if sure {
				unfitting++
			}
		}
	}
	t.Logf("%d fit, %d do not", fitting, unfitting)
	if fitting == 0 || unfitting == 0 {
		t.Error("proofs say too little for the test to show anything")
	}
}

// TestProofOfKinds holds proofs against the walk on the objects of the bundled cases, as
// Go objects and as JSON data, and on what becomes of them when a field changes.
func TestProofOfKinds(t *testing.T) {
	const changes = 30
	fitting, unfitting, objects := 0, 0, 0
	validators := map[schema.GroupVersionKind]*declarative.Validator{}
	for _, content := range bundledObjects(t) {
		gvk := schema.FromAPIVersionAndKind(content["apiVersion"].(string), content["kind"].(string))
		object, err := scheme.Scheme.New(gvk)
		if err != nil || builtin.GoPackage(gvk) == "" {
			continue
		}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(content, object); err != nil {
			continue // objects that are wrong for their Go types are no cases of it
		}
		if validators[gvk] == nil {
			validators[gvk] = compileKind(t, gvk)
		}
		v := validators[gvk]
		objects++
		for i := range uint64(changes) {
			changed := object.DeepCopyObject()
			if i > 0 {
				disturb(rand.New(rand.NewPCG(i, uint64(objects))), reflect.ValueOf(changed).Elem())
			}
			fits, sure := v.Proof(seen(t, changed))
			if valid := v.Walked(seen(t, changed)); !sure || fits != valid {
				t.Fatalf("the proof says that the object fits: %t (sure: %t), the walk: %t\n%s", fits, sure, valid, asJSON(t, changed))
			}
			data, err := runtime.DefaultUnstructuredConverter.ToUnstructured(changed)
			if err != nil {
				t.Fatal(err)
			}
			proves(t, v, data, func() string { return asJSON(t, data) })
			if fits {
				fitting++
			} else {
				unfitting++
			}
		}
	}
	t.Logf("%d objects: %d fit, %d do not", objects, fitting, unfitting)
	if objects < 20 || min(fitting, unfitting) < objects {
		t.Error("too few objects for the test to show anything")
	}
}

// TestProofsAtOnce lets many goroutines be the first to validate by a schema: what they
// find out about it and about Go types is shared.
func TestProofsAtOnce(t *testing.T) {
	v := native(t, "Pod")
	wrong := pod(func(p *corev1.Pod) { p.Spec.Containers[0].Name = "" })
	done := make(chan string)
	const goroutines = 8
	for i := range goroutines {
		go func() {
			var all []string
			for _, object := range []any{pod(nothing), wrong} {
				typed, err := value.NewValueReflect(object)
				if err != nil {
					done <- err.Error()
					return
				}
				data, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
				if err != nil {
					done <- err.Error()
					return
				}
				both := []value.Value{typed, value.NewValueInterface(data)}
				for at := range both {
					all = append(all, lines(v.Validate(t.Context(), both[(at+i)%len(both)], nil))...)
				}
			}
			done <- fmt.Sprint(all)
		}()
	}
	missing := `FieldValueRequired spec.containers[0].name "" `
	for range goroutines {
		if got, want := <-done, fmt.Sprint([]string{missing, missing}); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

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
		var content struct {
			Objects map[string]map[string]any `json:"objects"`
		}
		if yaml.Unmarshal(data, &content) != nil {
			continue // rules, not cases
		}
		for _, object := range content.Objects {
			if object["apiVersion"] != nil && object["kind"] != nil {
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
