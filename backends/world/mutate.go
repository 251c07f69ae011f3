package world

import (
	"context"
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	nativeadmission "github.com/diffrun/diffrun/internal/admission"
)

// Mutations are policies that change objects. *policies.Mutations implements it.
type Mutations interface {
	// Guards lists the policies.
	Guards() []contract.Guard
	// Rules returns the matchConstraints rules of all bound policies.
	Rules() []admissionregistrationv1.RuleWithOperations
	// Begin returns the function that mutates the object of one request, which a user sent. It is
	// called a second time after all other mutating admission; changed reports whether that changed
	// the object. The result is nil if the object stays as it is. The errors refuse the object.
	Begin() func(ctx context.Context, in *harness.Input, user authenticationv1.UserInfo, changed bool) (map[string]any, field.ErrorList,
		error)
}

// mutation mutates the object of a request, see Mutations.
type mutation = func(ctx context.Context, in *harness.Input, user authenticationv1.UserInfo,
	changed bool) (map[string]any, field.ErrorList, error)

// Mutates reports whether mutating admission may change objects.
func (w World) Mutates() bool { return w.Mutations != nil || w.Mutate.Mutator != nil }

// Mutated returns the object of an input after mutating admission, with the defaults of its version; nil: a stage before
// validation refuses it. The error is a fault of a stage.
func (w World) Mutated(ctx context.Context, in *harness.Input) (object map[string]any, err error) {
	defer contract.Recover(&err)
	received, errs, err := w.receive(ctx, in)
	if err != nil || len(errs) > 0 {
		return nil, err
	}
	object, _, err = received.Sent()
	return object, err
}

// mutate runs mutating admission: the policies, then the webhook. If one of them changed the object,
// policies with the reinvocationPolicy IfNeeded run once more (k8s.io/apiserver/pkg/admission,
// reinvocation.go). The errors refuse the object.
func (w World) mutate(ctx context.Context, received serving.Request, in *harness.Input) (field.ErrorList, error) {
	if w.Mutations == nil {
		_, errs, err := w.mutateByWebhook(ctx, received, in)
		return errs, err
	}
	call := w.Mutations.Begin()
	if errs, err := w.mutateByPolicies(ctx, call, received, in, false); err != nil || len(errs) > 0 {
		return errs, err
	}
	changed, errs, err := w.mutateByWebhook(ctx, received, in)
	if err != nil || len(errs) > 0 {
		return errs, err
	}
	return w.mutateByPolicies(ctx, call, received, in, changed)
}

func (w World) mutateByPolicies(ctx context.Context, call mutation, received serving.Request, in *harness.Input,
	changed bool) (field.ErrorList, error) {
	sent, err := w.sent(received, in)
	if err != nil {
		return nil, err
	}
	asked := sent.about(sent.object, sent.old, sent.version())
	mutated, errs, err := call(ctx, asked, nativeadmission.UserOf(asked.Request), changed)
	if err != nil || len(errs) > 0 || mutated == nil {
		return errs, err
	}
	if errs, err = received.Mutated(mutated); err != nil {
		return nil, fmt.Errorf("mutating policies: %w", err)
	}
	return errs, nil
}

// mutateByWebhook asks the mutating webhook, if there is one and the request matches.
func (w World) mutateByWebhook(ctx context.Context, received serving.Request,
	in *harness.Input) (changed bool, errs field.ErrorList, err error) {
	if w.Mutate.Mutator == nil {
		return false, nil, nil
	}
	sent, err := w.sent(received, in)
	if err != nil {
		return false, nil, err
	}
	asked, errs, err := w.Mutate.request(ctx, sent)
	if err != nil {
		return false, nil, fmt.Errorf("the mutating webhook was not asked: %w", err)
	}
	if asked == nil {
		addRefused(ctx, w.Mutate.Guard, errs)
		return false, errs, nil
	}
	mutated, errs, err := w.Mutate.Mutator.Mutate(ctx, asked)
	changed = changes(mutated, asked)
	addAsked(ctx, contract.Asked{Guard: w.Mutate.Guard.Name, Acted: len(errs) > 0 || changed, Refused: len(errs) > 0})
	if err == nil && len(errs) == 0 && mutated != nil {
		errs, err = received.Mutated(mutated)
	}
	if err != nil {
		return false, nil, fmt.Errorf("mutate: %w", err)
	}
	return changed, errs, nil
}

// changes reports whether a mutating webhook changed the object of in.
func changes(mutated map[string]any, in *harness.Input) bool {
	if mutated == nil || in.Object == nil {
		return mutated != nil
	}
	object, err := in.Object.Unstructured()
	return err != nil || !equality.Semantic.DeepEqual(mutated, object)
}

// sent returns the review for mutating admission.
func (w World) sent(received serving.Request, in *harness.Input) (*review, error) {
	asked := newReview(w.reads(), in)
	var err error
	asked.object, asked.old, err = received.Sent()
	return asked, err
}
