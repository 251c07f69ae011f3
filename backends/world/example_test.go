package world_test

import (
	"context"
	"fmt"
	"os"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// Widget is the type of an operator whose definition is guarded by a webhook today.
type Widget struct {
	Spec struct {
		Size int `json:"size"`
	} `json:"spec"`
}

func validateWidget(_ context.Context, widget, _ *Widget) field.ErrorList {
	if widget.Spec.Size%2 == 1 {
		return field.ErrorList{field.Invalid(field.NewPath("spec", "size"), widget.Spec.Size, "must be even")}
	}
	return nil
}

// The webhook is to become a rule of the definition. Does the verdict of any object change?
func Example() {
	// Today: size is 1 to 100, and the webhook requires it to be even.
	today, err := customresource.ReadDefinition(definition("{type: integer, minimum: 1, maximum: 100}"))
	if err != nil {
		panic(err)
	}
	// Tomorrow: a rule replaces the webhook. The maximum was raised by mistake.
	tomorrow, err := customresource.ReadDefinition(definition(`
                type: integer
                minimum: 1
                maximum: 1000
                x-kubernetes-validations: [{rule: self % 2 == 0, message: must be even}]`))
	if err != nil {
		panic(err)
	}
	target, err := world.NewTarget(
		world.World{Definition: today, Then: []world.Validating{{Backend: native.Func[*Widget](validateWidget)}}},
		world.World{Definition: tomorrow},
	)
	if err != nil {
		panic(err)
	}
	both, err := harness.New(target, harness.Options{})
	if err != nil {
		panic(err)
	}
	for _, size := range []any{int64(4), int64(5), int64(0), "4", int64(200)} {
		results, err := both.Check(context.Background(), harness.Case{Object: map[string]any{
			"apiVersion": "example.com/v1", "kind": "Widget", "spec": map[string]any{"size": size},
		}})
		if err != nil {
			panic(err)
		}
		native, declarative := results[0].Native.Errors, results[0].Declarative.Errors
		fmt.Fprintf(os.Stdout, "%#v: refused today: %t, tomorrow: %t\n", size, len(native) > 0, len(declarative) > 0)
	}
	// Output:
	// 4: refused today: false, tomorrow: false
	// 5: refused today: true, tomorrow: true
	// 0: refused today: true, tomorrow: true
	// "4": refused today: true, tomorrow: true
	// 200: refused today: true, tomorrow: false
}

// definition returns the definition of Widget, with this schema of its size.
func definition(size string) []byte {
	return []byte(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
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
            properties:
              size: ` + size + "\n")
}

// A mutating webhook changes objects before a policy sees them. Rules select the requests that reach it.
func ExampleMutatorFunc() {
	resource, err := customresource.ReadDefinition(definition("{type: integer}"))
	if err != nil {
		fmt.Println(err)
		return
	}
	atLeastOne := world.MutatorFunc(func(_ context.Context, object map[string]any) error {
		return unstructured.SetNestedField(object, int64(1), "spec", "size")
	})
	var mutator world.Mutator = atLeastOne // controllerruntime.Defaulter returns that of an operator
	matched := world.Match{Rules: []admissionregistrationv1.RuleWithOperations{{
		Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create},
		Rule: admissionregistrationv1.Rule{
			APIGroups: []string{"example.com"}, APIVersions: []string{"v1"}, Resources: []string{"widgets"},
		},
	}}}
	var policies world.Policies   // policies.Load returns those of files
	var mutations world.Mutations // of MutatingAdmissionPolicies
	guarded := world.World{
		Definition: resource, Mutations: mutations, Policies: policies,
		Mutate: world.Mutating{Mutator: mutator, Match: matched, Guard: contract.Guard{Name: "sizes", Purpose: words.ToChange}},
	}
	fmt.Println(matched.Reaches(resource.Describe()), guarded.Guards()[0].Name)
	for _, weaker := range guarded.Weaker() { // those of policies
		fmt.Println(weaker.Change)
	}
	// Output:
	// true sizes
}
