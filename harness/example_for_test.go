package harness_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/harness"
)

// Widget is the Go type of an API.
type Widget struct {
	Size int64 `json:"size"`
}

// validateWidget is its hand-written validator.
func validateWidget(_ context.Context, widget, _ *Widget) field.ErrorList {
	if widget.Size < 0 {
		return field.ErrorList{field.Invalid(field.NewPath("size"), widget.Size, "must be greater than or equal to 0")}
	}
	return nil
}

// widgetSchema is its schema, which has one more bound.
func widgetSchema() *spec.Schema {
	return new(spec.Schema).Typed("object", "").
		SetProperty("size", *spec.Int64Property().WithMinimum(0, false).WithMaximum(9, false))
}

// A table test binds both validators once, and calls Test for each case instead of the validator.
func testValidateWidget(t testing.TB) {
	validator, err := declarative.Compile(widgetSchema(), declarative.Options{})
	if err != nil {
		t.Fatal(err)
	}
	both := harness.For(t, &harness.Target{
		Scheme: harness.Documents{},
		Versions: []harness.Version{{
			GroupVersionKind: schema.GroupVersionKind{Group: "example.dev", Version: "v1", Kind: "Widget"},
			Native:           native.Func[*Widget](validateWidget),
			Declarative:      declarative.Backend{Validator: validator},
		}},
	})
	for _, size := range []int64{1, -1, 10} {
		widget := map[string]any{"apiVersion": "example.dev/v1", "kind": "Widget", "size": size}
		errs := both.Test(t, harness.Case{Object: widget}) // was: validateWidget(ctx, widget, nil)
		fmt.Printf("size %d has %d native errors\n", size, len(errs))
	}
}

// Test fails a test if the validators differ, and returns the native errors. Here a
// built-in rule explains the two wordings of the lower bound.
func ExampleFor() {
	testValidateWidget(printing{}) // in a test: func TestValidateWidget(t *testing.T)
	// Output:
	// size 1 has 0 native errors
	// size -1 has 1 native errors
	// FAIL too-strict at size in example.dev/v1 Widget
	// 	      native       no such error
	// 	      declarative  FieldValueInvalid  10  size in body should be less than or equal to 9
	// 	a stored object stays editable: ratcheting accepts what an update does not change
	// what to do: fix the validator or the schema
	// size 10 has 0 native errors
}

// printing is the testing.TB of an example.
type printing struct{ testing.TB }

func (printing) Helper()                  {}
func (printing) Name() string             { return "TestValidateWidget" }
func (printing) Context() context.Context { return context.Background() }
func (printing) Logf(format string, args ...any) {
	advice, _, _ := strings.Cut(fmt.Sprintf(format, args...), ". ")
	fmt.Println(advice)
}
func (printing) Fatal(args ...any) { panic(fmt.Sprint(args...)) }
func (printing) Errorf(format string, args ...any) {
	fmt.Println("FAIL", fmt.Sprintf(format, args...))
}
