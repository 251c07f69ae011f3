package harness

import (
	"fmt"
	"strings"
)

// FaultReason says in one bounded word why there is no verdict.
type FaultReason string

const (
	// FaultInput: the case cannot be read, decoded, defaulted or converted.
	FaultInput FaultReason = "input"
	// FaultPanic: the backend panicked.
	FaultPanic FaultReason = "panic"
	// FaultTimeout: the backend did not answer in time.
	FaultTimeout FaultReason = "timeout"
	// FaultError: the backend says that it could not decide.
	FaultError FaultReason = "error"
)

// FaultReasons lists all reasons.
func FaultReasons() []FaultReason {
	return []FaultReason{FaultInput, FaultPanic, FaultTimeout, FaultError}
}

// Fault is why a backend could not decide about a case. It is never mixed up
// with an error of validation.
type Fault struct {
	Reason FaultReason
	Err    error
	// Stack is where a panic came from: the goroutine's stack, for people.
	Stack string
}

// Error gives the reason, the text and, of a panic, the line it came from.
func (f *Fault) Error() string {
	switch f.Reason {
	case FaultPanic:
		return fmt.Sprintf("panic: %v%s", f.Err, f.origin())
	case FaultTimeout:
		return fmt.Sprintf("timeout: %v", f.Err)
	default:
		return f.Err.Error()
	}
}

func (f *Fault) Unwrap() error { return f.Err }

// origin finds the frame below runtime's panic in the stack, the line that a
// maintainer opens first.
func (f *Fault) origin() string {
	_, below, found := strings.Cut(f.Stack, "\npanic(")
	if !found {
		return ""
	}
	for _, line := range strings.Split(below, "\n")[2:] {
		place, isPlace := strings.CutPrefix(line, "\t")
		if isPlace && !strings.Contains(place, "/runtime/") {
			place, _, _ = strings.Cut(place, " ")
			if _, module, found := strings.Cut(place, "/pkg/mod/"); found {
				place = module // where a machine keeps its modules says nothing
			}
			return " at " + place
		}
	}
	return ""
}
