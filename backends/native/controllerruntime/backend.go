package controllerruntime

import (
	"context"
	"fmt"
	"reflect"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	reviews "github.com/diffrun/diffrun/internal/admission"
)

// Backend asks a controller-runtime handler. It implements harness.Backend; exec.Serve and
// webhook.Handler can serve it.
type Backend struct {
	handler admission.Handler
	// cluster is what the client of a collected webhook reads; nil: nothing is known of it.
	cluster *sharedCluster
	// mistake is the reason why there is no handler.
	mistake error
}

// Validator returns a native backend for the validator of a Go type T, such as *v1.Widget.
func Validator[T runtime.Object](validator admission.Validator[T]) *Backend {
	if of := reflect.TypeFor[T](); of.Kind() != reflect.Pointer {
		return &Backend{mistake: untyped("validator", "CustomValidator", of)}
	}
	return &Backend{handler: admission.WithValidator(runtime.NewScheme(), keeping[T]{validator})}
}

// CustomValidator returns a native backend for a webhook.CustomValidator. object has the Go type
// that the validator takes, such as &v1.Widget{}.
func CustomValidator(object runtime.Object, validator admission.Validator[runtime.Object]) *Backend {
	//lint:ignore SA1019 operators still have these
	return &Backend{handler: admission.WithCustomValidator(runtime.NewScheme(), object, keeping[runtime.Object]{validator})}
}

// Handler returns a native backend for a handler of validating requests, such as an
// *admission.Webhook.
func Handler(handler admission.Handler) *Backend { return &Backend{handler: handler} }

// Name is "native".
func (*Backend) Name() string { return contract.NativeName }

// Capabilities implements contract.Capable: validators of controller-runtime look at deletions.
func (*Backend) Capabilities() contract.Capabilities {
	return contract.Capabilities{ValidatesDeletes: true}
}

// Validate sends the handler a request for the input. A panic that the webhook
// recovers refuses the object, as in a cluster. The error is a fault: the handler panicked without recovering, or returned a patch.
func (b *Backend) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	kept := &keptError{}
	errs, err := b.client().Validate(context.WithValue(ctx, keptKey{}, kept), in)
	if kept.err != nil {
		return reviews.ErrorsOf(kept.err), nil
	}
	return errs, err
}

// Review returns the response to a request. It panics if the handler does, or if there is no verdict.
func (b *Backend) Review(ctx context.Context, request *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	if b.mistake != nil {
		panic(b.mistake)
	}
	response, err := b.cluster.during(request, reviews.ClusterOf(ctx),
		func() *admissionv1.AdmissionResponse { return b.handle(ctx, request) })
	if err != nil {
		panic(err)
	}
	return response
}

// handle asks the handler. The response to a panic says where it was.
func (b *Backend) handle(ctx context.Context, request *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	asked := admission.Request{AdmissionRequest: *request}
	var panicked place
	response := b.handler.Handle(context.WithValue(ctx, placeKey{}, &panicked), asked)
	reviews.NotePanic(&response.AdmissionResponse, string(panicked))
	if err := response.Complete(asked); err != nil {
		response = admission.Errored(500, fmt.Errorf("writing the patch: %w", err))
		response.UID = request.UID
	}
	return &response.AdmissionResponse
}

func (b *Backend) client() reviews.Client { return reviews.Client{Exchange: b.exchange} }

// exchange calls the handler as if it were a server. A panic that it does not recover is a fault.
func (b *Backend) exchange(ctx context.Context, q *reviews.Question) (decision reviews.Decision, err error) {
	defer contract.Recover(&err)
	if b.mistake != nil {
		return reviews.Decision{}, b.mistake
	}
	response, err := reviews.Answer(ctx, q.Body,
		func(ctx context.Context, request *admissionv1.AdmissionRequest) (*admissionv1.AdmissionResponse, error) {
			return b.Review(ctx, request), nil
		})
	if err != nil {
		return reviews.Decision{}, err
	}
	return q.Read(response)
}

// keeping keeps the error of a validator, because a response carries less of it.
type keeping[T runtime.Object] struct{ validator admission.Validator[T] }

type keptKey struct{}

type keptError struct{ err error }

func (k keeping[T]) ValidateCreate(ctx context.Context, object T) (admission.Warnings, error) {
	warnings, err := k.validator.ValidateCreate(ctx, object)
	return warnings, keep(ctx, err)
}

func (k keeping[T]) ValidateUpdate(ctx context.Context, old, object T) (admission.Warnings, error) {
	warnings, err := k.validator.ValidateUpdate(ctx, old, object)
	return warnings, keep(ctx, err)
}

func (k keeping[T]) ValidateDelete(ctx context.Context, object T) (admission.Warnings, error) {
	warnings, err := k.validator.ValidateDelete(ctx, object)
	return warnings, keep(ctx, err)
}

func keep(ctx context.Context, err error) error {
	if kept, ok := ctx.Value(keptKey{}).(*keptError); ok {
		kept.err = err
	}
	return err
}

// untyped returns the error for a validator or defaulter that takes no pointer.
func untyped(what, constructor string, of reflect.Type) error {
	return fmt.Errorf("the %s takes a %s; pass %s a pointer to that struct", what, of, constructor)
}
