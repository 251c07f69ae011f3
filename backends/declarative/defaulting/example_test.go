package defaulting_test

import (
	"fmt"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/defaulting"
)

// A schema is compiled once and then fills its defaults into any number of objects. The default of a nested
// field is set only if the outer field is set.
func ExampleCompile() {
	inner := new(spec.Schema).Typed("object", "").
		SetProperty("replicas", *spec.Int64Property().WithDefault(int64(1)))
	schema := new(spec.Schema).Typed("object", "").SetProperty("spec", *inner)
	defaulter, err := defaulting.Compile(schema, defaulting.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(defaulter.Default(map[string]any{}))
	fmt.Println(defaulter.Default(map[string]any{"spec": map[string]any{}}))
	// Output:
	// map[]
	// map[spec:map[replicas:1]]
}
