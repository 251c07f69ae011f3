//go:build go1.22

package recorder

import "encoding/json"

// Folder is the environment variable that names the folder for the files with lines.
const Folder = "DIFFRUN_RECORDINGS"

// Line is what happened in one call. What a call does not have is left out.
type Line struct {
	// Function is "import/path.Function" or "import/path.Type.Method".
	Function string `json:"function"`
	// Test is the name of the test, with its subtests; Source is "file:line" of the call.
	Test   string `json:"test,omitempty"`
	Source string `json:"source,omitempty"`
	// Skipped says why the call was not recorded; the rest is then empty.
	Skipped string `json:"skipped,omitempty"`

	// Type is the Go type of the object, as "import/path.Type".
	Type string `json:"type,omitempty"`
	// Part says that the type is no object of an API.
	Part bool `json:"part,omitempty"`
	// Untagged says that the type has fields without JSON tags, as internal types have.
	Untagged bool            `json:"untagged,omitempty"`
	Object   json.RawMessage `json:"object,omitempty"`
	Old      json.RawMessage `json:"old,omitempty"`
	// Deletes says that the object is validated because it is deleted.
	Deletes bool `json:"deletes,omitempty"`
	// Arguments are the other parameters by their names.
	Arguments map[string]json.RawMessage `json:"arguments,omitempty"`
	// Receiver is the value that the method belongs to, unless it is the object.
	Receiver json.RawMessage `json:"receiver,omitempty"`
	// Unrecorded names the parameters, and the fields of them and of the receiver, that cannot
	// be written as JSON, and why.
	Unrecorded []string `json:"unrecorded,omitempty"`
	// Gates are the feature gates that are not as they are by default.
	Gates map[string]bool `json:"gates,omitempty"`
	// Request and Response are those of an admission handler.
	Request  json.RawMessage `json:"request,omitempty"`
	Response json.RawMessage `json:"response,omitempty"`

	Errors []Error `json:"errors,omitempty"`
	// Panicked says that the call did not return.
	Panicked bool `json:"panicked,omitempty"`
}

// Error is an error of validation. Status is that of an API error, and Text the text of any
// other error; the other fields are then empty.
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
