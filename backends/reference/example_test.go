package reference_test

import (
	"context"
	"fmt"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/reference"
)

// A schema is compiled once. Objects are JSON values; old is nil for a create.
func ExampleCompile() {
	schema := new(spec.Schema).Typed("object", "").
		SetProperty("size", *spec.Int64Property().WithMinimum(0, false))
	validator, err := reference.Compile(schema, reference.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, err := range validator.Validate(context.Background(), map[string]any{"size": int64(-1)}, nil) {
		fmt.Println(err)
	}
	// Output:
	// size: Invalid value: -1: size in body should be greater than or equal to 0
}
