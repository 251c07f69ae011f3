package harness

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// Ask runs a backend on an input so that neither a panic nor a hang gets out:
// both become faults. A backend that ignores its context keeps its goroutine
// until it returns; its answer is then dropped.
func Ask(ctx context.Context, backend Backend, in *Input, timeout time.Duration) Outcome {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	began := time.Now()
	answer := make(chan Outcome, 1)
	go func() { answer <- call(ctx, backend, in) }()
	select {
	case outcome := <-answer:
		outcome.Elapsed = time.Since(began)
		return outcome
	case <-ctx.Done():
		return Outcome{Elapsed: time.Since(began), Fault: &Fault{
			Reason: FaultTimeout,
			Err:    fmt.Errorf("the %s backend did not answer within %v; a slow validator needs a longer --timeout", backend.Name(), timeout),
		}}
	}
}

// call calls the backend and turns a panic into a fault.
func call(ctx context.Context, backend Backend, in *Input) (outcome Outcome) {
	defer func() {
		if cause := recover(); cause != nil {
			outcome = Outcome{Fault: panicked(cause)}
		}
	}()
	errs, err := backend.Validate(ctx, in)
	if err != nil {
		return Outcome{Fault: &Fault{Reason: FaultError, Err: err}}
	}
	return Outcome{Errors: errs}
}

// catch, deferred, turns a panic of a Scheme into the fault of its case.
func catch(fault **Fault) {
	if cause := recover(); cause != nil {
		*fault = panicked(cause)
	}
}

func panicked(cause any) *Fault {
	err, isError := cause.(error)
	if !isError {
		err = fmt.Errorf("%v", cause)
	}
	return &Fault{Reason: FaultPanic, Err: err, Stack: string(debug.Stack())}
}
