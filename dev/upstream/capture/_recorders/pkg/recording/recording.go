// Package recording writes down the calls that unit tests make of the functions
// beside which recorders were put. It knows nothing of what the functions are for:
// a recorder says what went in before the call, and what came out after it.
//
// Calls go to a file of their own for each test binary, a JSON object a line, in the
// folder that the environment variable DIFFRUN_RECORDINGS names; without it nothing
// is recorded.
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

// Folder is the environment variable that says where calls are written to.
const Folder = "DIFFRUN_RECORDINGS"

// File is how the files are called that recorders stand in.
const File = "zz_recorded.go"

// Call is one call of a function. What a function does not have is left out.
type Call struct {
	Function string `json:"function"`
	// Test is where in the unit tests the call comes from: file:line and function.
	Test string `json:"test,omitempty"`
	// Inside is the recorded function that made this call on behalf of a test.
	Inside string `json:"inside,omitempty"`

	Schema     json.RawMessage `json:"schema,omitempty"`     // OpenAPI v3
	Object     json.RawMessage `json:"object,omitempty"`     // before the call
	Old        json.RawMessage `json:"old,omitempty"`        // nothing: it is not an update
	Definition json.RawMessage `json:"definition,omitempty"` // a CustomResourceDefinition in the API server's own form
	OldVersion json.RawMessage `json:"oldDefinition,omitempty"`
	Flags      map[string]any  `json:"flags,omitempty"`
	// Path is the field that the value stands at, which stands in front of the fields
	// of errors.
	Path string `json:"path,omitempty"`

	Errors []Error         `json:"errors,omitempty"`
	After  json.RawMessage `json:"after,omitempty"` // the object or schema, where the call changes it
	Paths  []string        `json:"paths,omitempty"` // fields that were dropped
	Rules  []Rule          `json:"rules,omitempty"`

	// Foreign are Go types in what went in that no JSON is decoded to: the function
	// may treat them in another way than what is recorded here.
	Foreign []string `json:"foreign,omitempty"`
}

// Error is a *field.Error.
type Error struct {
	Type   string          `json:"type"`
	Field  string          `json:"field"`
	Detail string          `json:"detail,omitempty"`
	Value  json.RawMessage `json:"badValue,omitempty"`
}

// Rule is what came out of compiling a rule.
type Rule struct {
	Rule        string `json:"rule"`
	Error       string `json:"error,omitempty"`
	Message     string `json:"messageError,omitempty"`
	Cost        uint64 `json:"cost"`
	MessageCost uint64 `json:"messageCost"`
	Cardinality uint64 `json:"cardinality"`
	UsesOldSelf bool   `json:"usesOldSelf"`
}

// Recorder is a call that is being made. The nil recorder records nothing.
type Recorder struct{ call Call }

// Start begins a call of the function that it is called from. A function that calls
// itself is recorded from without only.
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

// ByTest says that a unit test called the function itself.
func (r *Recorder) ByTest() bool { return r != nil && r.call.Test != "" && r.call.Inside == "" }

// Schema is what goes in as the schema: something that is JSON of OpenAPI v3.
func (r *Recorder) Schema(schema json.Marshaler) *Recorder {
	if r != nil {
		r.call.Schema = plain(schema)
	}
	return r
}

// Object is the value that goes in.
func (r *Recorder) Object(v any) *Recorder {
	if r != nil {
		r.call.Object = r.encode(v)
	}
	return r
}

// Old is the value that it takes the place of.
func (r *Recorder) Old(v any) *Recorder {
	if r != nil {
		r.call.Old = r.encode(v)
	}
	return r
}

// Definition is the resource definition that goes in; old is nil when there is none.
func (r *Recorder) Definition(crd, old any) *Recorder {
	if r != nil {
		r.call.Definition = plain(crd)
		if old != nil {
			r.call.OldVersion = plain(old)
		}
	}
	return r
}

// Flag is something else that goes in.
func (r *Recorder) Flag(name string, value any) *Recorder {
	if r != nil {
		r.call.Flags[name] = value
	}
	return r
}

// At is the path of the value.
func (r *Recorder) At(path *field.Path) *Recorder {
	if r != nil && path != nil {
		r.call.Path = path.String()
	}
	return r
}

// Errors are what came out.
func (r *Recorder) Errors(errs field.ErrorList) *Recorder {
	if r != nil {
		for _, e := range errs {
			r.call.Errors = append(r.call.Errors, Error{string(e.Type), e.Field, e.Detail, describe(e.BadValue)})
		}
	}
	return r
}

// After is what the value became.
func (r *Recorder) After(v any) *Recorder {
	if r != nil {
		r.call.After = (&Recorder{}).encode(v)
	}
	return r
}

// AfterSchema is what the schema became.
func (r *Recorder) AfterSchema(schema json.Marshaler) *Recorder {
	if r != nil {
		r.call.After = plain(schema)
	}
	return r
}

// Paths are the fields that were dropped.
func (r *Recorder) Paths(paths []string) *Recorder {
	if r != nil {
		r.call.Paths = append(r.call.Paths, paths...)
	}
	return r
}

// Rule adds what came out of compiling a rule.
func (r *Recorder) Rule(rule Rule) {
	if r != nil {
		r.call.Rules = append(r.call.Rules, rule)
	}
}

var file struct {
	sync.Mutex
	*os.File
}

// Write writes the call down. Failing to is a panic: a test that is not recorded must
// not pass.
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

// plain gives the JSON of what encoding/json can write.
func plain(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("cannot be recorded: %v", err))
	}
	return data
}
