package subresource_test

import (
	"fmt"

	"github.com/diffrun/diffrun/backends/declarative/subresource"
)

// An update of the resource does not change its status; the result lists the ignored fields.
func ExampleSubresources_Update() {
	resource := subresource.Subresources{Status: true}
	old := map[string]any{
		"metadata": map[string]any{"generation": int64(1)},
		"spec":     map[string]any{"size": int64(1)}, "status": map[string]any{"ready": true},
	}
	object := map[string]any{
		"metadata": map[string]any{"generation": int64(1)},
		"spec":     map[string]any{"size": int64(2)}, "status": map[string]any{"ready": false},
	}
	request := resource.Update(object, old)
	fmt.Println(request.Object)
	fmt.Println("ignored:", request.Ignored)
	// Output:
	// map[metadata:map[generation:2] spec:map[size:2] status:map[ready:true]]
	// ignored: [status.ready]
}
