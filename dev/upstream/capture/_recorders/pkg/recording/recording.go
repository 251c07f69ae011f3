// Package recording records the calls that unit tests make of functions with recorders. It does not
// know what the functions are for: a recorder reports the input before the call, and the output
// after it.
//
// Each test binary writes its calls to a file of its own, one JSON object per line, in the folder
// that the environment variable DIFFRUN_RECORDINGS names; without it nothing is recorded.
package recording

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Folder is the environment variable with the folder that calls are written to.
const Folder = "DIFFRUN_RECORDINGS"

// File is the name of the files with recorders.
const File = "zz_recorded.go"

// Call is one call of a function. Inputs and outputs that a function lacks are omitted.
type Call struct {
	Function string `json:"function"`
	// Test is the origin of the call in the unit tests: file:line and function.
	Test string `json:"test,omitempty"`
	// Inside is the recorded function that made this call on behalf of a test.
	Inside string `json:"inside,omitempty"`

	Schema     json.RawMessage `json:"schema,omitempty"`     // OpenAPI v3
	Object     json.RawMessage `json:"object,omitempty"`     // before the call
	Old        json.RawMessage `json:"old,omitempty"`        // absent: not an update
	Definition json.RawMessage `json:"definition,omitempty"` // a CustomResourceDefinition in the API server's own form
	OldVersion json.RawMessage `json:"oldDefinition,omitempty"`
	Flags      map[string]any  `json:"flags,omitempty"`
	// Path is the field of the value, a prefix of the fields of errors.
	Path string `json:"path,omitempty"`

	Errors []Error         `json:"errors,omitempty"`
	After  json.RawMessage `json:"after,omitempty"` // the object or schema, if the call changes it
	Paths  []string        `json:"paths,omitempty"` // fields that were dropped
	Rules  []Rule          `json:"rules,omitempty"`

	// Foreign lists Go types in the input that no JSON is decoded to: the function may treat them
	// differently from the recorded ones.
	Foreign []string `json:"foreign,omitempty"`
}

// Error is a *field.Error.
type Error struct {
	Type   string          `json:"type"`
	Field  string          `json:"field"`
	Detail string          `json:"detail,omitempty"`
	Value  json.RawMessage `json:"badValue,omitempty"`
}

// Rule is the result of compiling a rule.
type Rule struct {
	Rule        string `json:"rule"`
	Error       string `json:"error,omitempty"`
	Message     string `json:"messageError,omitempty"`
	Cost        uint64 `json:"cost"`
	MessageCost uint64 `json:"messageCost"`
	Cardinality uint64 `json:"cardinality"`
	UsesOldSelf bool   `json:"usesOldSelf"`
}

// Recorder is a call in progress. The nil recorder records nothing.
type Recorder struct{ call Call }

// Start begins a call of the function that calls it. It records only the outermost call of a
// recursive function.
func Start(function string) *Recorder {
	if os.Getenv(Folder) == "" {
		return nil
	}
	r := &Recorder{Call{Function: function, Flags: map[string]any{}}}
	pcs := make([]uintptr, 256)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	recorder := ""
	for own := true; ; {
		frame, more := frames.Next()
		name := frame.Function[strings.LastIndex(frame.Function, "/")+1:]
		file := filepath.Base(frame.File)
		own = own && file == File
		switch {
		case own:
			recorder = name
		case file == File && name == recorder:
			return nil
		case file == File && r.call.Inside == "":
			r.call.Inside = name
		case strings.HasSuffix(file, "_test.go"):
			r.call.Test = fmt.Sprintf("%s:%d %s", file, frame.Line, name)
			return r
		}
		if !more {
			return r
		}
	}
}

// ByTest reports whether a unit test called the function itself.
func (r *Recorder) ByTest() bool { return r != nil && r.call.Test != "" && r.call.Inside == "" }

// Schema records the schema of the input, whose JSON is OpenAPI v3.
func (r *Recorder) Schema(schema json.Marshaler) *Recorder {
	if r != nil {
		r.call.Schema = plain(schema)
	}
	return r
}

// Object records the value of the input.
func (r *Recorder) Object(v any) *Recorder {
	if r != nil {
		r.call.Object = r.encode(v)
	}
	return r
}

// Old records the value that it replaces.
func (r *Recorder) Old(v any) *Recorder {
	if r != nil {
		r.call.Old = r.encode(v)
	}
	return r
}

// Definition records a resource definition of the input; old is nil if there is none.
func (r *Recorder) Definition(crd, old any) *Recorder {
	if r != nil {
		r.call.Definition = plain(crd)
		if old != nil {
			r.call.OldVersion = plain(old)
		}
	}
	return r
}

// Flag records any other input.
func (r *Recorder) Flag(name string, value any) *Recorder {
	if r != nil {
		r.call.Flags[name] = value
	}
	return r
}

// At records the path of the value.
func (r *Recorder) At(path *field.Path) *Recorder {
	if r != nil && path != nil {
		r.call.Path = path.String()
	}
	return r
}

// Errors records the returned errors.
func (r *Recorder) Errors(errs field.ErrorList) *Recorder {
	if r != nil {
		for _, e := range errs {
			r.call.Errors = append(r.call.Errors, Error{string(e.Type), e.Field, e.Detail, describe(e.BadValue)})
		}
	}
	return r
}

// After records the changed value.
func (r *Recorder) After(v any) *Recorder {
	if r != nil {
		r.call.After = (&Recorder{}).encode(v)
	}
	return r
}

// AfterSchema records the changed schema.
func (r *Recorder) AfterSchema(schema json.Marshaler) *Recorder {
	if r != nil {
		r.call.After = plain(schema)
	}
	return r
}

// Paths records the dropped fields.
func (r *Recorder) Paths(paths []string) *Recorder {
	if r != nil {
		r.call.Paths = append(r.call.Paths, paths...)
	}
	return r
}

// Rule records the result of compiling a rule.
func (r *Recorder) Rule(rule Rule) {
	if r != nil {
		r.call.Rules = append(r.call.Rules, rule)
	}
}

var file struct {
	sync.Mutex
	*os.File
}

// Write writes the call. It panics on failure: a test that is not recorded must not pass.
func (r *Recorder) Write() {
	if r == nil {
		return
	}
	file.Lock()
	defer file.Unlock()
	if file.File == nil {
		var err error
		if file.File, err = os.CreateTemp(os.Getenv(Folder), "calls-*.jsonl"); err != nil {
			panic(err)
		}
	}
	if _, err := file.Write(append(plain(r.call), '\n')); err != nil {
		panic(err)
	}
}

// plain returns the JSON of a value that encoding/json can write.
func plain(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("cannot be recorded: %v", err))
	}
	return data
}
