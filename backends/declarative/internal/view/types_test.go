package view_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	value4 "sigs.k8s.io/structured-merge-diff/v4/value"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
	"github.com/diffrun/diffrun/backends/declarative/valuev4"
)

// alike holds that a value looks the same whether structured-merge-diff shows it or
// its Go type is known.
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
		keys := r.Keys(slow)
		if d := cmp.Diff(keys, r.Keys(fast)); d != "" {
			t.Fatalf("%s: keys (-slow +by type):\n%s", at, d)
		}
		for _, key := range keys {
			a, ok := r.Field(slow, key)
			b, okFast := r.Field(fast, key)
			if !ok || !okFast {
				t.Fatalf("%s.%s: there %t, by its type %t", at, key, ok, okFast)
			}
			alike(t, r, at+"."+key, a, b)
		}
		for _, none := range []string{"", "none", "Name"} {
			_, ok := r.Field(slow, none)
			if _, okFast := r.Field(fast, none); ok != okFast {
				t.Fatalf("%s.%s: there %t, by its type %t", at, none, ok, okFast)
			}
		}
	case view.List:
		for i := range r.Len(slow) {
			a, _ := r.At(slow, i)
			b, _ := r.At(fast, i)
			alike(t, r, fmt.Sprintf("%s[%d]", at, i), a, b)
		}
	default:
		if !cmp.Equal(slow.JSON(), fast.JSON(), cmpopts.EquateNaNs()) || !r.Equal(slow, fast) && slow.Float() == slow.Float() {
			t.Fatalf("%s: %#v, by its type %#v", at, slow.JSON(), fast.JSON())
		}
	}
}

// bothViews gives an object as both see it. The fast way must be taken.
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

// viewOfV4 gives an object as it is seen through structured-merge-diff v4.
func viewOfV4(t *testing.T, types *view.Types, object any) view.View {
	t.Helper()
	v, err := value4.NewValueReflect(object)
	if err != nil {
		t.Fatal(err)
	}
	seen := types.Of(valuev4.Of(v))
	if _, known := seen.Struct(); !known {
		t.Fatalf("%T is not handed over: v4 has no field Value any more?", object)
	}
	return seen
}

// builtin is a scheme of Kubernetes' own kinds.
func builtin(t *testing.T) *runtime.Scheme {
	t.Helper()
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		admissionregistrationv1.AddToScheme, appsv1.AddToScheme, autoscalingv2.AddToScheme, batchv1.AddToScheme, coordinationv1.AddToScheme,
		corev1.AddToScheme, discoveryv1.AddToScheme, flowcontrolv1.AddToScheme, networkingv1.AddToScheme, policyv1.AddToScheme, rbacv1.AddToScheme,
		resourcev1.AddToScheme, schedulingv1.AddToScheme, storagev1.AddToScheme,
	} {
		if err := add(s); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// TestBuiltinKinds holds that randomly filled objects of all kinds look the same both
// ways.
func TestBuiltinKinds(t *testing.T) {
	const each = 6
	types, r := &view.Types{}, reader()
	s := builtin(t)
	objects := 0
	for gvk := range s.AllKnownTypes() {
		for i := range uint64(each) {
			src := rand.New(rand.NewPCG(i, uint64(len(gvk.Kind))))
			object, err := s.New(gvk)
			if err != nil {
				t.Fatal(err)
			}
			fill(src, reflect.ValueOf(object).Elem(), 7)
			slow, fast := bothViews(t, types, object)
			alike(t, r, gvk.Kind, slow, fast)
			alike(t, r, gvk.Kind+" v4", slow, viewOfV4(t, types, object))
			if !r.Equal(fast, fast) {
				t.Errorf("%s: an object does not equal itself", gvk.Kind)
			}
			objects++
		}
	}
	if objects < 500 {
		t.Errorf("only %d objects", objects)
	}
}

// fill fills a value at random, some of it not at all.
func fill(src *rand.Rand, v reflect.Value, depth int) {
	switch x := v.Addr().Interface().(type) {
	case *metav1.Time:
		*x = metav1.NewTime(time.Unix(src.Int64N(1e9), 0))
	case *metav1.MicroTime:
		*x = metav1.NewMicroTime(time.Unix(src.Int64N(1e9), 7000))
	case *resource.Quantity:
		*x = *resource.NewMilliQuantity(src.Int64N(1e6), resource.DecimalSI)
	case *intstr.IntOrString:
		*x = []intstr.IntOrString{intstr.FromInt32(-7), intstr.FromString("5%")}[src.IntN(2)]
	case *runtime.RawExtension:
		x.Raw = []byte(`{"a":[1,2.5,null,"x"],"b":{"c":true}}`)
	case *metav1.FieldsV1:
		*x = *metav1.NewFieldsV1(`{"f:spec":{}}`)
	default:
		fillKind(src, v, depth)
	}
}

func fillKind(src *rand.Rand, v reflect.Value, depth int) {
	if src.IntN(6) == 0 || depth == 0 {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(src, v.Field(i), depth-1)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(src, v.Elem(), depth-1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), src.IntN(3), 3))
		for i := range v.Len() {
			fill(src, v.Index(i), depth-1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for i := range src.IntN(3) {
			elem := reflect.New(v.Type().Elem()).Elem()
			fill(src, elem, depth-1)
			v.SetMapIndex(reflect.ValueOf(fmt.Sprint("key", i)).Convert(v.Type().Key()), elem)
		}
	case reflect.String:
		v.SetString([]string{"", "a", "été"}[src.IntN(3)])
	case reflect.Bool:
		v.SetBool(src.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(src.Int64N(100) - 50)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32:
		v.SetUint(src.Uint64N(100))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(src.Float64())
	}
}

// Types with what API types rarely have.
type (
	inner struct {
		Deep   string `json:"deep"`
		Shadow string `json:"shadow,omitempty"`
	}
	middle struct {
		inner
		Level int8 `json:"level,omitempty"`
	}
	Pointed struct {
		Behind string `json:"behind"`
		Port   *int32 `json:"port,omitempty"`
	}
	yes       bool
	byValue   struct{ N int }
	byPointer struct{ N int }
	recursive struct{ Next *recursive }
	rare      struct {
		middle
		*Pointed
		Named   inner       `json:"named,omitempty"`
		Shadow  string      `json:"shadow"`
		Zero    inner       `json:"zero,omitzero"`
		When    metav1.Time `json:"when,omitzero"`
		Skipped string      `json:"-"`
		//lint:ignore SA5008 a field named "-" is what this is about
		Dash string `json:"-,"`
		//lint:ignore U1000 a field that is not exported is not seen
		hidden    string
		Float     float64          `json:"float,omitempty"`
		Yes       yes              `json:"yes,omitempty"`
		Any       any              `json:"any"`
		Anys      []any            `json:"anys,omitempty"`
		Structs   map[string]inner `json:"structs,omitempty"`
		Times     map[string]metav1.Time
		Lists     map[string][]string
		Counts    map[string]int32
		Ports     map[yesKey]intstr.IntOrString
		Bytes     []byte `json:"bytes,omitempty"`
		Value     byValue
		ValueP    *byValue
		Pointer   byPointer
		Recursive recursive
		Nothing   struct{}
		Alsonone  struct{}
		Chan      chan int
	}
	yesKey string
)

func (b byValue) MarshalJSON() ([]byte, error) {
	switch b.N {
	case 0:
		return []byte("null"), nil
	case 1:
		return []byte("[1, 2.5]"), nil
	case 2:
		return []byte(`{"a": {"b": null}}`), nil
	}
	return []byte("7"), nil
}

func (b *byPointer) MarshalJSON() ([]byte, error) { return []byte(`"pointer"`), nil }

// TestRareTypes does the same for types that API types have no example of.
func TestRareTypes(t *testing.T) {
	one, r, types := int32(1), reader(), &view.Types{}
	for _, tt := range []struct {
		why    string
		object *rare
	}{
		{"all zero", &rare{}},
		{"embedded", &rare{middle: middle{inner: inner{Deep: "d", Shadow: "s"}, Level: 3}, Pointed: &Pointed{Behind: "b", Port: &one}, Shadow: "own"}},
		{"values of any type behind an interface", &rare{Any: map[string]any{"a": nil, "b": []any{int64(1), 2.5, "x", true}}, Anys: []any{nil, inner{}, intstr.FromInt32(1), int8(4), metav1.Time{}}}},
		{"values in maps cannot be addressed", &rare{
			Structs: map[string]inner{"a": {Deep: "x"}}, Times: map[string]metav1.Time{"z": {}, "n": metav1.Now()}, Lists: map[string][]string{"n": nil, "e": {}, "l": {"a"}},
			Counts: map[string]int32{"a": 1, "b": 0}, Ports: map[yesKey]intstr.IntOrString{"p": intstr.FromString("http")},
		}},
		{"converters", &rare{Value: byValue{1}, ValueP: &byValue{2}, Pointer: byPointer{1}, When: metav1.Now(), Bytes: []byte("abc")}},
		{"a converter that gives a number", &rare{Value: byValue{3}, ValueP: &byValue{0}}},
		{"no number", &rare{Float: math.NaN()}},
		{"negative zero is empty", &rare{Float: math.Copysign(0, -1), Yes: true, Dash: "d", Skipped: "s"}},
		{"a type within itself", &rare{Recursive: recursive{Next: &recursive{Next: &recursive{}}}}},
	} {
		t.Run(tt.why, func(t *testing.T) {
			slow, fast := bothViews(t, types, tt.object)
			alike(t, r, "rare", slow, fast)
			alike(t, r, "rare v4", slow, viewOfV4(t, types, tt.object))
		})
	}
}

// TestUnsupported: what structured-merge-diff panics on is Opaque.
func TestUnsupported(t *testing.T) {
	port := int32(1)
	pointer := &port
	for _, object := range []any{
		&struct{ N uint64 }{}, &struct{ N [2]int }{}, &struct{ N complex128 }{}, &struct{ C chan int }{make(chan int)}, &struct{ P **int32 }{&pointer},
		&struct{ I intstr.IntOrString }{intstr.IntOrString{Type: 5}}, &struct{ A any }{uint64(1)}, &struct{ A any }{&inner{}},
	} {
		v, err := value.NewValueReflect(object)
		if err != nil {
			t.Fatal(err)
		}
		v4, err := value4.NewValueReflect(object)
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
		for name, v := range map[string]view.View{"v6": new(view.Types).Of(v), "v4": new(view.Types).Of(valuev4.Of(v4))} {
			r := new(view.Reader)
			field, ok := r.Field(v, r.Keys(v)[0])
			if text := panics(func() { v.JSON() }); !ok || field.Kind() != view.Opaque || text != "<nil>" {
				t.Errorf("%T, %s: the field is of kind %d, JSON panics with %s", object, name, field.Kind(), text)
			}
		}
	}
}

// TestConcurrentTypes: types are found out by many goroutines at once.
func TestConcurrentTypes(t *testing.T) {
	types := &view.Types{}
	done := make(chan any)
	for range 8 {
		go func() {
			v, err := value.NewValueReflect(&corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "a"}}}})
			if err != nil {
				done <- err
				return
			}
			done <- types.Of(v).JSON()
		}()
	}
	first := <-done
	for range 7 {
		if d := cmp.Diff(first, <-done); d != "" {
			t.Errorf("two goroutines see different objects:\n%s", d)
		}
	}
}
