package view_test

import (
	"testing"

	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// TestEqualEndless: a Go object that contains itself is compared to an end.
func TestEqualEndless(t *testing.T) {
	type object struct {
		Next *object `json:"next,omitempty"`
	}
	types, r := &view.Types{}, new(view.Reader)
	of := func(o *object) view.View {
		v, err := value.NewValueReflect(o)
		if err != nil {
			t.Fatal(err)
		}
		return types.Of(v)
	}
	endless := &object{}
	endless.Next = endless
	if r.Equal(of(endless), of(endless)) {
		t.Error("values that are too deep to be compared are equal")
	}
	if !r.Equal(of(&object{Next: &object{}}), of(&object{Next: &object{}})) {
		t.Error("objects of two levels are not equal")
	}
}
