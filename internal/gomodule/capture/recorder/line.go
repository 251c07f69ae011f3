//go:build go1.22

package recorder

import "encoding/json"

// Folder is the environment variable that names the folder for the files with lines.
const Folder = "DIFFRUN_RECORDINGS"

// Line is the record of one call. Empty fields are omitted.
type Line struct {
	// Function is "import/path.Function" or "import/path.Type.Method".
	Function string `json:"function"`
	// Test is the name of the test, with its subtests; Source is "file:line" of the call.
	Test   string `json:"test,omitempty"`
	Source string `json:"source,omitempty"`
	// Skipped says why the call was not recorded. The other fields except Function are then empty.
	Skipped string `json:"skipped,omitempty"`

	// Type is the Go type of the object, as "import/path.Type".
	Type string `json:"type,omitempty"`
	// Part is true if the type is not an API object.
	Part bool `json:"part,omitempty"`
	// Untagged is true if the type has fields without JSON tags, as internal types do.
	Untagged bool            `json:"untagged,omitempty"`
	Object   json.RawMessage `json:"object,omitempty"`
	Old      json.RawMessage `json:"old,omitempty"`
	// Deletes is true if the object is validated because it is deleted.
	Deletes bool `json:"deletes,omitempty"`
	// Arguments are the other parameters by their names.
	Arguments map[string]json.RawMessage `json:"arguments,omitempty"`
	// Receiver is the receiver of the method, unless that is the object.
	Receiver json.RawMessage `json:"receiver,omitempty"`
	// Unrecorded names the parameters, and the fields of parameters and of the receiver, that
	// cannot be written as JSON, with the reason.
	Unrecorded []string `json:"unrecorded,omitempty"`
	// Gates are the feature gates that differ from their defaults.
	Gates map[string]bool `json:"gates,omitempty"`
	// Request and Response are those of an admission handler.
	Request  json.RawMessage `json:"request,omitempty"`
	Response json.RawMessage `json:"response,omitempty"`

	Errors []Error `json:"errors,omitempty"`
	// Panicked is true if the call did not return.
	Panicked bool `json:"panicked,omitempty"`
}

// Error is a validation error. If it is not a field error, only Status or Text is set: the status of
// an API error, or the text of any other error.
type Error struct {
	Type     string          `json:"type,omitempty"`
	Field    string          `json:"field,omitempty"`
	Detail   string          `json:"detail,omitempty"`
	BadValue json.RawMessage `json:"badValue,omitempty"`
	Origin   string          `json:"origin,omitempty"`
	Covered  bool            `json:"coveredByDeclarative,omitempty"`
	Status   json.RawMessage `json:"status,omitempty"`
	Text     string          `json:"text,omitempty"`
}
