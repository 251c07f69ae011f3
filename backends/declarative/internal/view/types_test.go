package view_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// alike checks that a value looks the same through structured-merge-diff and through its Go type.
func alike(t *testing.T, r *view.Reader, at string, slow, fast view.View) {
	t.Helper()
	if slow.Kind() != fast.Kind() || slow.Typed() != fast.Typed() {
		t.Fatalf("%s: kind %d, typed %t; by its type %d, %t", at, slow.Kind(), slow.Typed(), fast.Kind(), fast.Typed())
	}
	if r.Zero(slow) != r.Zero(fast) || r.Len(slow) != r.Len(fast) {
		t.Fatalf("%s: zero %t, %d parts; by its type %t, %d", at, r.Zero(slow), r.Len(slow), r.Zero(fast), r.Len(fast))
	}
	switch slow.Kind() {
	case view.Map:
		namesTogether(t, r, at, fast)
		keys := r.Keys(slow)
		if d := cmp.Diff(keys, r.Keys(fast)); d != "" {
			t.Fatalf("%s: keys (-slow +by type):\n%s", at, d)
		}
		entries, each := r.Entries(fast), visited{}
		if r.Each(fast, each); len(keys) != len(entries) || !slices.Equal(keys, slices.Sorted(maps.Keys(each))) {
			t.Fatalf("%s: keys %q, %d entries, visited %v", at, keys, len(entries), each)
		}
		for i, key := range keys {
			a, ok := r.Field(slow, key)
			b, okFast := r.Field(fast, key)
			if !ok || !okFast {
				t.Fatalf("%s.%s: there %t, by its type %t", at, key, ok, okFast)
			}
			alike(t, r, at+"."+key, a, b)
			if entries[i].Key != key {
				t.Fatalf("%s: entry %d is %q, want %q", at, i, entries[i].Key, key)
			}
			same(t, r, at+"."+key+" as an entry", b, entries[i].Value)
			if each[key] != b.Kind() {
				t.Fatalf("%s.%s: visited as kind %d", at, key, each[key])
			}
		}
		for _, none := range []string{"", "none", "Name"} {
			_, ok := r.Field(slow, none)
			if _, okFast := r.Field(fast, none); ok != okFast {
				t.Fatalf("%s.%s: there %t, by its type %t", at, none, ok, okFast)
			}
		}
	case view.List:
		each := visited{}
		r.Each(fast, each)
		for i := range r.Len(slow) {
			a, _ := r.At(slow, i)
			b, _ := r.At(fast, i)
			alike(t, r, fmt.Sprintf("%s[%d]", at, i), a, b)
			if each[fmt.Sprint(i)] != b.Kind() {
				t.Fatalf("%s[%d]: visited as kind %d", at, i, each[fmt.Sprint(i)])
			}
		}
	default:
		same(t, r, at, slow, fast)
	}
}

// same checks that two values are equal, or no numbers.
func same(t *testing.T, r *view.Reader, at string, a, b view.View) {
	t.Helper()
	if !cmp.Equal(a.JSON(), b.JSON(), cmpopts.EquateNaNs()) || !r.Equal(a, b) && cmp.Equal(a.JSON(), a.JSON()) {
		t.Fatalf("%s: %#v, by its type %#v", at, a.JSON(), b.JSON())
	}
}

// visited records the kinds of all visited values.
type visited map[string]view.Kind

func (v visited) Entry(key string, x view.View) bool { v[key] = x.Kind(); return true }
func (v visited) Item(i int, x view.View) bool       { v[fmt.Sprint(i)] = x.Kind(); return true }

// bothViews returns an object in both views. The fast one must be used.
func bothViews(t *testing.T, types *view.Types, object any) (slow, fast view.View) {
	t.Helper()
	v, err := value.NewValueReflect(object)
	if err != nil {
		t.Fatal(err)
	}
	slow, fast = view.Of(v), types.Of(v)
	if _, known := fast.Struct(); !known {
		t.Fatalf("%T is not seen by its type: structured-merge-diff has no field Value any more?", object)
	}
	return slow, fast
}

// TestBuiltinKinds: randomly filled objects of all kinds look the same in both views, and as encoding/json
// writes them.
func TestBuiltinKinds(t *testing.T) {
	const each = 3
	types, r := &view.Types{}, new(view.Reader)
	filler := fuzzer.FuzzerFor(metafuzzer.Funcs, rand.NewSource(1), scheme.Codecs).NumElements(0, 2).MaxDepth(9)
	objects := 0
	kinds := slices.SortedFunc(maps.Keys(scheme.Scheme.AllKnownTypes()), func(a, b schema.GroupVersionKind) int {
		return strings.Compare(a.String(), b.String())
	})
	for _, gvk := range kinds {
		if gvk.Version == runtime.APIVersionInternal {
			continue // no JSON
		}
		for range each {
			object, err := scheme.Scheme.New(gvk)
			if err != nil {
				t.Fatal(err)
			}
			filler.Fill(object)
			slow, fast := bothViews(t, types, object)
			alike(t, r, gvk.Kind, slow, fast)
			if !r.Equal(fast, fast) {
				t.Errorf("%s: an object does not equal itself", gvk.Kind)
			}
			var want map[string]any
			data, err := json.Marshal(object)
			if err == nil {
				err = utiljson.Unmarshal(data, &want)
			}
			if d := cmp.Diff(want, fast.JSON()); d != "" || err != nil {
				t.Errorf("%s (-JSON +view): %v\n%s", gvk.Kind, err, d)
			}
			objects++
		}
	}
	if objects < 500 {
		t.Errorf("only %d objects", objects)
	}
}

// TestUnsupported: values on which structured-merge-diff panics are Opaque.
func TestUnsupported(t *testing.T) {
	port := int32(1)
	pointer := &port
	for _, object := range []any{
		&struct{ N uint64 }{}, &struct{ N [2]int }{}, &struct{ N complex128 }{}, &struct{ C chan int }{make(chan int)},
		&struct{ P **int32 }{&pointer},
		&struct{ I intstr.IntOrString }{intstr.IntOrString{Type: 5}}, &struct{ A any }{uint64(1)}, &struct{ A any }{&inner{}},
	} {
		v, err := value.NewValueReflect(object)
		if err != nil {
			t.Fatal(err)
		}
		panics := func(look func()) (text string) {
			defer func() { text = fmt.Sprint(recover()) }()
			look()
			return ""
		}
		if text := panics(func() { view.Of(v) }); text == "<nil>" {
			t.Errorf("%T: structured-merge-diff does not panic any more", object)
		}
		seen, r := new(view.Types).Of(v), new(view.Reader)
		field, ok := r.Field(seen, r.Keys(seen)[0])
		if text := panics(func() { seen.JSON() }); !ok || field.Kind() != view.Opaque || text != "<nil>" {
			t.Errorf("%T: the field is of kind %d, JSON panics with %s", object, field.Kind(), text)
		}
	}
}
