package valuev4_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	value4 "sigs.k8s.io/structured-merge-diff/v4/value"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/valuev4"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/testing/randomschema"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// forms are the ways to make a value of the same object with v4, each beside the
// value that v6 makes of it.
var forms = []struct {
	name string
	v6   func(map[string]any) value.Value
	v4   func(map[string]any) value4.Value
}{
	{"JSON data", jsonOf6, jsonOf4},
	// Values that are not known to be JSON data are taken for Go objects, where null is an unset field.
	{"JSON data in a foreign implementation", objectOf6, func(x map[string]any) value4.Value { return foreign{jsonOf4(x)} }},
	{"a Go object", objectOf6, objectOf4},
	{"a Go object in a foreign implementation", objectOf6, func(x map[string]any) value4.Value { return foreign{objectOf4(x)} }},
}

func jsonOf6(x map[string]any) value.Value  { return value.NewValueInterface(x) }
func jsonOf4(x map[string]any) value4.Value { return value4.NewValueInterface(x) }

func objectOf6(x map[string]any) value.Value {
	v, err := value.NewValueReflect(&x)
	if err != nil {
		panic(err)
	}
	return v
}

func objectOf4(x map[string]any) value4.Value {
	v, err := value4.NewValueReflect(&x)
	if err != nil {
		panic(err)
	}
	return v
}

// TestValidate checks, on generated schemas, objects and updates, that a value of v4 has the same errors as a
// value of v6.
func TestValidate(t *testing.T) {
	const schemas, perSchema = 60, 8
	failed := 0
	for i := range uint64(schemas) {
		src := rand.New(rand.NewPCG(i, 4))
		props := randomschema.Make(src, randomschema.Options{})
		validator, err := declarative.Compile(served.Converted(t, props), declarative.Options{Semantics: declarative.Semantics(i % 2), WithoutEstimation: true})
		if err != nil {
			continue // not every generated schema is legal
		}
		for range perSchema {
			opts := generate.ObjectOptions{Faults: int(i % 5), Values: 40}
			object := generate.Object(src, props, opts)
			for _, old := range []map[string]any{nil, generate.Update(src, props, object, opts)} {
				failed += sameErrors(t, validator, object, old)
			}
		}
	}
	if failed < schemas {
		t.Errorf("only %d objects have errors", failed)
	}
}

// sameErrors compares the errors of an object in all forms and returns the number of forms that have errors.
func sameErrors(t *testing.T, validator *declarative.Validator, object, old map[string]any) (failed int) {
	t.Helper()
	for _, form := range forms {
		var old6 value.Value
		var old4 value4.Value
		if old != nil {
			old6, old4 = form.v6(old), form.v4(old)
		}
		want := texts(validator.Validate(t.Context(), form.v6(object), old6))
		got := texts(validator.Validate(t.Context(), valuev4.Of(form.v4(object)), valuev4.Of(old4)))
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%s (-v6 +v4):\n%s\nobject: %v\nold: %v", form.name, d, object, old)
		}
		failed += min(len(want), 1)
	}
	return failed
}

func texts(errs field.ErrorList) []string {
	all := make([]string, 0, len(errs))
	for _, err := range errs {
		all = append(all, fmt.Sprintf("%s %s %v %s", err.Type, err.Field, err.BadValue, err.Error()))
	}
	return all
}

var (
	one   = map[string]any{"a": int64(1), "list": []any{"x", nil, 1.5}, "in": map[string]any{"b": true}}
	other = map[string]any{"a": int64(2), "list": []any{"x"}, "only": "here"}
)

// TestFunctionsOfV6 checks that the functions of v6 work on values of v4: they use methods that validation
// does not use.
func TestFunctionsOfV6(t *testing.T) {
	for _, form := range forms {
		a, b := valuev4.Of(form.v4(one)), valuev4.Of(form.v4(other))
		for _, pair := range [][2]value.Value{{a, form.v6(one)}, {form.v6(one), a}, {a, a}} {
			if !value.Equals(pair[0], pair[1]) || value.Compare(pair[0], pair[1]) != 0 {
				t.Errorf("%s: a value does not equal itself", form.name)
			}
		}
		if value.Equals(a, b) || value.Compare(a, b) != value.Compare(form.v6(one), form.v6(other)) || value.Compare(a, b) != -value.Compare(b, a) {
			t.Errorf("%s: Compare gives %d and %d", form.name, value.Compare(a, b), value.Compare(b, a))
		}
		if d := cmp.Diff(zipped(form.v6(one), form.v6(other)), zipped(a, b)); d != "" {
			t.Errorf("%s: Zip (-v6 +v4):\n%s", form.name, d)
		}
		if d := cmp.Diff(zipped(form.v6(one), nil), zipped(a, nil)); d != "" {
			t.Errorf("%s: Zip with no map (-v6 +v4):\n%s", form.name, d)
		}
	}
}

// zipped returns the result of Zip for two maps, in lexical order.
func zipped(a, b value.Value) (all []string) {
	var other value.Map
	if b != nil {
		other = b.AsMap()
	}
	text := func(v value.Value) string {
		if v == nil {
			return "absent"
		}
		return fmt.Sprint(v.Unstructured())
	}
	a.AsMap().Zip(other, value.LexicalKeyOrder, func(key string, lhs, rhs value.Value) bool {
		all = append(all, key+" "+text(lhs)+" "+text(rhs))
		return key != "list" // where the visit stops
	})
	return all
}

// TestNothingIsCopied changes an object before and after it is read.
func TestNothingIsCopied(t *testing.T) {
	for _, form := range forms {
		object := map[string]any{"in": map[string]any{"a": "old"}}
		v := valuev4.Of(form.v4(object))
		object["in"].(map[string]any)["a"] = "new"
		in, _ := v.AsMap().Get("in")
		if a, ok := in.AsMap().Get("a"); !ok || a.AsString() != "new" {
			t.Errorf("%s: a change of the object is not seen", form.name)
		}
		v.AsMap().Set("a", value.NewValueInterface([]any{"set"}))
		v.AsMap().Delete("in")
		if d := cmp.Diff(map[string]any{"a": []any{"set"}}, object); d != "" {
			t.Errorf("%s: Set and Delete change something else (-want +got):\n%s", form.name, d)
		}
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
	v4, err := value4.NewValueReflect(pod)
	if err != nil {
		t.Fatal(err)
	}
	v := valuev4.Of(v4)
	pod.Name = "b"
	if !strings.Contains(value.ToString(v), `name="b"`) {
		t.Errorf("a change of a struct is not seen: %s", value.ToString(v))
	}
}

// TestNoObject: no value is different from a null.
func TestNoObject(t *testing.T) {
	if v := valuev4.Of(nil); v != nil {
		t.Errorf("of no value: %v", v)
	}
	var none *corev1.Pod
	for _, object := range []any{nil, none, &metav1.Time{}} {
		v4, err := value4.NewValueReflect(object)
		if err != nil {
			t.Fatal(err)
		}
		if v := valuev4.Of(v4); v == nil || !v.IsNull() {
			t.Errorf("%T: %v is not null", object, v)
		}
	}
}
