package capture

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/text/errorjson"
)

// Call is one call of a function under test, as a recorder writes it. Inputs and outputs that a
// function lacks are omitted. The values are JSON in which floats have a point or an exponent, to
// be read with k8s.io/apimachinery/pkg/util/json.
type Call struct {
	// Function is the name that the recorder uses.
	Function string `json:"function"`
	// Test is the origin of the call in the unit tests, as in "FILE:LINE FUNCTION".
	Test string `json:"test,omitempty"`
	// Inside is the recorded function that made the call on behalf of the test; empty if the test
	// made it.
	Inside string `json:"inside,omitempty"`

	// Schema is OpenAPI v3, Object the value before the call, Old the value that it replaces; nil
	// if it is not an update.
	Schema json.RawMessage `json:"schema,omitempty"`
	Object json.RawMessage `json:"object,omitempty"`
	Old    json.RawMessage `json:"old,omitempty"`
	// Definition and OldDefinition are CustomResourceDefinitions, or parts of one, in
	// the API server's own form.
	Definition    json.RawMessage `json:"definition,omitempty"`
	OldDefinition json.RawMessage `json:"oldDefinition,omitempty"`
	// Flags are the other arguments.
	Flags map[string]any `json:"flags,omitempty"`
	// Path is the field of the value.
	Path string `json:"path,omitempty"`

	// Errors, After (the value after a call that changes it), Paths (dropped fields) and Rules are
	// the output.
	Errors []errorjson.Recorded `json:"errors,omitempty"`
	After  json.RawMessage      `json:"after,omitempty"`
	Paths  []string             `json:"paths,omitempty"`
	Rules  []Rule               `json:"rules,omitempty"`

	// Foreign lists Go types in Object and Old that no JSON is decoded to.
	Foreign []string `json:"foreign,omitempty"`
	// Times is how often tests made the same call.
	Times int `json:"-"`
}

// Rule is the result of compiling a rule. Error and MessageError are empty for expressions that
// compile.
type Rule struct {
	Rule         string `json:"rule"`
	Error        string `json:"error,omitempty"`
	MessageError string `json:"messageError,omitempty"`
	Cost         uint64 `json:"cost"`
	MessageCost  uint64 `json:"messageCost"`
	Cardinality  uint64 `json:"cardinality"`
	UsesOldSelf  bool   `json:"usesOldSelf"`
}

// Flag reports whether a flag is true.
func (c *Call) Flag(name string) bool { return c.Flags[name] == true }

// Number returns a flag that is a number; there reports whether it was recorded.
func (c *Call) Number(name string) (n int64, there bool) {
	number, there := c.Flags[name].(json.Number)
	if !there {
		return 0, false
	}
	n, err := number.Int64()
	return n, err == nil
}

// readCalls reads the calls that recorders wrote to a folder.
func readCalls(folder string) ([]*Call, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	var calls []*Call
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		read, err := Read(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		calls = append(calls, read...)
	}
	return calls, nil
}

// Read reads a sequence of calls in JSON.
func Read(in io.Reader) ([]*Call, error) {
	var calls []*Call
	decoder := json.NewDecoder(bufio.NewReader(in))
	decoder.UseNumber()
	for {
		call := &Call{Times: 1}
		if err := decoder.Decode(call); errors.Is(err, io.EOF) {
			return calls, nil
		} else if err != nil {
			return nil, err
		}
		calls = append(calls, call)
	}
}

// distinct merges equal calls and sorts them by origin. The call of a test comes before calls on
// behalf of it.
func distinct(calls []*Call) []*Call {
	slices.SortStableFunc(calls, func(a, b *Call) int {
		return strings.Compare(a.Function+" "+a.Inside+" "+a.Test, b.Function+" "+b.Inside+" "+b.Test)
	})
	var kept []*Call
	seen := map[string]*Call{}
	for _, call := range calls {
		key := *call
		key.Test, key.Inside = "", ""
		text, err := json.Marshal(key)
		if err != nil {
			panic(err) // it was read from JSON
		}
		if same := seen[string(text)]; same != nil {
			same.Times++
			continue
		}
		seen[string(text)] = call
		kept = append(kept, call)
	}
	return kept
}
