// Package recorded has the format of the key "recorded" in a line of a corpus: the call that the case was
// recorded from. Package corpus writes it, and package cases reads it.
package recorded

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/text/errorjson"
)

// Call is a recorded call of a hand-written validator.
type Call struct {
	// Function is "import/path.Function" or "import/path.Type.Method".
	Function string `json:"function"`
	// Type is the Go type of the object, as "import/path.Type".
	Type string `json:"type,omitempty"`
	// Test is the name of the test, and Source is "file:line" of the call.
	Test   string `json:"test,omitempty"`
	Source string `json:"source,omitempty"`
	// Receiver is the receiver of the method, such as a validator with its configuration, unless
	// that is the object.
	Receiver json.RawMessage `json:"receiver,omitempty"`
	// Arguments are the other arguments by name. Unrecorded names those, and fields of them and
	// of the receiver, that cannot be written as JSON, with the reason.
	Arguments  map[string]json.RawMessage `json:"arguments,omitempty"`
	Unrecorded []string                   `json:"unrecorded,omitempty"`
	// Gates are the feature gates that the test set.
	Gates map[string]bool `json:"featureGates,omitempty"`
	// Errors are the returned errors. There are none if the object was accepted.
	Errors []errorjson.Recorded `json:"errors"`
	// Replay is the reason why the validator did not return the same errors for the documents
	// when the call was captured, as "cause: evidence". It is empty if it did, or without a replay.
	Replay string `json:"replay,omitempty"`
	// Panicked is true if the call did not return.
	Panicked bool `json:"panicked,omitempty"`
}

// Inputs describes the inputs of the call besides the objects.
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

// GateNames describes the feature gates and their values.
func (c *Call) GateNames() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(c.Gates)) {
		parts = append(parts, fmt.Sprintf("feature gate %s=%t", name, c.Gates[name]))
	}
	return strings.Join(parts, "; ")
}
