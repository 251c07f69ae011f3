package view_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	value4 "sigs.k8s.io/structured-merge-diff/v4/value"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
	"github.com/diffrun/diffrun/backends/declarative/valuev4"
)

// sample has a field for each kind of Go value that API types are made of.
type sample struct {
	Text     string             `json:"text"`
	Named    corev1.Protocol    `json:"named"`
	Number   int32              `json:"number"`
	Unsigned uint32             `json:"unsigned"`
	Ratio    float32            `json:"ratio"`
	On       bool               `json:"on"`
	Bytes    []byte             `json:"bytes"`
	List     []string           `json:"list"`
	Map      map[string]int64   `json:"map"`
	Inner    *sample            `json:"inner"`
	Port     intstr.IntOrString `json:"port"`
	Quantity resource.Quantity  `json:"quantity"`
	Time     metav1.Time        `json:"time"`
	NilList  []string           `json:"nilList"`
	NilMap   map[string]string  `json:"nilMap"`
	Omitted  string             `json:"omitted,omitempty"`
	Any      any                `json:"any"`
}

func typed(t *testing.T, object any) view.View {
	t.Helper()
	v, err := value.NewValueReflect(object)
	if err != nil {
		t.Fatal(err)
	}
	return view.Of(v)
}

func reader() *view.Reader { return new(view.Reader) }

// TestKinds holds that a typed object and its JSON data look the same.
func TestKinds(t *testing.T) {
	object := typed(t, &sample{
		Text: "a", Named: "TCP", Number: 1, Unsigned: 2, Ratio: 1.5, On: true, Bytes: []byte("abc"),
		List: []string{"x"}, Map: map[string]int64{"k": 3}, Inner: &sample{}, Port: intstr.FromString("http"),
		Quantity: resource.MustParse("100m"), Any: []any{int64(1)},
	})
	data := view.OfJSON(map[string]any{
		"text": "a", "named": "TCP", "number": int64(1), "unsigned": int64(2), "ratio": 1.5, "on": true, "bytes": "YWJj",
		"list": []any{"x"}, "map": map[string]any{"k": int64(3)}, "inner": map[string]any{}, "port": "http",
		"quantity": "100m", "time": nil, "nilList": nil, "nilMap": nil, "any": []any{int64(1)},
	})
	want := map[string]view.Kind{
		"text": view.String, "named": view.String, "number": view.Int, "unsigned": view.Int, "ratio": view.Float,
		"on": view.Bool, "bytes": view.String, "list": view.List, "map": view.Map, "inner": view.Map, "port": view.String,
		"quantity": view.String, "time": view.Null, "nilList": view.Null, "nilMap": view.Null, "any": view.List,
	}
	r := reader()
	for name, kind := range want {
		a, ok := r.Field(object, name)
		b, ok2 := r.Field(data, name)
		if !ok || !ok2 || a.Kind() != kind || b.Kind() != kind {
			t.Errorf("%s: kind %d in the object, %d in the data, want %d", name, a.Kind(), b.Kind(), kind)
		}
		if name != "inner" && !r.Equal(a, b) {
			t.Errorf("%s: %v in the object, %v in the data", name, a.JSON(), b.JSON())
		}
	}
	if _, ok := r.Field(object, "omitted"); ok {
		t.Error("an empty field with omitempty is there")
	}
	if d := cmp.Diff(r.Keys(object), r.Keys(data)); d != "" {
		t.Errorf("keys (-object +data):\n%s", d)
	}
}

// TestWrongKind holds that asking for what a value is not gives a zero value.
func TestWrongKind(t *testing.T) {
	r := reader()
	for _, x := range []any{nil, true, int64(1), 1.5, "a", []any{"a"}, map[string]any{"a": "b"}, make(chan int), uint64(1)} {
		v4 := value4.NewValueInterface(x)
		for _, v := range []view.View{view.OfJSON(x), view.Of(value.NewValueInterface(x)), view.Of(valuev4.Of(v4))} {
			if v.Kind() != view.Bool && v.Bool() {
				t.Errorf("%T is true", x)
			}
			if v.Kind() != view.String && v.Str() != "" {
				t.Errorf("%T is text %q", x, v.Str())
			}
			if v.Kind() != view.Int && v.Int() != 0 {
				t.Errorf("%T is integer %d", x, v.Int())
			}
			if _, ok := r.Field(v, "a"); ok && v.Kind() != view.Map {
				t.Errorf("%T has a field", x)
			}
			if _, ok := r.At(v, 0); ok && v.Kind() != view.List {
				t.Errorf("%T has an item", x)
			}
			if _, ok := r.At(v, 1); ok {
				t.Errorf("%T has an item behind its end", x)
			}
		}
	}
}

// visits visits everything below a value, from within the visits.
type visits struct {
	r    *view.Reader
	path string
	seen map[string]any
}

func (s *visits) Entry(key string, v view.View) bool { return s.visit("."+key, v) }
func (s *visits) Item(i int, v view.View) bool       { return s.visit(fmt.Sprintf("[%d]", i), v) }

func (s *visits) visit(step string, v view.View) bool {
	outer := s.path
	s.path += step
	if v.Kind() == view.Map || v.Kind() == view.List {
		s.r.Each(v, s)
	} else {
		s.seen[s.path] = v.JSON()
	}
	s.path = outer
	return true
}

// TestEach visits a typed object and the same as data.
func TestEach(t *testing.T) {
	object := &struct {
		List []map[string][]int32 `json:"list"`
		Map  map[string]*corev1.ContainerPort
	}{
		List: []map[string][]int32{{"a": {1, 2}}, {"b": {3}}},
		Map:  map[string]*corev1.ContainerPort{"x": {ContainerPort: 80, Protocol: "TCP"}, "y": {Name: "n"}},
	}
	want := map[string]any{
		".list[0].a[0]": int64(1), ".list[0].a[1]": int64(2), ".list[1].b[0]": int64(3),
		".Map.x.containerPort": int64(80), ".Map.x.protocol": "TCP", ".Map.y.name": "n", ".Map.y.containerPort": int64(0),
	}
	v := typed(t, object)
	for name, v := range map[string]view.View{"object": v, "data": view.OfJSON(v.JSON())} {
		r := reader()
		for range 2 { // values are used again
			s := &visits{r: r, seen: map[string]any{}}
			r.Each(v, s)
			if d := cmp.Diff(want, s.seen); d != "" {
				t.Errorf("%s (-want +got):\n%s", name, d)
			}
		}
	}
}

// TestZero lists what counts as not set.
func TestZero(t *testing.T) {
	r := reader()
	for _, tt := range []struct {
		value any
		zero  bool
	}{
		{nil, true}, {"", true}, {int64(0), true}, {0.0, true}, {false, true}, {[]any{}, true}, {map[string]any{}, true},
		{"a", false}, {int64(1), false}, {0.1, false}, {true, false}, {[]any{nil}, false}, {map[string]any{"a": nil}, false},
	} {
		if got := r.Zero(view.OfJSON(tt.value)); got != tt.zero {
			t.Errorf("%#v is zero: %t", tt.value, got)
		}
	}
}

// TestEqual lists pairs that are easily mistaken for one another.
func TestEqual(t *testing.T) {
	r := reader()
	for _, tt := range []struct {
		why   string
		a, b  any
		equal bool
	}{
		{"an integer is no float", int64(1), 1.0, false},
		{"nor a text", int64(1), "1", false},
		{"null is not an empty list", nil, []any{}, false},
		{"an absent entry is not null", map[string]any{}, map[string]any{"a": nil}, false},
		{"as many entries, others", map[string]any{"a": nil}, map[string]any{"b": nil}, false},
		{"order counts", []any{"a", "b"}, []any{"b", "a"}, false},
		{"deep", map[string]any{"a": []any{map[string]any{"b": 1.5}}}, map[string]any{"a": []any{map[string]any{"b": 1.5}}}, true},
		{"other width", int32(1), int64(1), true},
	} {
		if got := r.Equal(view.OfJSON(tt.a), view.OfJSON(tt.b)); got != tt.equal {
			t.Errorf("%s: %#v and %#v are equal: %t", tt.why, tt.a, tt.b, got)
		}
	}
}
