package native_test

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// FieldError is the error type of a project, here as in knative: one message for several fields, and more
// errors in a list.
type FieldError struct {
	Message string
	Paths   []string
	more    []*FieldError
}

type Widget struct {
	Size  int64  `json:"size"`
	Color string `json:"color"`
}

// Validate is a hand-written validator of that project.
func (w *Widget) Validate(context.Context) *FieldError {
	var all FieldError
	if w.Color == "" {
		all.more = append(all.more, &FieldError{Message: "missing field(s)", Paths: []string{"color"}})
	}
	if w.Size < 0 {
		all.more = append(all.more, &FieldError{Message: fmt.Sprintf("invalid value: %d", w.Size), Paths: []string{"size"}})
	}
	if all.more == nil {
		return nil
	}
	return &all
}

// readFieldError makes one error for each message and path. A validator that
// finds nothing returns a nil pointer.
func readFieldError(err *FieldError) (errs field.ErrorList) {
	if err == nil {
		return nil
	}
	for _, path := range err.Paths {
		each := &field.Error{Type: field.ErrorTypeInvalid, Field: path, BadValue: field.OmitValueType{}, Detail: err.Message}
		if strings.HasPrefix(err.Message, "missing field") {
			each.Type, each.Detail = field.ErrorTypeRequired, ""
		}
		errs = append(errs, each)
	}
	for _, other := range err.more {
		errs = append(errs, readFieldError(other)...)
	}
	return errs
}

// A validator with an error type of its own needs a function that converts it.
func ExampleAdapt() {
	backend := native.Adapt(func(ctx context.Context, object, _ *Widget) *FieldError {
		return object.Validate(ctx)
	}, readFieldError)

	for _, size := range []int64{-1, 1} {
		in := &harness.Input{Object: contract.NewView(map[string]any{"size": size, "color": strings.Repeat("x", int(size+1))})}
		errs, fault := backend.Validate(context.Background(), in)
		fmt.Println(len(errs), errs.ToAggregate(), fault)
	}
	// Output:
	// 2 [color: Required value, size: Invalid value: invalid value: -1] <nil>
	// 0 <nil> <nil>
}

// webhookValidator is the hand-written validator of a webhook, with the methods that controller-runtime
// requires.
type webhookValidator struct{}

func (webhookValidator) ValidateCreate(_ context.Context, w *Widget) (warnings []string, err error) {
	if w.Size < 0 {
		return nil, field.Invalid(field.NewPath("size"), w.Size, "must not be negative")
	}
	return nil, nil
}

func (webhookValidator) ValidateUpdate(_ context.Context, old, w *Widget) (warnings []string, err error) {
	if w.Size < old.Size {
		return nil, fmt.Errorf("a widget cannot shrink")
	}
	return nil, nil
}

// The validator of a webhook can be compared without the webhook.
func ExampleErrorFunc() {
	validator := webhookValidator{}
	backend := native.ErrorFunc[*Widget](func(ctx context.Context, object, old *Widget) error {
		if old == nil {
			_, err := validator.ValidateCreate(ctx, object)
			return err
		}
		_, err := validator.ValidateUpdate(ctx, old, object)
		return err
	})

	create := &harness.Input{Object: contract.NewView(map[string]any{"size": int64(-1)})}
	update := &harness.Input{
		Object: contract.NewView(map[string]any{"size": int64(1)}),
		Old:    contract.NewView(map[string]any{"size": int64(2)}),
	}
	for _, in := range []*harness.Input{create, update} {
		errs, fault := backend.Validate(context.Background(), in)
		fmt.Printf("%d at %q: %s; %v\n", len(errs), errs[0].Field, errs[0].Detail, fault)
	}
	// Output:
	// 1 at "size": must not be negative; <nil>
	// 1 at "": a widget cannot shrink; <nil>
}
