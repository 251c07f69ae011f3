package reflected_test

import (
	"reflect"
	"testing"

	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative/internal/reflected"
)

// TestGoValue unwraps values of structured-merge-diff and nothing else.
func TestGoValue(t *testing.T) {
	object := &struct{ Name string }{"a"}
	v, err := value.NewValueReflect(object)
	if err != nil {
		t.Fatal(err)
	}
	w := reflected.WrapperOf(v)
	got, ok := w.GoValue(v)
	if !ok || !got.CanAddr() || got.Addr().Interface() != any(object) {
		t.Errorf("got %v, %t; want the object itself", got, ok)
	}
	if got, ok := w.GoValue(value.NewValueInterface("a")); ok {
		t.Errorf("a value of another type gives %v", got)
	}
	type hidden struct{ value reflect.Value }
	type other struct{ Value string }
	for _, sample := range []any{nil, "text", object, &hidden{value: reflect.ValueOf(1)}, &other{}, other{}} {
		if got, ok := reflected.WrapperOf(sample).GoValue(sample); ok {
			t.Errorf("%T is taken for a wrapper and gives %v", sample, got)
		}
	}
}
