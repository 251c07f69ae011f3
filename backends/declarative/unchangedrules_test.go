package declarative_test

import (
	mathrand "math/rand"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	builtin "github.com/diffrun/diffrun/backends/declarative/kubernetes"
	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/testing/randomschema"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// aNull is a null in JSON. In a Go object it means unset (see TestNull).
var aNull = regexp.MustCompile(`[:,\[]null`)

// isEmptyBytes reports whether an error refuses "" as base64. Empty bytes of a Go object, which are written so, have none.
func isEmptyBytes(err *field.Error) bool {
	return err.BadValue == "" && strings.HasSuffix(err.Detail, `must be of type byte: ""`)
}

// validateUpdate validates an update as data and as a Go object, which must have the same errors, in
// canonical order. Rules that did not run because their values are unchanged would not have failed.
func validateUpdate(t *testing.T, v *declarative.Validator, data, typed [2]value.Value, shown func() string) field.ErrorList {
	t.Helper()
	var errs [2]field.ErrorList
	for i, update := range [][2]value.Value{data, typed} {
		errs[i] = v.Validate(t.Context(), update[0], update[1])
		if d := cmp.Diff(lines(v.ValidateAllRules(t.Context(), update[0], update[1])), lines(errs[i])); d != "" {
			t.Fatalf("without the rules on what did not change (-all +got):\n%s\n%s", d, shown())
		}
		if d := cmp.Diff(fielderror.Canonical(errs[i]), errs[i]); d != "" {
			t.Fatalf("not in canonical order (-canonical +got):\n%s\n%s", d, shown())
		}
	}
	asData := slices.DeleteFunc(slices.Clone(errs[0]), isEmptyBytes)
	if d := cmp.Diff(lines(asData), lines(errs[1])); d != "" && !aNull.MatchString(shown()) {
		t.Fatalf("a Go object has other errors (-data +Go object):\n%s\n%s", d, shown())
	}
	return errs[0]
}

// TestUnchangedRulesOfGenerated updates generated objects of native types, to themselves and
// to others.
func TestUnchangedRulesOfGenerated(t *testing.T) {
	const perSchema = 12
	found, quiet := 0, 0
	for i := range uint64(*pairs) / perSchema {
		src := rand.New(rand.NewPCG(*seed, 1000+i))
		props := randomschema.Make(src, randomschema.Options{Unadmitted: i%2 == 1})
		s := served.Converted(t, props)
		if i%3 == 2 {
			stripped(src, s)
		}
		v, err := declarative.Compile(s,
			declarative.Options{Root: true, Semantics: declarative.Semantics(i / 2 % 2), WithoutEstimation: true})
		if err != nil {
			continue // a different test is about schemas that do not compile
		}
		opts := generate.ObjectOptions{Faults: int(i % 7), Values: 40, Defaulted: i%4 == 0}
		for range perSchema {
			old := generate.Object(src, props, opts)
			obj := runtime.DeepCopyJSON(old)
			if src.IntN(3) > 0 {
				obj = generate.Vary(src, props, old, opts)
			}
			shown := func() string {
				return "schema: " + asJSON(t, s) + "\nobject: " + asJSON(t, obj) + "\nold: " + asJSON(t, old)
			}
			data, typed := [2]value.Value{
				value.NewValueInterface(obj),
				value.NewValueInterface(old),
			}, [2]value.Value{goValue(t, &obj), goValue(t, &old)}
			if len(validateUpdate(t, v, data, typed, shown)) > 0 {
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

// TestUnchangedRulesOfKinds updates the objects of the bundled cases, as Go objects and as data, with and
// without coverage.
func TestUnchangedRulesOfKinds(t *testing.T) {
	const changes = 6
	objects, found, quiet := uint64(0), 0, 0
	filler := fuzzer.FuzzerFor(metafuzzer.Funcs, mathrand.NewSource(1), scheme.Codecs).NumElements(0, 2).MaxDepth(6)
	validators, counting := map[schema.GroupVersionKind]*declarative.Validator{}, map[schema.GroupVersionKind]*declarative.Validator{}
	for _, content := range bundledObjects(t) {
		gvk := schema.FromAPIVersionAndKind(content["apiVersion"].(string), content["kind"].(string))
		old, err := scheme.Scheme.New(gvk)
		if err != nil || builtin.GoPackage(gvk) == "" || runtime.DefaultUnstructuredConverter.FromUnstructured(content, old) != nil {
			continue // not a kind, or an object that does not fit its Go type
		}
		if validators[gvk] == nil {
			validators[gvk] = compileKind(t, gvk)
			if counting[gvk], err = validators[gvk].Covered(&tally.Coverage{}); err != nil {
				t.Fatal(err)
			}
		}
		v, covered := validators[gvk], counting[gvk]
		if meta, ok := old.(metav1.Object); ok {
			meta.SetResourceVersion("1") // otherwise every update is wrong
		}
		objects++
		for i := range uint64(changes) {
			src, old := rand.New(rand.NewPCG(i, objects)), old.DeepCopyObject()
			if i%4 == 3 {
				disturb(src, filler, reflect.ValueOf(old).Elem())
			}
			obj := old.DeepCopyObject()
			if i%3 > 0 {
				disturb(src, filler, reflect.ValueOf(obj).Elem())
			}
			shown := func() string { return "object: " + asJSON(t, obj) + "\nold: " + asJSON(t, old) }
			data, typed := [2]value.Value{dataOf(t, obj), dataOf(t, old)}, [2]value.Value{goValue(t, obj), goValue(t, old)}
			errs := validateUpdate(t, v, data, typed, shown)
			if d := cmp.Diff(lines(errs), lines(covered.Validate(t.Context(), data[0], data[1]))); d != "" {
				t.Errorf("errors are others with coverage (-without +with):\n%s\n%s", d, shown())
			}
			if len(errs) > 0 {
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

// TestRulesBeforeAChange: the first difference of the objects decides which values are unchanged. It does not
// decide about items without old ones.
func TestRulesBeforeAChange(t *testing.T) {
	const schema = `
type: object
properties:
  keyed: &outer {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: &part {type: object, properties: {
    name: {type: string}, note: {type: string},
    inner: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object,
      x-kubernetes-validations: [{rule: "!has(self.size) || self.size < 4"}], properties: {name: {type: string}, note: ` +
		`{type: string}, size: {type: integer}}}}}}}
  atomic: {type: array, items: *part}
`
	type item struct {
		Name string `json:"name,omitempty"`
		Note string `json:"note,omitempty"`
		Size int    `json:"size,omitempty"`
	}
	type part struct {
		Inner []item `json:"inner,omitempty"`
		Name  string `json:"name,omitempty"`
		Note  string `json:"note,omitempty"`
	}
	type root struct {
		Keyed  []part `json:"keyed,omitempty"`
		Atomic []part `json:"atomic,omitempty"`
	}
	wrong, right := item{Name: "a", Size: 9}, item{Name: "a", Size: 1}
	for _, tt := range []struct {
		why      string
		obj, old root
		want     int // errors
	}{
		{"an item before the changed one", root{Keyed: []part{{Name: "x", Inner: []item{wrong, {Name: "b", Note: "new"}}}}},
			root{Keyed: []part{{Name: "x", Inner: []item{wrong, {Name: "b", Note: "old"}}}}}, 0},
		{"an item after it", root{Keyed: []part{{Name: "x", Inner: []item{{Name: "b", Note: "new"}, wrong}}}},
			root{Keyed: []part{{Name: "x", Inner: []item{{Name: "b", Note: "old"}, wrong}}}}, 0},
		{"an item of a new item", root{Atomic: []part{{Name: "x", Inner: []item{wrong, {Name: "b", Note: "new"}}}}},
			root{Atomic: []part{{Name: "x", Inner: []item{wrong, {Name: "b", Note: "old"}}}}}, 1},
		{"a field of a new item, before the changed one", root{Atomic: []part{{Inner: []item{wrong}, Name: "new"}}},
			root{Atomic: []part{{Inner: []item{wrong}, Name: "old"}}}, 1},
		{"a field before the changed one", root{Keyed: []part{{Inner: []item{wrong}, Name: "x", Note: "new"}}},
			root{Keyed: []part{{Inner: []item{wrong}, Name: "x", Note: "old"}}}, 0},
		{"the changed one", root{Keyed: []part{{Name: "x", Inner: []item{wrong}}}}, root{Keyed: []part{{Name: "x", Inner: []item{right}}}},
			1},
		{"an item that is new, before the changed one", root{Keyed: []part{{Name: "x", Inner: []item{wrong}}, {Name: "y", Note: "new"}}},
			root{Keyed: []part{{Name: "z", Inner: []item{wrong}}, {Name: "y", Note: "old"}}}, 1},
		{"items in a different order", root{Keyed: []part{{Name: "y", Note: "new"}, {Name: "x", Inner: []item{wrong}}}},
			root{Keyed: []part{{Name: "x", Inner: []item{wrong}}, {Name: "y", Note: "old"}}}, 0},
	} {
		t.Run(tt.why, func(t *testing.T) {
			v := compile(t, schema, declarative.Options{})
			errs := validateUpdate(t, v, [2]value.Value{dataOf(t, &tt.obj), dataOf(t, &tt.old)},
				[2]value.Value{goValue(t, &tt.obj), goValue(t, &tt.old)}, func() string { return tt.why })
			if len(errs) != tt.want {
				t.Errorf("%d errors, want %d: %v", len(errs), tt.want, errs)
			}
		})
	}
}
