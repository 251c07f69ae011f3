package idl_test

import (
	"encoding/json"
	"fmt"

	"github.com/diffrun/diffrun/backends/declarative/idl"
)

// The schema of a Go type of k8s.io/api, with a bound that its source does not
// declare.
func ExampleGenerate() {
	overlay, err := idl.ReadOverlay("rollout.yaml", []byte(`
package: k8s.io/api/apps
types:
  RollingUpdateStatefulSetStrategy:
    fields:
      partition: [+minimum=0]
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	root := idl.TypeName{Package: "k8s.io/api/apps/v1", Name: "RollingUpdateStatefulSetStrategy"}
	result, err := idl.Generate(idl.Config{Roots: []idl.TypeName{root}, Overlays: []*idl.Overlay{overlay}})
	if err != nil {
		fmt.Println(err)
		return
	}
	schema, err := json.MarshalIndent(result.Definitions[root.Definition()].Properties["partition"], "", "  ")
	fmt.Println(string(schema), err)
	for _, each := range result.Declared {
		fmt.Println(each.Position, each.Text)
	}
	// Output:
	// {
	//   "type": "integer",
	//   "format": "int32",
	//   "minimum": 0
	// } <nil>
	// rollout.yaml:6 +minimum=0
}
