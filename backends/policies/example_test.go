package policies_test

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"github.com/diffrun/diffrun/backends/policies"
)

// A policy that replaced a webhook, with its binding, returns what it would deny.
func Example() {
	file := policies.File{Name: "policies.yaml", Data: []byte(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: widgets}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [example.com], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [widgets]}
  validations:
  - expression: object.spec.size <= 10
    message: size must be no more than 10
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: widgets}
spec: {policyName: widgets, validationActions: [Deny]}
`)}
	set, err := policies.Load([]policies.File{file}, policies.Options{
		Resources: []policies.Resource{}, // of custom resources whose policies need other versions or defaults
	})
	if err != nil {
		fmt.Println(err) // each mistake with file and line
		return
	}
	outcome, err := set.Validate(context.Background(), policies.Request{
		Kind:      schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"},
		Resource:  schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "widgets"},
		Name:      "large",
		Namespace: "default",
		Operation: admission.Create,
		Object: &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "example.com/v1", "kind": "Widget",
			"metadata": map[string]any{"name": "large", "namespace": "default"},
			"spec":     map[string]any{"size": int64(11)},
		}},
	})
	if err != nil {
		fmt.Println("no verdict:", err)
		return
	}
	show := func(outcome policies.Outcome, denials ...policies.Denial) {
		for i, err := range outcome.Errors {
			fmt.Printf("%s %q %s by the binding %s\n", err.Type, err.Detail, err.Origin, denials[i].Binding)
		}
	}
	show(outcome, outcome.Denials...)
	fmt.Println(strings.Replace(outcome.Refusal.ErrStatus.Message, " denied", "\ndenied", 1))
	// Output:
	// Invalid value "size must be no more than 10" ValidatingAdmissionPolicy/widgets/widgets/validations[0] by the binding widgets
	// widgets.example.com "large" is forbidden: ValidatingAdmissionPolicy 'widgets' with binding 'widgets'
	// denied request: size must be no more than 10
}
