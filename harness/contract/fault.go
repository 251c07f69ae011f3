package contract

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/diffrun/diffrun/harness/words"
)

// Fault is the reason why a case has no verdict. It is not an error of validation.
type Fault struct {
	Reason words.FaultReason
	Err    error
	// Stack is the stack of a panic.
	Stack string
}

// Error returns the reason, the text and the line of a panic.
func (f *Fault) Error() string {
	switch f.Reason {
	case words.FaultPanic:
		return fmt.Sprintf("panic: %v%s", f.Err, f.origin())
	case words.FaultTimeout:
		return fmt.Sprintf("timeout: %v", f.Err)
	default:
		return f.Err.Error()
	}
}

func (f *Fault) Unwrap() error { return f.Err }

// origin returns the line of a panic, unless the text names it already.
func (f *Fault) origin() string {
	_, line, found := f.PanickedIn("")
	if !found || strings.Contains(f.Err.Error(), line) {
		return ""
	}
	return " at " + line
}

// PanickedIn returns the innermost function on the stack of a panic whose import path begins with a
// prefix, and its line. It skips functions of the runtime. The line is named by its package,
// because directories of modules differ between machines.
func (f *Fault) PanickedIn(prefix string) (function, line string, found bool) {
	_, below, found := strings.Cut(f.Stack, "\npanic(")
	if !found {
		return "", "", false
	}
	lines := strings.Split(below, "\n")[2:] // from the frame that panicked
	for i := 0; i+1 < len(lines); i += 2 {
		called, place := lines[i], strings.TrimPrefix(lines[i+1], "\t")
		if strings.HasPrefix(called, "runtime.") || !strings.HasPrefix(called, prefix) {
			continue
		}
		place, _, _ = strings.Cut(place, " ")
		in := packageOf(called)
		return functionOf(strings.TrimPrefix(called, in+".")), in + "/" + path.Base(filepath.ToSlash(place)), true
	}
	return "", "", false
}

// functionOf returns the name in a line of a stack without its package, such as
// "(*Pod).String(0xc000…)".
func functionOf(call string) string {
	if end := strings.LastIndex(call, "("); end > 0 {
		return call[:end]
	}
	return call
}

// packageOf returns the import path in a line of a stack, such as
// "k8s.io/api/core/v1.(*Pod).String(0xc000…)".
func packageOf(function string) string {
	name, _, _ := strings.Cut(function, "(")
	folder := strings.LastIndex(name, "/") + 1
	element, _, _ := strings.Cut(name[folder:], ".")
	return name[:folder] + element
}
