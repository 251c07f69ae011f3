package customresource_test

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
)

// gadgets is what controller-gen makes, and a test reads from config/crd.
const gadgets = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.dev}
spec:
  group: example.dev
  scope: Namespaced
  names: {kind: Gadget, plural: gadgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            default: {}
            properties:
              replicas: {type: integer, default: 1, minimum: 0, maximum: 100}
`

// Gadget is the Go type of the API.
type Gadget struct {
	Kind       string         `json:"kind,omitempty"`
	APIVersion string         `json:"apiVersion,omitempty"`
	Metadata   map[string]any `json:"metadata,omitempty"`
	Spec       struct {
		Replicas int64 `json:"replicas"`
	} `json:"spec"`
}

// validateGadget is what the webhook of the operator calls.
func validateGadget(_ context.Context, g, _ *Gadget) field.ErrorList {
	if g.Spec.Replicas < 0 || g.Spec.Replicas > 50 {
		return field.ErrorList{field.Invalid(field.NewPath("spec", "replicas"), g.Spec.Replicas, "must be from 0 to 50")}
	}
	return nil
}

// In a test, harness.For(t, target).Test(t, harness.Case{Object: …}) does the rest.
func ExampleNewTarget() {
	target, err := customresource.NewTarget([]byte(gadgets), native.Func[*Gadget](validateGadget))
	if err != nil {
		fmt.Println(err)
		return
	}
	rules, err := equivalence.BuiltinRules()
	if err != nil {
		fmt.Println(err)
		return
	}
	both, err := harness.New(target, harness.Options{Rules: rules})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, spec := range []map[string]any{{}, {"replicas": int64(70)}} {
		results, err := both.Check(context.Background(), harness.Case{ID: "gadget", Object: map[string]any{
			"apiVersion": "example.dev/v1", "kind": "Gadget", "metadata": map[string]any{"name": "a", "namespace": "b"}, "spec": spec,
		}})
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, result := range results {
			fmt.Println(apiname.Target(result.Version), spec, result.Verdict)
			for _, pair := range result.Differences() {
				fmt.Println(" ", pair.Class, pair.Native)
			}
		}
	}
	// Output:
	// example.dev/v1 Gadget map[] equal
	// example.dev/v1 Gadget map[replicas:70] different
	//   too-loose spec.replicas: Invalid value: 70: must be from 0 to 50
}
