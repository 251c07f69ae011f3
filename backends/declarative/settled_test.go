package declarative_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	builtin "github.com/diffrun/diffrun/backends/declarative/idl/kubernetes"
	"github.com/diffrun/diffrun/internal/generate"
	"github.com/diffrun/diffrun/internal/served"
)

// settles holds that rules which are not run on what did not change would not have said
// anything. It gives the number of errors, and whether rules of a custom resource were not
// run.
func settles(t *testing.T, v *declarative.Validator, obj, old value.Value, shown func() string) (found int, spared bool) {
	t.Helper()
	got := lines(v.Validate(t.Context(), obj, old))
	want := lines(v.ValidateAll(t.Context(), obj, old))
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("without the rules on what did not change (-all +got):\n%s\n%s", d, shown())
	}
	patiently, spared := v.ValidatePatiently(t.Context(), obj, old)
	if d := cmp.Diff(want, lines(patiently)); d != "" {
		t.Fatalf("when all that has rules is compared (-all +got):\n%s\n%s", d, shown())
	}
	return len(got), spared
}

// TestSettledOfGenerated updates generated objects, to themselves and to others.
func TestSettledOfGenerated(t *testing.T) {
	t.Run("native types", func(t *testing.T) { settlesGenerated(t, declarative.NativeTypes) })
	t.Run("custom resources", func(t *testing.T) { settlesGenerated(t, declarative.CustomResources) })
}

func settlesGenerated(t *testing.T, how declarative.Semantics) {
	const perSchema = 12
	found, quiet, sparing := 0, 0, 0
	for i := range uint64(*pairs) / perSchema {
		src := rand.New(rand.NewPCG(*seed, 1000+i))
		props := generate.Schema(src, generate.SchemaOptions{Unadmitted: i%2 == 1})
		s := converted(t, props)
		if i%3 == 2 {
			stripped(src, s)
		}
		v, err := declarative.Compile(s, declarative.Options{Root: true, Estimation: declarative.EstimationOff, Semantics: how})
		if err != nil {
			continue // what is no schema for us is another test's
		}
		opts := generate.ObjectOptions{Faults: int(i % 7), Values: 40, Defaulted: i%4 == 0}
		for range perSchema {
			old := generate.Object(src, props, opts)
			obj := runtime.DeepCopyJSON(old)
			if src.IntN(3) > 0 {
				obj = generate.Update(src, props, old, opts)
			}
			shown := func() string {
				return "schema: " + asJSON(t, s) + "\nobject: " + asJSON(t, obj) + "\nold: " + asJSON(t, old)
			}
			n, spared := settles(t, v, value.NewValueInterface(obj), value.NewValueInterface(old), shown)
			if spared {
				sparing++
			}
			if typed, _ := settles(t, v, seen(t, &obj), seen(t, &old), shown); n+typed > 0 {
				found++
			} else {
				quiet++
			}
		}
	}
	t.Logf("%d updates with errors, %d without; rules were spared in %d", found, quiet, sparing)
	if min(found, quiet) == 0 || how == declarative.CustomResources && sparing < 20 {
		t.Error("too few updates for the test to show anything")
	}
}

// TestSettledOfKinds updates the objects of the bundled cases, typed and as data.
func TestSettledOfKinds(t *testing.T) {
	const changes = 6
	objects, found, quiet := uint64(0), 0, 0
	validators := map[schema.GroupVersionKind]*declarative.Validator{}
	for _, content := range bundledObjects(t) {
		gvk := schema.FromAPIVersionAndKind(content["apiVersion"].(string), content["kind"].(string))
		old, err := scheme.Scheme.New(gvk)
		if err != nil || builtin.GoPackage(gvk) == "" || runtime.DefaultUnstructuredConverter.FromUnstructured(content, old) != nil {
			continue // not a kind, or an object that is wrong for its Go type
		}
		if validators[gvk] == nil {
			validators[gvk] = compileKind(t, gvk)
		}
		v := validators[gvk]
		if meta, ok := old.(metav1.Object); ok {
			meta.SetResourceVersion("1") // or every update is wrong
		}
		objects++
		for i := range uint64(changes) {
			src, old := rand.New(rand.NewPCG(i, objects)), old.DeepCopyObject()
			if i%4 == 3 {
				disturb(src, reflect.ValueOf(old).Elem())
			}
			obj := old.DeepCopyObject()
			if i%3 > 0 {
				disturb(src, reflect.ValueOf(obj).Elem())
			}
			shown := func() string { return "object: " + asJSON(t, obj) + "\nold: " + asJSON(t, old) }
			n, _ := settles(t, v, seen(t, obj), seen(t, old), shown)
			if data, _ := settles(t, v, dataOf(t, obj), dataOf(t, old), shown); n+data > 0 {
				found++
			} else {
				quiet++
			}
		}
	}
	t.Logf("%d objects: %d updates with errors, %d without", objects, found, quiet)
	if objects < 20 || min(found, quiet) == 0 {
		t.Error("too few objects for the test to show anything")
	}
}

// TestSettledOfCRDs updates generated objects of real schemas.
func TestSettledOfCRDs(t *testing.T) {
	eachCRD(t, func(crd *apiextensionsv1.CustomResourceDefinition, v *declarative.Validator, pairs []pair) {
		found, sparing := 0, 0
		for _, p := range pairs {
			obj, old := p.obj, p.old
			if old == nil {
				old = runtime.DeepCopyJSON(obj)
			}
			n, spared := settles(t, v, value.NewValueInterface(obj), value.NewValueInterface(old), func() string {
				return "object: " + asJSON(t, obj) + "\nold: " + asJSON(t, old)
			})
			if found += min(n, 1); spared {
				sparing++
			}
		}
		t.Logf("%s: %d updates with errors; rules were spared in %d", crd.Name, found, sparing)
		if strings.Contains(asJSON(t, crd.Spec.Versions[0].Schema), `"x-kubernetes-validations"`) && sparing < 20 {
			t.Error("too few for the test to show anything")
		}
	})
}

// eachCRD compiles the first version of each real definition, and makes objects and updates
// for it.
func eachCRD(t *testing.T, do func(*apiextensionsv1.CustomResourceDefinition, *declarative.Validator, []pair)) {
	for _, file := range served.Definitions(t) {
		crd := served.Definition(t, file)
		version := &crd.Spec.Versions[0]
		v, err := declarative.Compile(converted(t, version.Schema.OpenAPIV3Schema), declarative.Options{Root: true, Semantics: declarative.CustomResources})
		if err != nil {
			t.Fatal(err)
		}
		do(crd, v, resourcePairs(crd, version, 2**crdPairs))
	}
}

func dataOf(t *testing.T, object any) value.Value {
	t.Helper()
	data, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		t.Fatal(err)
	}
	return value.NewValueInterface(data)
}
