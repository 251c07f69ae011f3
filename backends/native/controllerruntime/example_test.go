package controllerruntime_test

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/backends/native/controllerruntime"
	"github.com/diffrun/diffrun/harness"
)

// widgetValidator is a validator as kubebuilder scaffolds it.
type widgetValidator struct{}

func (widgetValidator) ValidateCreate(_ context.Context, widget *Widget) (admission.Warnings, error) {
	if widget.Size > 10 {
		return nil, field.Invalid(field.NewPath("size"), widget.Size, "must be less than or equal to 10")
	}
	return nil, nil
}

func (v widgetValidator) ValidateUpdate(ctx context.Context, _, widget *Widget) (admission.Warnings, error) {
	return v.ValidateCreate(ctx, widget)
}

func (widgetValidator) ValidateDelete(context.Context, *Widget) (admission.Warnings, error) {
	return nil, nil
}

const widgetDefinition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {type: object, properties: {size: {type: integer, maximum: 12}}}
`

// The validator of a webhook is compared with a definition. In a test, use harness.For and
// Test.
func ExampleValidator() {
	target, err := customresource.NewTarget([]byte(widgetDefinition), controllerruntime.Validator(widgetValidator{}))
	if err != nil {
		fmt.Println(err)
		return
	}
	both, err := harness.New(target, harness.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, size := range []int64{10, 11} {
		results, err := both.Check(context.Background(), harness.Case{Object: &Widget{Size: size}})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(size, results[0].Verdict, results[0].Native.Errors.ToAggregate())
	}
	// Output:
	// 10 equal <nil>
	// 11 different size: Invalid value: 11: must be less than or equal to 10
}
