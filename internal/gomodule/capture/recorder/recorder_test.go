package recorder

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// TypeMeta and ObjectMeta have the same names as those of apimachinery.
type (
	TypeMeta   struct{ Kind string }
	ObjectMeta struct{ Name string }
	widget     struct {
		TypeMeta   `json:",inline"`
		ObjectMeta `json:"metadata"`
		Spec       widgetSpec `json:"spec"`
	}
	widgetSpec struct {
		Size int `json:"size"`
	}
	internalWidget struct {
		TypeMeta
		ObjectMeta
		Size int
	}
	unwritable struct {
		TypeMeta
		ObjectMeta
		F func() `json:"f"`
	}
)

// recorded returns the lines that calls write.
func recorded(t *testing.T, calls func()) []Line {
	t.Helper()
	before := folder
	folder = t.TempDir()
	defer func() { folder, file.File = before, nil }()
	calls()
	names, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil || len(names) != 1 {
		t.Fatalf("files %q, %v", names, err)
	}
	data, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	var lines []Line
	for text := range strings.Lines(string(data)) {
		var line Line
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return lines
}

// one records a single call.
func one(t *testing.T, f Function, values ...any) Line {
	t.Helper()
	lines := recorded(t, func() {
		call := Start(&f, values...)
		defer call.Close()
		call.End(field.ErrorList{field.Invalid(field.NewPath("spec", "size"), 3, "too big")})
	})
	return lines[0]
}

func TestObjects(t *testing.T) {
	a, b := &widget{Spec: widgetSpec{1}}, &widget{Spec: widgetSpec{2}}
	for _, tt := range []struct {
		why          string
		f            Function
		values       []any
		object, old  string // sizes
		skipped, arg string
	}{
		{why: "an object", f: Function{Parameters: []string{"w"}}, values: []any{a}, object: "1"},
		{why: "new and old, after a context", f: Function{Parameters: []string{"ctx", "w", "o"}},
			values: []any{context.Background(), a, b}, object: "1", old: "2"},
		{why: "old first", f: Function{Parameters: []string{"o", "w"}, Old: true}, values: []any{a, b}, object: "2", old: "1"},
		{why: "the receiver is the new one", f: Function{Receiver: "w", Parameters: []string{"old"}, OldOnly: true},
			values: []any{a, b}, object: "1", old: "2"},
		{why: "the receiver is the object", f: Function{Receiver: "w", Parameters: []string{"max"}}, values: []any{a, 7},
			object: "1", arg: `{"max":7}`},
		{why: "after options", f: Function{Parameters: []string{"o", "w", "old"}}, values: []any{&struct{ Max int }{1}, a, b},
			object: "1", old: "2", arg: `{"o":{"Max":1}}`},
		{why: "after a missing request", f: Function{Parameters: []string{"r", "old", "w"}, Old: true},
			values: []any{(*struct{ UID string })(nil), b, a}, object: "1", old: "2", arg: `{"r":null}`},
		{why: "no old object", f: Function{Parameters: []string{"w", "o"}}, values: []any{a, (*widget)(nil)}, object: "1"},
		{why: "a path", f: Function{Parameters: []string{"w", "path"}}, values: []any{a, field.NewPath("spec")}, object: "1",
			arg: `{"path":"spec"}`},
		{why: "nothing", f: Function{Parameters: []string{"w"}}, values: []any{(*widget)(nil)}, skipped: "no object"},
		{why: "a part", f: Function{Parameters: []string{"s"}}, values: []any{&a.Spec}, skipped: "part: "},
		{why: "not JSON", f: Function{Parameters: []string{"w"}}, values: []any{&unwritable{F: func() {}}}, skipped: "not JSON: "},
	} {
		tt.f.Name = "m.Validate"
		line := one(t, tt.f, tt.values...)
		if tt.skipped != "" {
			if !strings.HasPrefix(line.Skipped, tt.skipped) {
				t.Errorf("%s: %+v", tt.why, line)
			}
			continue
		}
		size := func(data json.RawMessage) string {
			var w widget
			if len(data) == 0 {
				return ""
			}
			if err := json.Unmarshal(data, &w); err != nil {
				t.Fatal(err)
			}
			return fmt.Sprint(w.Spec.Size)
		}
		arguments := ""
		if line.Arguments != nil {
			data, err := json.Marshal(line.Arguments)
			if err != nil {
				t.Fatal(err)
			}
			arguments = string(data)
		}
		if size(line.Object) != tt.object || size(line.Old) != tt.old || arguments != tt.arg || len(line.Errors) != 1 ||
			line.Errors[0].Field != "spec.size" {
			t.Errorf("%s: %+v, arguments %s", tt.why, line, arguments)
		}
	}
}

// TestParts: with Parts, structs that are not objects are recorded, also if they are passed by value.
func TestParts(t *testing.T) {
	for _, value := range []any{widgetSpec{4}, &widgetSpec{4}} {
		line := one(t, Function{Name: "m.ValidateSpec", Parameters: []string{"s"}, Parts: true}, value)
		if !line.Part || string(line.Object) != `{"size":4}` {
			t.Errorf("%T: %+v", value, line)
		}
	}
	if line := one(t, Function{Name: "m.Validate", Parameters: []string{"w"}}, &internalWidget{Size: 1}); !line.Untagged || line.Part {
		t.Errorf("an internal type: %+v", line)
	}
}

// TestEndings: calls inside of recorded calls count, a panic is recorded, and calls of other goroutines are
// not nested ones.
func TestEndings(t *testing.T) {
	f := &Function{Name: "m.Validate", Parameters: []string{"w"}}
	lines := recorded(t, func() {
		func() {
			defer func() { _ = recover() }()
			call := Start(f, &widget{})
			defer call.Close()
			Start(f, &widget{}).Close()
			var other sync.WaitGroup
			other.Go(func() {
				call := Start(f, &widget{Spec: widgetSpec{9}})
				defer call.Close()
				call.End(errors.Join(field.Required(field.NewPath("a"), ""), errors.New("b")))
			})
			other.Wait()
			panic("no")
		}()
	})
	if len(lines) != 3 || !strings.HasPrefix(lines[0].Skipped, "inside") || !lines[2].Panicked || lines[1].Panicked ||
		len(lines[1].Errors) != 2 || lines[1].Errors[1].Text != "b" {
		t.Errorf("lines are %+v", lines)
	}
}

func TestNames(t *testing.T) {
	lines := recorded(t, func() {
		Test(t)
		var child sync.WaitGroup
		child.Go(func() { Start(&Function{Name: "m.Validate", Parameters: []string{"w"}}, &widget{}).Close() })
		child.Wait()
		Test((*testing.T)(nil))
	})
	if lines[0].Test != "TestNames" || !strings.Contains(lines[0].Source, "recorder_test.go:") {
		t.Errorf("the line is %+v", lines[0])
	}
}

// TestGates: the gates that differ from their defaults are recorded, wherever they were set, even if they are
// only known when the tests begin.
func TestGates(t *testing.T) {
	defer func() { gates.read, gates.defaults, gates.began = nil, nil, nil }()
	on, defaults := map[string]bool{}, map[string]bool{}
	Gates(func() map[string]bool { return on }, func() map[string]bool { return defaults })
	for _, gate := range []string{"A", "B", "C"} { // packages are initialized
		on[gate], defaults[gate] = false, false
	}
	on["A"] = true // in TestMain
	lines := recorded(t, func() {
		Test(t)
		defaults = map[string]bool{"A": true, "B": true, "C": true} // a different version is emulated
		on["B"] = true
		Start(&Function{Name: "m.Validate", Parameters: []string{"w"}}, &widget{}).Close()
	})
	if got := lines[0].Gates; len(got) != 2 || !got["A"] || !got["B"] {
		t.Errorf("the gates are %v", got)
	}
}
