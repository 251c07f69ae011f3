package corpus_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/internal/gomodule/capture/converter"
	"github.com/diffrun/diffrun/internal/gomodule/capture/corpus"
	"github.com/diffrun/diffrun/internal/gomodule/capture/recorder"
)

var widgets = corpus.Options{
	Versions: map[string]schema.GroupVersionKind{"m/v1.Widget": {Group: "example.com", Version: "v1", Kind: "Widget"}},
}

func line(function, test, object string, errs ...recorder.Error) recorder.Line {
	return recorder.Line{
		Function: function,
		Test:     test,
		Source:   "a_test.go:1",
		Type:     "m/v1.Widget",
		Object:   json.RawMessage(object),
		Errors:   errs,
	}
}

var tooBig = recorder.Error{Type: "FieldValueInvalid", Field: "spec.size", Detail: "too big", BadValue: json.RawMessage("11")}

// written returns the files of a corpus.
func written(t *testing.T, lines []recorder.Line, options corpus.Options, form corpus.Form) map[string]string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "corpus")
	if err := corpus.CheckFolder(dir); err != nil {
		t.Fatal(err)
	}
	if err := corpus.New(lines, options).Write(dir, form); err != nil {
		t.Fatal(err)
	}
	if err := corpus.CheckFolder(dir); err == nil {
		t.Error("the folder may be written twice")
	}
	files := map[string]string{}
	for _, pattern := range []string{"*", "*/*"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if data, err := os.ReadFile(name); err == nil {
				files[strings.TrimPrefix(name, dir+"/")] = string(data)
			}
		}
	}
	return files
}

func TestNew(t *testing.T) {
	other := line("m/v.Validate", "TestB", `{"spec":{"size":11}}`, tooBig)
	options := line("m/v.Validate", "TestA", `{"spec":{"size":11}}`)
	options.Arguments = map[string]json.RawMessage{"opts": json.RawMessage(`{"AllowBig":true}`)}
	part := recorder.Line{
		Function: "m/v.ValidateSpec",
		Test:     "TestA",
		Type:     "m/v1.WidgetSpec",
		Part:     true,
		Object:   json.RawMessage(`{"size":1,"kind":"x","apiVersion":"y"}`),
	}
	untagged := recorder.Line{Function: "m/v.Validate", Type: "m.Widget", Untagged: true, Object: json.RawMessage(`{"Spec":{}}`)}
	lines := []recorder.Line{
		other,
		options,
		line("m/v.Validate", "TestA", `{"spec":{"size":11}}`, tooBig),
		part,
		untagged,
		line("m/v.Validate", "TestC", `[]`),
	}
	made := corpus.New(lines, widgets)
	if len(made.Cases) != 2 || len(made.Parts) != 1 || made.Calls != 4 || made.Untagged["m.Widget"] != 1 || len(made.Unusable) != 1 {
		t.Errorf("the corpus is %+v", made)
	}
	files := written(t, lines, widgets, corpus.Lines)
	var names []string
	for name := range files {
		names = append(names, name)
	}
	lines[0], lines[2] = lines[2], lines[0] // a different order of parallel tests
	if diff := cmp.Diff(files, written(t, lines, widgets, corpus.Lines)); diff != "" || len(files) != 2 {
		t.Errorf("files %q; another order writes others:\n%s", names, diff)
	}
	if text := files["widget.v1.example.com.jsonl"]; !strings.Contains(text,
		`"object":{"apiVersion":"example.com/v1","kind":"Widget","spec":{"size":11}}`) || !strings.Contains(text, `"test":"TestA"`) ||
		strings.Contains(text, "TestB") {
		t.Errorf("the lines are\n%s", text)
	}
	if text := files["parts/m_v1.WidgetSpec.jsonl"]; !strings.Contains(text, `"type":"m/v1.WidgetSpec"`) {
		t.Errorf("the parts are\n%s", text)
	}
}

// TestRequests: an object of an admission request without apiVersion and kind has those of the request.
func TestRequests(t *testing.T) {
	request := func(keys string) recorder.Line {
		return recorder.Line{
			Function: "m/v.Handle", Test: "TestA",
			Request: json.RawMessage(`{"operation":"UPDATE","object":{"metadata":{"name":"a"}},"oldObject":{"metadata":{"name":"b"}}` +
				keys + `}`),
			Response: json.RawMessage(`{"allowed":true}`),
		}
	}
	for _, tt := range []struct{ why, keys, file string }{
		{"the kind of the object", `,"kind":{"group":"example.com","version":"v1","kind":"Widget"},"requestKind":{` +
			`"group":"example.com","version":"v2","kind":"Widget"}`, "widget.v1.example.com.jsonl"},
		{"only the kind that was requested", `,"requestKind":{"group":"example.com","version":"v2","kind":"Widget"}`,
			"widget.v2.example.com.jsonl"},
	} {
		files := written(t, []recorder.Line{request(tt.keys)}, widgets, corpus.Lines)
		if text := files[tt.file]; len(files) != 1 || !strings.Contains(text, `"object":{"apiVersion":"example.com/v`) ||
			!strings.Contains(text, `"oldObject":{"apiVersion":"example.com/v`) {
			t.Errorf("%s: %v", tt.why, files)
		}
	}
	made := corpus.New([]recorder.Line{request("")}, widgets)
	const want = "no case was made: m/v.Handle: the object of the admission request has no apiVersion and kind, and the request has no kind"
	if err := made.Check(corpus.Lines); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("without any kind: %v", err)
	}
}

// TestConverted: the object into which a scheme converts a call is the case, and is counted as replayed.
func TestConverted(t *testing.T) {
	lines := []recorder.Line{
		{Function: "m/v.Validate", Type: "m.Widget", Untagged: true, Object: json.RawMessage(`{"Spec":{}}`)},
		{Function: "m/v.Validate", Type: "m.Widget", Untagged: true, Object: json.RawMessage(`{"Spec":{"Size":1}}`)},
		{Function: "m/v.Validate", Type: "m.Other", Untagged: true, Object: json.RawMessage(`{}`)},
	}
	made := corpus.New(lines, corpus.Options{Answers: []converter.Answer{
		{Object: json.RawMessage(`{"spec":{}}`), Type: "m/v1.Widget", Group: "example.com", Version: "v1", Kind: "Widget", Replayed: true},
		{Object: json.RawMessage(`{"spec":{"size":1}}`), Type: "m/v1.Widget", Group: "example.com", Version: "v1",
			Kind: "Widget", Differs: "gates: locked"},
		{Failed: "the scheme does not know the Go type m.Other"},
	}})
	if len(made.Cases) != 2 || made.Differing["gates"] != 1 || made.Packages[0].Replayed != 1 || len(made.Unusable) != 1 {
		t.Errorf("the corpus is %+v, %+v", made, made.Packages[0])
	}
	if table := strings.Join(made.Table(), "\n"); !strings.Contains(table, "m/v") || strings.Contains(table, "%!") {
		t.Errorf("the table is\n%s", table)
	}
}

func TestTables(t *testing.T) {
	update := line("m/v.ValidateUpdate", "TestUpdate", `{"spec":{"size":1}}`)
	update.Old = json.RawMessage(`{"spec":{"size":2,"color":"yes"}}`)
	files := written(t, []recorder.Line{
		line("m/v.Validate", "TestA/ok", `{"spec":{"size":1}}`),
		line("m/v.Validate", "TestA/big", `{"spec":{"size":11}}`, tooBig),
		line("m/v.Validate", "TestA/big", `{"spec":{"size":12}}`, tooBig),
		line("m/v.Validate", "TestNull", `{"spec":{"size":1,"color":null}}`),
		update,
	}, widgets, corpus.Tables)
	const want = `target: example.com/v1 Widget
objects:
  common:
    apiVersion: example.com/v1
    kind: Widget
    spec:
      size: 1
cases:
  - name: TestA/big
    why: a_test.go:1 calls v.Validate
    object: common
    patch:
      spec:
        size: 11
    want:
      - type: FieldValueInvalid
        field: spec.size
        detail: too big
  - name: TestA/big (2)
    why: a_test.go:1 calls v.Validate
    object: common
    patch:
      spec:
        size: 12
    want:
      - type: FieldValueInvalid
        field: spec.size
        detail: too big
  - name: TestA/ok
    why: a_test.go:1 calls v.Validate
    object: common
    want: []
  - name: TestNull
    why: a_test.go:1 calls v.Validate
    object:
      apiVersion: example.com/v1
      kind: Widget
      spec:
        color: null
        size: 1
    want: []
  - name: TestUpdate
    why: a_test.go:1 calls v.ValidateUpdate
    old:
      object: common
      patch:
        spec:
          color: "yes"
          size: 2
    object: common
    want: []
`
	got := files["widget.v1.example.com.yaml"]
	// The ids of the two sizes decide which one is first.
	swapped := strings.NewReplacer("size: 11", "size: 12", "size: 12", "size: 11").Replace(got)
	if diff := cmp.Diff(want, got); diff != "" && swapped != want {
		t.Error(diff)
	}
}

func TestParseSubresource(t *testing.T) {
	for text, good := range map[string]bool{
		"ValidateScale=scale":  true,
		"m/v.Validate*=status": true,
		"=status":              false,
		"ValidateScale":        false,
		"[=a":                  false,
	} {
		if _, err := corpus.ParseSubresource(text); (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestEmptyTables: if there are only parts and panics, no table is written, and a message says so.
func TestEmptyTables(t *testing.T) {
	part := recorder.Line{Function: "m/v.ValidateSpec", Type: "m/v1.WidgetSpec", Part: true, Object: json.RawMessage(`{"size":1}`)}
	panicked := line("m/v.Validate", "TestA", `{"spec":{"size":1}}`)
	panicked.Panicked = true
	made := corpus.New([]recorder.Line{part, panicked}, widgets)
	if err := made.Check(corpus.Tables); err == nil || !strings.Contains(err.Error(), "all 2 cases are of parts of objects or of panics") {
		t.Errorf("the error is %v", err)
	}
	if err := made.Check(corpus.Lines); err != nil || len(made.Rows(corpus.Tables)) != 1 ||
		made.Rows(corpus.Tables)[0].File != "widget.v1.example.com.yaml" {
		t.Errorf("%v, rows %v", err, made.Rows(corpus.Tables))
	}
}

// TestOrder: the same errors in a different order, because of a map, are the same case.
func TestOrder(t *testing.T) {
	required := recorder.Error{Type: "FieldValueRequired", Field: "spec.color"}
	status := func(fields ...string) recorder.Error {
		text := `{"reason":"Invalid","details":{"causes":[`
		for i, name := range fields {
			if i > 0 {
				text += ","
			}
			text += `{"reason":"FieldValueRequired","message":"Required value","field":"` + name + `"}`
		}
		return recorder.Error{Status: json.RawMessage(text + "]}}")}
	}
	for _, both := range [][2][]recorder.Error{{{tooBig, required}, {required, tooBig}}, {{status("a", "b")}, {status("b", "a")}}} {
		made := corpus.New([]recorder.Line{
			line("m/v.Validate", "TestA", `{"spec":{}}`, both[0]...),
			line("m/v.Validate", "TestA", `{"spec":{}}`, both[1]...),
		}, widgets)
		if len(made.Cases) != 1 || len(made.Cases[0].Recorded.Errors) != 2 {
			t.Errorf("%d cases", len(made.Cases))
		}
	}
}
