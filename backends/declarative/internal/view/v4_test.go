package view_test

import (
	"testing"

	value4 "sigs.k8s.io/structured-merge-diff/v4/value"

	"github.com/diffrun/diffrun/backends/declarative/internal/foreignv4"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
	"github.com/diffrun/diffrun/backends/declarative/valuev4"
)

// The two ways in which package valuev4 shows a value of v4.
const (
	handedOver        = "v4, the object handed over"
	throughInterfaces = "v4, read through its interfaces"
)

// viewsOfV4 gives an object as it is seen through structured-merge-diff v4.
func viewsOfV4(t *testing.T, types *view.Types, object any) map[string]view.View {
	t.Helper()
	v, err := value4.NewValueReflect(object)
	if err != nil {
		t.Fatal(err)
	}
	direct, foreign := types.Of(valuev4.Of(v)), types.Of(valuev4.Of(foreignv4.Value{Value: v}))
	if _, known := direct.Struct(); !known {
		t.Fatalf("%T is not handed over: v4 has no field Value any more?", object)
	}
	if _, known := foreign.Struct(); known {
		t.Fatalf("%T is handed over from a value that hides it", object)
	}
	return map[string]view.View{handedOver: direct, throughInterfaces: foreign}
}
