// Package recorded is what a line of a corpus says about the call that it was recorded from.
//
// Package corpus writes it, package cases reads it: in a line of JSON, it stands under the key
// "recorded", beside the objects of the case.
package recorded

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
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
	Errors []Error `json:"errors"`
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

// Error is a field.Error.
type Error struct {
	Type     field.ErrorType `json:"type"`
	Field    string          `json:"field"`
	Detail   string          `json:"detail,omitempty"`
	BadValue json.RawMessage `json:"badValue,omitempty"`
	Origin   string          `json:"origin,omitempty"`
	Covered  bool            `json:"coveredByDeclarative,omitempty"`
}

// ErrorList gives the errors as the validator gave them. Bad values are values of JSON.
func (c *Call) ErrorList() (field.ErrorList, error) {
	var errs field.ErrorList
	for _, e := range c.Errors {
		made := &field.Error{Type: e.Type, Field: e.Field, Detail: e.Detail, Origin: e.Origin, CoveredByDeclarative: e.Covered}
		if len(e.BadValue) > 0 {
			decoder := json.NewDecoder(bytes.NewReader(e.BadValue))
			decoder.UseNumber() // an integer beyond 2^53 is another one as a float
			if err := decoder.Decode(&made.BadValue); err != nil {
				return nil, err
			}
		}
		errs = append(errs, made)
	}
	return errs, nil
}

// Errors gives field errors the form of a line. A bad value that is no JSON is left out.
func Errors(errs field.ErrorList) []Error {
	made := make([]Error, 0, len(errs))
	for _, e := range errs {
		one := Error{Type: e.Type, Field: e.Field, Detail: e.Detail, Origin: e.Origin, Covered: e.CoveredByDeclarative}
		if _, omitted := e.BadValue.(field.OmitValueType); e.BadValue != nil && !omitted {
			if data, err := json.Marshal(e.BadValue); err == nil {
				one.BadValue = data
			}
		}
		made = append(made, one)
	}
	return made
}
