package pruning_test

import (
	"fmt"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/pruning"
)

// A schema is compiled once and then prunes any number of objects.
func ExampleCompile() {
	schema := new(spec.Schema).Typed("object", "").
		SetProperty("size", *spec.Int64Property()).
		SetProperty("labels", *spec.MapProperty(spec.StringProperty()))
	pruner, err := pruning.Compile(schema, pruning.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	result := pruner.Prune(map[string]any{
		"size": int64(1), "colour": "red", "labels": map[string]any{"any": "key"},
	})
	fmt.Println(result.Object)
	fmt.Println("dropped:", result.Dropped)
	// Output:
	// map[labels:map[any:key] size:1]
	// dropped: [colour]
}
