package harness_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// function is a backend.
type function func(context.Context) error

func (function) Name() string { return "native" }

func (f function) Validate(ctx context.Context, _ *harness.Input) (field.ErrorList, error) {
	return nil, f(ctx)
}

// TestStartUp: the time until a program has started does not count for the case. The time after it does.
func TestStartUp(t *testing.T) {
	const timeout = 200 * time.Millisecond
	for _, row := range []struct {
		why    string
		ask    function
		reason words.FaultReason // "": none
	}{
		{"it starts slowly and answers", func(ctx context.Context) error {
			ready := contract.StartUp(ctx)
			time.Sleep(3 * timeout)
			ready()
			return ctx.Err()
		}, ""},
		{"no deadline while it starts", func(ctx context.Context) error {
			defer contract.StartUp(ctx)()
			if deadline, set := ctx.Deadline(); set {
				return errors.New("there is a deadline: " + deadline.String())
			}
			return nil
		}, ""},
		{"it hangs after it has started", func(ctx context.Context) error {
			contract.StartUp(ctx)()
			<-ctx.Done()
			return context.Cause(ctx)
		}, words.FaultTimeout},
		{"derived contexts end with the time-out", func(ctx context.Context) error {
			contract.StartUp(ctx)()
			derived, cancel := context.WithCancel(ctx)
			defer cancel()
			<-derived.Done()
			return derived.Err()
		}, words.FaultTimeout},
		{"two programs start, and one of them has", func(ctx context.Context) error {
			one, other := contract.StartUp(ctx), contract.StartUp(ctx)
			one()
			one()
			time.Sleep(3 * timeout)
			other()
			return ctx.Err()
		}, ""},
	} {
		outcome := harness.Ask(t.Context(), row.ask, &harness.Input{}, timeout)
		switch {
		case row.reason == "" && outcome.Fault != nil:
			t.Errorf("%s: %v", row.why, outcome.Fault)
		case row.reason != "" && (outcome.Fault == nil || outcome.Fault.Reason != row.reason):
			t.Errorf("%s: %v, want a fault: %s", row.why, outcome.Fault, row.reason)
		}
		if row.reason == "" && outcome.Elapsed > timeout {
			t.Errorf("%s: %v are time of the case", row.why, outcome.Elapsed)
		}
	}
}

// TestStartUpInterrupted: an interrupt ends a case whose program is still starting.
func TestStartUpInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	outcome := harness.Ask(ctx, function(func(ctx context.Context) error {
		defer contract.StartUp(ctx)()
		interrupt()
		<-ctx.Done()
		return context.Cause(ctx)
	}), &harness.Input{}, time.Minute)
	if outcome.Fault == nil {
		t.Error("there is a verdict")
	}
	contract.StartUp(t.Context())() // of no case
}
