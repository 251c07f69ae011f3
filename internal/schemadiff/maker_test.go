package schemadiff_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/schemadiff"
)

// TestMaker: what is made for a number depends on the seed and the number alone, and is valid or
// wrong, a create or an update.
func TestMaker(t *testing.T) {
	bound := spec.Int64Property()
	ten := 10.0
	bound.Maximum = &ten
	side, err := schemadiff.Compile(&spec.Schema{SchemaProps: spec.SchemaProps{
		Type: spec.StringOrArray{"object"}, Required: []string{"size"}, Properties: map[string]spec.Schema{"size": *bound, "name": *spec.StringProperty()},
	}}, nil, schemadiff.AnySchema)
	if err != nil {
		t.Fatal(err)
	}
	widget := schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}
	maker := func(seed uint64) *schemadiff.Maker {
		m, err := schemadiff.NewMaker(t.Context(), side, widget, seed)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	first, again, other := maker(1), maker(1), maker(2)
	same, updates, valid, wrong := 0, 0, 0, 0
	const made = 300
	for number := uint64(made); number > 0; number-- { // again makes them in another order
		_, _ = again.Make(number)
	}
	for number := range uint64(made) {
		object, old := first.Make(number)
		objectAgain, oldAgain := again.Make(number)
		if diff := cmp.Diff([]any{object, old}, []any{objectAgain, oldAgain}); diff != "" {
			t.Fatalf("number %d is another one the second time:\n%s", number, diff)
		}
		if elsewhere, _ := other.Make(number); cmp.Equal(object, elsewhere) {
			same++
		}
		if old != nil {
			updates++
		}
		if object["kind"] != "Widget" || object["apiVersion"] != "example.com/v1" {
			t.Fatalf("number %d is no Widget: %v", number, object)
		}
		if len(side.Validate(t.Context(), object)) == 0 {
			valid++
		} else {
			wrong++
		}
	}
	if updates != made/3 || valid < made/10 || wrong < made/10 || same > made/2 {
		t.Errorf("of %d, %d are updates, %d valid, %d wrong, and %d are the same with another seed", made, updates, valid, wrong, same)
	}
}
