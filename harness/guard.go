package harness

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// lastWords is how long a backend may take, after its time is up, to say what it
// was waiting for.
const lastWords = time.Second

// Ask calls a backend with a time-out. A panic of the backend and the time-out become
// faults. If a backend ignores its context, its goroutine stays until it returns, and its
// answer is dropped.
func Ask(ctx context.Context, backend Backend, in *Input, timeout time.Duration) Outcome {
	if in.Operation == Delete && !validatesDeletes(backend) {
		return Outcome{}
	}
	began := time.Now()
	ctx, said := noting(ctx)
	outcome, fault := guarded(ctx, timeout, "the "+backend.Name()+" backend did not answer", func(ctx context.Context) (Outcome, error) {
		errs, err := backend.Validate(ctx, in)
		return Outcome{Errors: errs}, err
	})
	if fault != nil {
		outcome = Outcome{Fault: fault}
	}
	said.note(&outcome)
	outcome.Elapsed = time.Since(began)
	return outcome
}

// guarded does some work of a backend or a Scheme. It ends when its time is up or the
// context ends, whether the work does or not; a panic is a fault. What is late is
// named by a half sentence.
func guarded[T any](ctx context.Context, timeout time.Duration, late string, work func(context.Context) (T, error)) (T, *Fault) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	type end struct {
		result T
		fault  *Fault
	}
	ended := make(chan end, 1)
	go func() {
		e := end{fault: &Fault{Reason: FaultError, Err: errors.New("it ended its goroutine without an answer")}}
		defer func() { ended <- e }()
		defer catch(&e.fault)
		result, err := work(ctx)
		e = end{result: result}
		if err != nil {
			e.fault = faultOf(err)
		}
	}()
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
			case <-time.After(lastWords):
			}
		}
	}
	var none T
	err := fmt.Errorf("%s within %v; a slow validator needs a longer --timeout", late, timeout)
	if e.fault != nil {
		err = fmt.Errorf("%w: %w", err, e.fault)
	}
	return none, &Fault{Reason: FaultTimeout, Err: err}
}

// faultOf is the fault of a backend or a Scheme that returns an error.
func faultOf(err error) *Fault {
	if fault, ok := err.(*Fault); ok {
		return fault
	}
	return &Fault{Reason: FaultError, Err: err}
}

// Recover, deferred, makes a panic the error of the function that defers it: a *Fault with
// the stack. Backends that are called without Ask use it.
func Recover(err *error) {
	if cause := recover(); cause != nil {
		*err = panicked(cause)
	}
}

// catch, deferred, turns a panic into a fault.
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
