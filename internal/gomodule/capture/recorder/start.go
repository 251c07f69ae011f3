//go:build go1.22

package recorder

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
)

// folder is read before the tests run, because they may change the environment.
var folder = os.Getenv(Folder)

// Function describes an instrumented function.
type Function struct {
	// Name is "import/path.Function" or "import/path.Type.Method".
	Name string
	// Receiver is the name of the receiver, or empty without one. Parameters are the names of
	// the parameters in order.
	Receiver   string
	Parameters []string
	// Old is true if the first object parameter is the old object.
	Old bool
	// OldOnly is true if the only object parameter is the old object, and the receiver is the
	// new object.
	OldOnly bool
	// Deletes is true if the function validates deletions.
	Deletes bool
	// Handler is true if the function takes an admission request and returns a response.
	Handler bool
	// Parts is true if objects may be any struct, not only API objects.
	Parts bool
	// Nested is true if calls inside a recorded call are recorded, too.
	Nested bool
}

// Call is a call in progress. A nil Call records nothing.
type Call struct {
	line      Line
	goroutine uint64
	ended     bool
	served    *served
	skipped   string // why it is not recorded after all
}

const nestedCall = "inside another recorded call (--nested records them)"

// Start begins a call. The values are the receiver, if there is one, and the arguments. They are
// marshalled at once, because the function may change them.
func Start(f *Function, values ...any) *Call {
	if folder == "" {
		return nil
	}
	c := &Call{line: Line{Function: f.Name, Deletes: f.Deletes}, goroutine: goroutineID()}
	if inside(c.goroutine) && !f.Nested {
		return skip(f, nestedCall)
	}
	if why := c.take(f, values); why != "" {
		return skip(f, why)
	}
	c.begin()
	return c
}

// begin completes the line of a call that is recorded.
func (c *Call) begin() {
	enter(c.goroutine)
	c.line.Test, c.line.Source = caller(c.goroutine)
	c.line.Gates = changedGates()
}

// skip counts a call that is not recorded.
func skip(f *Function, why string) *Call {
	write(&Line{Function: f.Name, Skipped: why})
	return nil
}

// End records the results of a call that returned.
func (c *Call) End(results ...any) {
	if c == nil {
		return
	}
	c.ended = true
	switch {
	case c.served != nil:
		c.skipped = c.served.end(&c.line)
	case c.line.Request != nil:
		c.line.Response = orNull(results[0])
	default:
		c.line.Errors = Errors(results...)
		return
	}
	if c.skipped == "" && changes(c.line.Response, results) {
		c.skipped = patches
	}
}

// Close writes the line. It is deferred: if End was not called, the call panicked or its test
// stopped the goroutine.
func (c *Call) Close() {
	if c == nil {
		return
	}
	leave(c.goroutine)
	c.line.Panicked = !c.ended
	if c.skipped != "" {
		c.line = Line{Function: c.line.Function, Skipped: c.skipped}
	}
	write(&c.line)
}

// take records the arguments. It returns the reason if the call is not about an object.
func (c *Call) take(f *Function, values []any) string {
	if f.Handler {
		return c.takeRequest(f, values)
	}
	var receiver any
	if f.Receiver != "" {
		receiver, values = values[0], values[1:]
	}
	objects, rest, validatesItself := f.objects(receiver, values)
	if len(objects) == 0 || objects[0] == nil {
		return "no object: none of the first parameters is a pointer to a struct, or it is nil"
	}
	if c.line.Part = !isObject(objects[0]); c.line.Part && !f.Parts {
		return "part: " + typeName(objects[0]) + " is not an API object (runtime.Object)"
	}
	c.line.Type = typeName(objects[0])
	c.line.Untagged = untagged(reflect.TypeOf(objects[0]))
	var err error
	if c.line.Object, err = json.Marshal(objects[0]); err != nil {
		return "not JSON: " + c.line.Type + ": " + err.Error()
	}
	if len(objects) > 1 && objects[1] != nil {
		if c.line.Old, err = json.Marshal(objects[1]); err != nil {
			return "not JSON: " + c.line.Type + ": " + err.Error()
		}
	}
	c.takeArguments(rest)
	if !validatesItself {
		c.takeReceiver(receiver)
	}
	return ""
}

// argument is a parameter that is not an object.
type argument struct {
	name  string
	value any
}

// objects returns the object and the old object, which may be nil, and the other arguments. itself
// is true if the receiver is the object.
func (f *Function) objects(receiver any, values []any) (objects []any, rest []argument, itself bool) {
	first, last := f.first(values), -1
	for i, value := range values {
		if f.Parts {
			value = pointerTo(value)
		}
		switch {
		case isContext(value):
		case i == first || len(objects) == 1 && i == last+1 && sameKind(objects[0], value):
			objects, last = append(objects, value), i
		default:
			rest = append(rest, argument{f.Parameters[i], value})
		}
	}
	switch {
	case f.OldOnly && len(objects) == 1 && structPointer(receiver):
		objects, itself = []any{receiver, objects[0]}, true
	case len(objects) == 0 && structPointer(receiver):
		objects, itself = []any{receiver}, true
	case f.Old && len(objects) == 2:
		objects[0], objects[1] = objects[1], objects[0]
	}
	for i, object := range objects {
		if reflect.ValueOf(object).IsNil() {
			objects[i] = nil
		}
	}
	return objects, rest, itself
}

// first returns the index of the first object, or -1. It is the first API object at any position, for
// example after an admission request, or else the first argument after a context, if that is a
// pointer to a struct.
func (f *Function) first(values []any) int {
	part := -1
	for i, value := range values {
		if f.Parts {
			value = pointerTo(value)
		}
		switch {
		case isContext(value):
		case structPointer(value) && isObject(value):
			return i
		case part < 0 && structPointer(value):
			part = i
		case part < 0:
			part = len(values) // not an object itself, but it may point to one of an API
		}
	}
	if part == len(values) {
		return -1
	}
	return part
}

func (c *Call) takeArguments(rest []argument) {
	for _, a := range rest {
		data, left := argumentJSON(a.name, a.value)
		c.line.Unrecorded = append(c.line.Unrecorded, left...)
		if data == nil {
			continue
		}
		if c.line.Arguments == nil {
			c.line.Arguments = map[string]json.RawMessage{}
		}
		c.line.Arguments[a.name] = data
	}
}

// takeReceiver records the fields of a validator, because its configuration is an input, too.
func (c *Call) takeReceiver(receiver any) {
	if v := reflect.ValueOf(receiver); receiver == nil || v.Kind() == reflect.Pointer && v.IsNil() {
		return
	}
	data, left := argumentJSON("receiver", receiver)
	c.line.Unrecorded = append(c.line.Unrecorded, left...)
	if string(data) != "{}" {
		c.line.Receiver = data
	}
}

// takeRequest records the admission request among the arguments.
func (c *Call) takeRequest(f *Function, values []any) string {
	if f.Receiver != "" {
		c.takeReceiver(values[0])
		values = values[1:]
	}
	for _, value := range values {
		if isContext(value) {
			continue
		}
		data, err := json.Marshal(value)
		if err != nil || !strings.Contains(string(data), `"operation"`) {
			continue
		}
		c.line.Request = data
		return ""
	}
	return "no admission request among the parameters"
}

func orNull(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return data
}
