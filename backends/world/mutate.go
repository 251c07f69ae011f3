package world

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/policies"
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness"
)

// mutate runs mutating admission: the policies, then the webhook. If one of them changed the object,
// policies with the reinvocationPolicy IfNeeded run once more (k8s.io/apiserver/pkg/admission,
// reinvocation.go). The errors refuse the object.
func (w World) mutate(ctx context.Context, received serving.Request, in *harness.Input) (field.ErrorList, error) {
	if w.Mutations == nil && w.Mutate.Mutator == nil {
		return nil, nil
	}
	var mutation *policies.Mutation
	if w.Mutations != nil {
		mutation = w.Mutations.Begin()
		if errs, err := w.mutateByPolicies(ctx, mutation, received, in); err != nil || len(errs) > 0 {
			return errs, err
		}
	}
	changed, errs, err := w.mutateByWebhook(ctx, received, in)
	if err != nil || len(errs) > 0 || mutation == nil || !mutation.ReinvokesAfter(changed) {
		return errs, err
	}
	return w.mutateByPolicies(ctx, mutation, received, in)
}

func (w World) mutateByPolicies(ctx context.Context, mutation *policies.Mutation, received serving.Request, in *harness.Input) (field.ErrorList, error) {
	sent, err := w.sent(received, in)
	if err != nil {
		return nil, err
	}
	outcome, err := mutation.Mutate(ctx, sent.policyRequest())
	harness.AddAsked(ctx, outcome.Asked...)
	addDenials(ctx, outcome.Denials)
	if err != nil || len(outcome.Errors) > 0 || outcome.Object == nil {
		return outcome.Errors, err
	}
	errs, err := received.Mutated(outcome.Object.Object)
	if err != nil {
		return nil, fmt.Errorf("mutating policies: %w", err)
	}
	return errs, nil
}

func (w World) mutateByWebhook(ctx context.Context, received serving.Request, in *harness.Input) (changed bool, errs field.ErrorList, err error) {
	if w.Mutate.Mutator == nil {
		return false, nil, nil
	}
	sent, err := w.sent(received, in)
	if err != nil {
		return false, nil, err
	}
	mutated, errs, err := w.Mutate.mutate(ctx, sent)
	if err != nil || len(errs) > 0 || mutated == nil {
		return false, errs, err
	}
	if errs, err = received.Mutated(mutated); err != nil {
		return false, nil, fmt.Errorf("mutate: %w", err)
	}
	return true, errs, nil
}

// sent returns the review for mutating admission.
func (w World) sent(received serving.Request, in *harness.Input) (*review, error) {
	asked := newReview(w.reads(), in)
	var err error
	asked.object, asked.old, err = received.Sent()
	return asked, err
}
