package view_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// TestWrongKind checks that asking a value for something of a different kind returns a zero value.
func TestWrongKind(t *testing.T) {
	r := new(view.Reader)
	for _, x := range []any{nil, true, int64(1), 1.5, "a", []any{"a"}, map[string]any{"a": "b"}, make(chan int), uint64(1)} {
		for _, v := range []view.View{view.OfJSON(x), view.Of(value.NewValueInterface(x))} {
			_, field := r.Field(v, "a")
			_, item := r.At(v, 0)
			_, behind := r.At(v, 1)
			k := v.Kind()
			if v.Bool() && k != view.Bool || v.Str() != "" && k != view.String || v.Int() != 0 && k != view.Int || field &&
				k != view.Map || item && k != view.List || behind {
				t.Errorf("%T is of kind %d: bool %t, text %q, integer %d, a field %t, an item %t, one behind its end %t", x, k,
					v.Bool(), v.Str(), v.Int(), field, item, behind)
			}
		}
	}
}

// TestKeys: keys that are not strings are written as by encoding/json.
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

// TestAmountsOfTwoObjects: a reader reuses the texts of quantities for the next object, but keeps nothing
// that the owner of the last object may change, such as the digits of a quantity that does not fit into an
// int64.
func TestAmountsOfTwoObjects(t *testing.T) {
	r, types := new(view.Reader), &view.Types{}
	text := func(limits map[string]resource.Quantity) string {
		_, fast := bothViews(t, types, &struct {
			Limits map[string]resource.Quantity `json:"limits"`
		}{limits})
		in, _ := r.Field(fast, "limits")
		amount, _ := r.Field(in, "cpu")
		written := amount.Str()
		r.Forget()
		return written
	}
	const large = "100000000000000000000"
	amount := resource.MustParse(large)
	if got := text(map[string]resource.Quantity{"cpu": amount}); got != "100E" {
		t.Errorf("%s is %q", large, got)
	}
	amount.Add(resource.MustParse("1"))
	for _, tt := range []struct{ amount, want string }{{large, "100E"}, {"100000000000000000001", "100000000000000000001"}} {
		if got := text(map[string]resource.Quantity{"cpu": resource.MustParse(tt.amount)}); got != tt.want {
			t.Errorf("%s is %q after the owner of the first object changed it; want %q", tt.amount, got, tt.want)
		}
	}
}

// TestEqual lists pairs that are easily confused.
func TestEqual(t *testing.T) {
	r := new(view.Reader)
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
