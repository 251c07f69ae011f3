package view_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

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

// TestEntries: the entries of a map are its keys in order, each with its value.
func TestEntries(t *testing.T) {
	r := new(view.Reader)
	slow, fast := bothViews(t, &view.Types{}, holding())
	for _, object := range []view.View{slow, fast, view.OfJSON(map[string]any{"texts": map[string]any{"k": "v"}, "many": map[string]any{}, "any": map[string]any(nil)})} {
		for _, name := range append(r.Keys(object), "") {
			v, ok := r.Field(object, name)
			if !ok {
				v = object
			}
			e := r.Entries(v)
			if keys := r.Keys(v); !slices.Equal(keys, e.Keys) && len(keys)+len(e.Keys) > 0 {
				t.Fatalf("%s: keys %q, entries %q", name, keys, e.Keys)
			}
			for i, key := range e.Keys {
				if want, _ := r.Field(v, key); !r.Equal(want, e.Values[i]) {
					t.Errorf("%s[%q]: %v, want %v", name, key, e.Values[i].JSON(), want.JSON())
				}
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
	r := new(view.Reader)
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
