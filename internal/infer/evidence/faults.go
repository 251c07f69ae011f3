package evidence

import (
	"strings"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/explore"
)

// Faults are the inputs on which a validator failed: it panicked, was too slow, or could not decide. They say nothing about
// rules.
type Faults struct {
	Count int `json:"count"`
	// First is the text of the first one, and Input its input.
	First string   `json:"first"`
	Input *Example `json:"input"`
}

// mostFaultLines bounds what the report shows of a fault: the program's own last words, such as an error of the compiler.
const mostFaultLines = 10

// NoteFault counts a result without a verdict. Objects that the schema refuses, such as those with wrong types, are not
// counted, and neither are updates of such objects: these cannot be stored.
func (e *Evidence) NoteFault(in explore.Input, r *harness.Result) {
	if len(r.Declarative.Errors) > 0 {
		return
	}
	for _, fault := range r.Faults() {
		if fault.Reason == words.FaultInput {
			return
		}
		if !e.CanBeStored(in) {
			return
		}
		if e.Faults == nil {
			lines := strings.SplitAfter(strings.TrimSpace(fault.Error()), "\n")
			e.Faults = &Faults{First: strings.TrimSpace(strings.Join(lines[:min(len(lines), mostFaultLines)], "")), Input: ExampleOf(in)}
		}
		e.Faults.Count++
		return
	}
}
