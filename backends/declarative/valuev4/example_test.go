package valuev4_test

import (
	"context"
	"fmt"

	"k8s.io/kube-openapi/pkg/validation/spec"
	value4 "sigs.k8s.io/structured-merge-diff/v4/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/valuev4"
)

// Callers with values of structured-merge-diff v4 wrap each with Of.
func Example() {
	schema := new(spec.Schema).Typed("object", "").
		SetProperty("replicas", *spec.Int64Property().WithMinimum(0, false))
	validator, err := declarative.Compile(schema, declarative.Options{})
	if err != nil {
		panic(err)
	}
	old := value4.NewValueInterface(map[string]any{"replicas": int64(1)})
	object := value4.NewValueInterface(map[string]any{"replicas": int64(-1)})
	for _, err := range validator.Validate(context.Background(), valuev4.Of(object), valuev4.Of(old)) {
		fmt.Println(err)
	}
	// Output:
	// replicas: Invalid value: -1: replicas in body should be greater than or equal to 0
}
