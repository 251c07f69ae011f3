package view_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// holdingMaps are maps of Go and of JSON data, and what is no map.
type holdingMaps struct {
	Texts      map[string]string             `json:"texts"`
	Quantities corev1.ResourceList           `json:"quantities"`
	Others     corev1.ResourceList           `json:"others"`
	Structs    map[string]corev1.EnvVar      `json:"structs"`
	Pointers   map[string]*int32             `json:"pointers"`
	Many       map[corev1.ResourceName]int64 `json:"many"`
	Any        any                           `json:"any"`
	Empty      map[string]bool               `json:"empty"`
	None       map[string]bool               `json:"none"`
}

func holding() *holdingMaps {
	one := int32(1)
	o := &holdingMaps{
		Texts:      map[string]string{"b": "2", "a": "1", "": "3"},
		Quantities: corev1.ResourceList{"cpu": resource.MustParse("100m"), "memory": resource.MustParse("64Mi")},
		Others:     corev1.ResourceList{"cpu": resource.MustParse("1"), "memory": resource.MustParse("2")},
		Structs:    map[string]corev1.EnvVar{"x": {Name: "n"}, "w": {Value: "v"}},
		Pointers:   map[string]*int32{"nil": nil, "one": &one},
		Many:       map[corev1.ResourceName]int64{},
		Any:        map[string]any{"z": int64(1), "y": []any{"a"}},
		Empty:      map[string]bool{},
	}
	for i := range int64(40) {
		o.Many[corev1.ResourceName(fmt.Sprintf("key-%d", i*7%40))] = i
	}
	return o
}

// sameEntries holds that what is remembered of a map is what is in it.
func sameEntries(t *testing.T, m *view.Maps, r *view.Reader, at string, v view.View) {
	t.Helper()
	e := m.Of(v)
	if keys := r.Keys(v); !slices.Equal(keys, e.Keys) && len(keys)+len(e.Keys) > 0 {
		t.Fatalf("%s: keys %q, remembered %q", at, keys, e.Keys)
	}
	for i, key := range append(e.Keys, "no such key") {
		want, ok := r.Field(v, key)
		got, found := e.Find(key)
		again, size, also := m.Field(v, key)
		if ok != found || ok != also || size != r.Len(v) || !r.Equal(want, got) || !r.Equal(want, again) || (ok && !r.Equal(want, e.Values[i])) {
			t.Errorf("%s[%q]: %v %t, remembered %v %t, looked up %v %t", at, key, want.JSON(), ok, got.JSON(), found, again.JSON(), also)
		}
	}
}

// TestMaps looks at more maps than are remembered, again and again.
func TestMaps(t *testing.T) {
	types, r := &view.Types{}, view.NewReader(value.HeapAllocator)
	m := view.NewMaps(r)
	for round := range 4 {
		objects := []view.View{view.OfJSON(map[string]any{"texts": map[string]any{"k": "v"}, "many": map[string]any{}, "any": map[string]any(nil)})}
		for range 3 {
			slow, fast := bothViews(t, types, holding())
			objects = append(objects, slow, fast)
		}
		for i, object := range objects {
			for _, name := range []string{"texts", "quantities", "others", "structs", "pointers", "many", "any", "empty", "none"} {
				if v, ok := r.Field(object, name); ok {
					sameEntries(t, m, r, fmt.Sprint(round, " ", i, " ", name), v)
				}
				if i%2 == 0 {
					m.Next()
				}
			}
			sameEntries(t, m, r, "the object itself", object)
		}
		m.Forget()
	}
}

// TestMapsKeep: what was given stays what it is until Next, however many maps are looked at.
func TestMapsKeep(t *testing.T) {
	types, r := &view.Types{}, view.NewReader(value.HeapAllocator)
	m := view.NewMaps(r)
	for range 3 {
		m.Next()
		var given []*view.Entries
		var want []string
		for i := range 20 {
			o := holding()
			o.Quantities["cpu"] = *resource.NewQuantity(int64(i), resource.DecimalSI)
			_, fast := bothViews(t, types, o)
			v, _ := r.Field(fast, "quantities")
			given, want = append(given, m.Of(v)), append(want, fmt.Sprint(i))
		}
		for i, e := range given {
			if v, ok := e.Find("cpu"); !ok || v.Str() != want[i] {
				t.Errorf("map %d: cpu is %q now, was %s", i, v.Str(), want[i])
			}
		}
	}
}

// TestKeys: keys that are no texts are those that encoding/json writes.
func TestKeys(t *testing.T) {
	object := &struct {
		Ints  map[int32]string `json:"ints"`
		Uints map[uint8]bool   `json:"uints"`
		Odd   map[bool]bool    `json:"odd"`
	}{map[int32]string{-7: "a", 12: "b"}, map[uint8]bool{255: true}, map[bool]bool{}}
	_, fast := bothViews(t, &view.Types{}, object)
	r := view.NewReader(value.HeapAllocator)
	want := map[string]any{"ints": map[string]any{"-7": "a", "12": "b"}, "uints": map[string]any{"255": true}, "odd": map[string]any{}}
	if d := cmp.Diff(want, fast.JSON()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for name, keys := range map[string]map[string]bool{
		"ints":  {"-7": true, "12": true, "07": false, "+12": false, "x": false, "": false, "99999999999": false},
		"uints": {"255": true, "256": false, "-1": false},
		"odd":   {"true": false},
	} {
		in, _ := r.Field(fast, name)
		for key, there := range keys {
			if _, ok := r.Field(in, key); ok != there {
				t.Errorf("%s[%q] is there: %t", name, key, ok)
			}
		}
	}
	if !r.Equal(fast, fast) {
		t.Error("the object does not equal itself")
	}
}
