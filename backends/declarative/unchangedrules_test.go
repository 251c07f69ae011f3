package declarative_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	builtin "github.com/diffrun/diffrun/backends/declarative/idl/kubernetes"
	"github.com/diffrun/diffrun/internal/generate"
)

// skipsSilently holds that rules which are not run on what did not change would not have
// said anything. It gives the number of errors.
func skipsSilently(t *testing.T, v *declarative.Validator, obj, old value.Value, shown func() string) int {
	t.Helper()
	got := lines(v.Validate(t.Context(), obj, old))
	want := lines(v.ValidateAllRules(t.Context(), obj, old))
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("without the rules on what did not change (-all +got):\n%s\n%s", d, shown())
	}
	return len(got)
}

// TestUnchangedRulesOfGenerated updates generated objects of native types, to themselves and
// to others.
func TestUnchangedRulesOfGenerated(t *testing.T) {
	const perSchema = 12
	found, quiet := 0, 0
	for i := range uint64(*pairs) / perSchema {
		src := rand.New(rand.NewPCG(*seed, 1000+i))
		props := generate.Schema(src, generate.SchemaOptions{Unadmitted: i%2 == 1})
		s := converted(t, props)
		if i%3 == 2 {
			stripped(src, s)
		}
		v, err := declarative.Compile(s, declarative.Options{Root: true, Estimation: declarative.EstimationOff})
		if err != nil {
			continue // what is not a schema for us is another test's
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
			n := skipsSilently(t, v, value.NewValueInterface(obj), value.NewValueInterface(old), shown)
			if n+skipsSilently(t, v, seen(t, &obj), seen(t, &old), shown) > 0 {
				found++
			} else {
				quiet++
			}
		}
	}
	t.Logf("%d updates with errors, %d without", found, quiet)
	if min(found, quiet) == 0 {
		t.Error("too few updates for the test to show anything")
	}
}

// TestUnchangedRulesOfKinds updates the objects of the bundled cases, typed and as data.
func TestUnchangedRulesOfKinds(t *testing.T) {
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
			n := skipsSilently(t, v, seen(t, obj), seen(t, old), shown)
			if n+skipsSilently(t, v, dataOf(t, obj), dataOf(t, old), shown) > 0 {
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

func dataOf(t *testing.T, object any) value.Value {
	t.Helper()
	data, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		t.Fatal(err)
	}
	return value.NewValueInterface(data)
}
