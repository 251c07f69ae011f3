package structural_test

import (
	"fmt"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/structural"
)

// Check names everything that keeps a schema from being structural.
func ExampleCheck() {
	schema := new(spec.Schema).Typed("object", "").
		SetProperty("size", spec.Schema{}).
		SetProperty("owner", *spec.RefSchema("#/definitions/Owner"))
	for _, err := range structural.Check(schema) {
		fmt.Println(structural.Message(err))
	}
	// Output:
	// .properties[owner].$ref $ref is not supported
	// .properties[owner].type must be non-empty
	// .properties[size].type must be non-empty
}
