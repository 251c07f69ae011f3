package harness

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"
)

// lastWords is how long a backend may take, after its time is up, to say what it
// was waiting for.
const lastWords = time.Second

// Ask calls a backend with a time-out. A panic of the backend and the time-out become
// faults. If a backend ignores its context, its goroutine stays until it returns, and its
// answer is dropped.
func Ask(ctx context.Context, backend Backend, in *Input, timeout time.Duration) Outcome {
	return guard{timeout: timeout}.ask(ctx, capable(backend), in)
}

// guard bounds the work of backends and Schemes.
type guard struct {
	timeout time.Duration
	inPlace bool // in the goroutine of the caller
}

func (o Options) guard() guard { return guard{o.Timeout, o.InPlace} }

func (g guard) ask(ctx context.Context, backend capableBackend, in *Input) Outcome {
	if in.Operation == Delete && !backend.can.ValidatesDeletes {
		return Outcome{}
	}
	began := time.Now()
	ctx, said := noting(ctx)
	outcome, fault := guarded(ctx, g, "the "+backend.Name()+" backend did not answer", func(ctx context.Context) (Outcome, error) {
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
// context ends, whether the work does or not, unless it is done in place; a panic is a fault.
// What is late is named by a half sentence.
func guarded[T any](ctx context.Context, g guard, late string, work func(context.Context) (T, error)) (T, *Fault) {
	ctx, cancel := context.WithTimeout(ctx, g.timeout)
	defer cancel()
	if g.inPlace {
		return inPlace(ctx, g.late(late), work)
	}
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
	err := g.late(late)
	if e.fault != nil {
		err = overdue{err, e.fault}
	}
	return none, &Fault{Reason: FaultTimeout, Err: err}
}

// overdue is a time that was up, with what the backend had to say then.
type overdue struct{ late, last error }

// Error leaves out that the time was up where the backend says it once more, in Go's words.
func (o overdue) Error() string {
	return o.late.Error() + ": " + strings.ReplaceAll(o.last.Error(), ": "+context.DeadlineExceeded.Error(), "")
}

func (o overdue) Unwrap() []error { return []error{o.late, o.last} }

// late says that the time was up.
func (g guard) late(what string) error {
	if g.inPlace {
		return fmt.Errorf("%s within %v", what, g.timeout)
	}
	return fmt.Errorf("%s within %v; a slow validator needs a longer --timeout", what, g.timeout)
}

// inPlace does some work in the goroutine of the caller.
func inPlace[T any](ctx context.Context, late error, work func(context.Context) (T, error)) (result T, fault *Fault) {
	defer catch(&fault)
	result, err := work(ctx)
	switch {
	case err == nil:
		return result, nil
	case errors.Is(err, context.DeadlineExceeded):
		return result, &Fault{Reason: FaultTimeout, Err: late}
	}
	return result, faultOf(err)
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
