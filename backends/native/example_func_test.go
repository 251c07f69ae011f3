package native_test

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// Func makes a backend of a function that takes your own Go type. Documents are decoded into it; a document
// that does not fit is a fault.
func ExampleFunc() {
	backend := native.Func[*Widget](func(_ context.Context, widget, old *Widget) field.ErrorList {
		if old != nil && widget.Color != old.Color { // old is nil for a create
			return field.ErrorList{field.Invalid(field.NewPath("color"), widget.Color, "field is immutable")}
		}
		return nil
	})
	for _, color := range []any{"red", "blue", int64(5)} {
		errs, fault := backend.Validate(context.Background(), &harness.Input{
			Object: contract.NewView(map[string]any{"color": color}),
			Old:    contract.NewView(map[string]any{"color": "red"}),
		})
		fmt.Println(errs.ToAggregate(), fault)
	}
	// Output:
	// <nil> <nil>
	// color: Invalid value: "blue": field is immutable <nil>
	// <nil> decoding into *native_test.Widget: cannot convert int64 to string
}
