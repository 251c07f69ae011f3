package contract

import (
	"fmt"
	"runtime/debug"

	"github.com/diffrun/diffrun/harness/words"
)

// Recover, deferred, turns a panic into the error of the deferring function: a *Fault with the
// stack. Backends that are called without harness.Ask use it.
func Recover(err *error) {
	if cause := recover(); cause != nil {
		*err = Panicked(cause)
	}
}

// Panicked returns the fault of a panic. It is called where the panic is recovered.
func Panicked(cause any) *Fault {
	err, isError := cause.(error)
	if !isError {
		err = fmt.Errorf("%v", cause)
	}
	return &Fault{Reason: words.FaultPanic, Err: err, Stack: string(debug.Stack())}
}
