package controllerruntime_test

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/manager"
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

// sizes is a defaulter as kubebuilder scaffolds it.
type sizes struct{}

func (sizes) Default(_ context.Context, widget *Widget) error {
	if widget.Size == 0 {
		widget.Size = 3
	}
	return nil
}

// The defaulter of a webhook changes objects before they are validated, in a world (backends/world). One for
// objects of any type is passed to CustomDefaulter, and another handler to MutatingHandler.
func ExampleDefaulter() {
	handler := admission.WithDefaulter(runtime.NewScheme(), sizes{})
	for _, mutator := range []*controllerruntime.Mutator{
		controllerruntime.Defaulter(sizes{}),
		controllerruntime.CustomDefaulter(&Widget{}, anyWidget{}),
		controllerruntime.MutatingHandler(handler),
	} {
		changed, refused, fault := mutator.Mutate(context.Background(), widgetInput(0))
		fmt.Println(changed["size"], refused, fault)
	}
	// Output:
	// 3 [] <nil>
	// 3 [] <nil>
	// 3 [] <nil>
}

// anyWidget is a defaulter of an operator with an earlier controller-runtime.
type anyWidget struct{}

func (anyWidget) Default(ctx context.Context, object runtime.Object) error {
	return sizes{}.Default(ctx, object.(*Widget))
}

// All webhooks that a project registers are called without a manager that runs.
func ExampleCollect() {
	scheme := runtime.NewScheme()
	hooks, err := controllerruntime.Collect(controllerruntime.CollectOptions{Scheme: scheme}, func(mgr manager.Manager) error {
		mgr.GetWebhookServer().Register("/validate-widgets", admission.WithValidator(scheme, widgetValidator{}))
		return nil
	})
	fmt.Println(hooks.Paths(), err)
	// Output:
	// [/validate-widgets] <nil>
}
