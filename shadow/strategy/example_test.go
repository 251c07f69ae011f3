package strategy_test

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/diffrun/diffrun/shadow/strategy"
)

// The scheme of an API server reads the objects of a target. A field that the version does not have is an error.
func ExampleNewScheme() {
	reading := strategy.NewScheme(scheme.Scheme)
	version := schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}
	_, err := reading.Decode(map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "dat": map[string]any{}}, version)
	fmt.Println(err)
	// Output:
	// strict decoding error: unknown field "dat"
}
