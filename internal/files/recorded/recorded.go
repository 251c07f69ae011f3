// Package recorded is what a line of a corpus says about the call that it was recorded from.
//
// Package corpus writes it, package cases reads it: in a line of JSON, it stands under the key
// "recorded", beside the objects of the case.
package recorded

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/text/fielderror"
)

// Call is a call of a hand-written validator, and what came out.
type Call struct {
	// Function is "import/path.Function" or "import/path.Type.Method".
	Function string `json:"function"`
	// Type is the Go type of the object, as "import/path.Type".
	Type string `json:"type,omitempty"`
	// Test is the name of the test; Source is "file:line" of the call.
	Test   string `json:"test,omitempty"`
	Source string `json:"source,omitempty"`
	// Receiver is the value that the method belongs to, unless it is the object: a validator
	// with its configuration.
	Receiver json.RawMessage `json:"receiver,omitempty"`
	// Arguments are the other parameters by their names; Unrecorded names those, and the
	// fields of them and of the receiver, that cannot be written as JSON, and why.
	Arguments  map[string]json.RawMessage `json:"arguments,omitempty"`
	Unrecorded []string                   `json:"unrecorded,omitempty"`
	// Gates are the feature gates that the test had set.
	Gates map[string]bool `json:"featureGates,omitempty"`
	// Errors came out; none: the object was accepted.
	Errors []fielderror.Recorded `json:"errors"`
	// Replay says why the validator did not give the same errors for what the documents say,
	// as "cause: evidence", when the call was captured. Empty: it did, or nobody tried.
	Replay string `json:"replay,omitempty"`
	// Panicked says that the call did not return.
	Panicked bool `json:"panicked,omitempty"`
}

// Inputs say what went into the call beside the objects, in words.
func (c *Call) Inputs() []string {
	var parts []string
	if c.Receiver != nil {
		parts = append(parts, "receiver "+string(c.Receiver))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Arguments)) {
		parts = append(parts, name+" "+string(c.Arguments[name]))
	}
	if len(c.Gates) > 0 {
		parts = append(parts, c.GateNames())
	}
	return append(parts, c.Unrecorded...)
}

// GateNames are the feature gates with their values, in words.
func (c *Call) GateNames() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(c.Gates)) {
		parts = append(parts, fmt.Sprintf("feature gate %s=%t", name, c.Gates[name]))
	}
	return strings.Join(parts, "; ")
}
