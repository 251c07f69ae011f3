package harness

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/parallel"
)

// explainTimeout is how long a backend may take, after its time-out, to say what it was waiting for.
const explainTimeout = time.Second

// Ask calls a backend with a time-out. A panic of the backend and the time-out become
// faults. If a backend ignores its context, its goroutine stays until it returns, and its
// answer is dropped.
func Ask(ctx context.Context, backend Backend, in *Input, timeout time.Duration) Outcome {
	return guard{timeout: timeout}.ask(ctx, capable(backend), in)
}

// guard limits the time of backends and Schemes.
type guard struct {
	timeout time.Duration
	inPlace bool                          // in the goroutine of the caller
	again   func(*Input, *contract.Fault) // Options.AskAgain
	startUp *time.Duration                // set to the time for which programs started; may be nil
}

func (o Options) guard() guard {
	return guard{timeout: o.Timeout, inPlace: o.InPlace, again: o.AskAgain}
}

func (g guard) ask(ctx context.Context, backend capableBackend, in *Input) Outcome {
	if (in.Operation == admissionv1.Delete || in.Operation == admissionv1.Connect) && !backend.can.ValidatesDeletes {
		return Outcome{}
	}
	outcome := g.askOnce(ctx, backend, in)
	if g.again != nil && outcome.Fault != nil && outcome.Fault.Reason == words.FaultTimeout && ctx.Err() == nil {
		g.again(in, outcome.Fault)
		return g.askOnce(ctx, backend, in)
	}
	return outcome
}

func (g guard) askOnce(ctx context.Context, backend capableBackend, in *Input) Outcome {
	began, startUp := time.Now(), time.Duration(0)
	g.startUp = &startUp
	ctx, said := contract.CollectNotes(ctx)
	outcome, fault := guarded(ctx, g, "the "+backend.Name()+" backend did not answer", func(ctx context.Context) (Outcome, error) {
		errs, err := backend.Validate(ctx, in)
		return Outcome{Errors: errs}, err
	})
	if fault != nil {
		outcome = Outcome{Fault: fault}
	}
	outcome.note(said())
	outcome.Elapsed = time.Since(began) - startUp
	return outcome
}

// guarded runs some work of a backend or a Scheme. It returns on a time-out or when ctx ends, even
// if the work goes on, unless it runs in place; a panic is a fault. late begins the message of a
// time-out.
func guarded[T any](ctx context.Context, g guard, late string, work func(context.Context) (T, error)) (T, *contract.Fault) {
	ctx, cancel, spent := contract.Limited(ctx, g.timeout)
	defer cancel()
	if g.startUp != nil {
		defer func() { *g.startUp = spent() }()
	}
	if g.inPlace {
		return inPlace(ctx, g.late(late), work)
	}
	type end struct {
		result T
		fault  *contract.Fault
	}
	ended := make(chan end, 1)
	parallel.Go(ctx, func() {
		e := end{fault: &contract.Fault{Reason: words.FaultError, Err: errEnded}}
		defer func() { ended <- e }()
		defer catch(&e.fault)
		result, err := work(ctx)
		e = end{result: result}
		if err != nil {
			e.fault = faultOf(err)
		}
	})
	var e end
	select {
	case e = <-ended:
		if e.fault == nil || !errors.Is(e.fault, context.DeadlineExceeded) {
			return e.result, e.fault
		}
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			select {
			case e = <-ended:
			case <-time.After(explainTimeout):
			}
		}
	}
	var none T
	err := g.late(late)
	if e.fault != nil {
		err = overdue{err, e.fault}
	}
	return none, &contract.Fault{Reason: words.FaultTimeout, Err: err}
}

var errEnded = errors.New("it ended its goroutine without an answer")

// overdue is a time-out with the last error of the backend.
type overdue struct{ late, last error }

// Error removes the text of context.DeadlineExceeded, which repeats the time-out.
func (o overdue) Error() string {
	return o.late.Error() + ": " + strings.ReplaceAll(o.last.Error(), ": "+context.DeadlineExceeded.Error(), "")
}

func (o overdue) Unwrap() []error { return []error{o.late, o.last} }

// late returns the error of a time-out.
func (g guard) late(what string) error {
	if g.inPlace {
		return fmt.Errorf("%s within %v", what, g.timeout)
	}
	return fmt.Errorf("%s within %v; a slow validator needs a longer --timeout", what, g.timeout)
}

// inPlace runs some work in the goroutine of the caller.
func inPlace[T any](ctx context.Context, late error, work func(context.Context) (T, error)) (result T, fault *contract.Fault) {
	defer catch(&fault)
	result, err := work(ctx)
	switch {
	case err == nil:
		return result, nil
	case errors.Is(err, context.DeadlineExceeded):
		return result, &contract.Fault{Reason: words.FaultTimeout, Err: late}
	}
	return result, faultOf(err)
}

// faultOf returns the fault for an error of a backend or a Scheme.
func faultOf(err error) *contract.Fault {
	if fault, ok := err.(*contract.Fault); ok {
		return fault
	}
	return &contract.Fault{Reason: words.FaultError, Err: err}
}

// catch, deferred, turns a panic into a fault.
func catch(fault **contract.Fault) {
	if cause := recover(); cause != nil {
		*fault = contract.Panicked(cause)
	}
}
