package validate_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/internal/validate"
	"github.com/diffrun/diffrun/internal/validate/upstream"
)

// options are those of both modes, as the command sets them without flags. Warnings are test failures.
func options(t *testing.T) validate.Options {
	t.Helper()
	return validate.Options{Engine: validate.Declarative, Reference: upstream.Compiler{}, Timeout: contract.DefaultTimeout,
		Warn: func(warnings []plaintext.Text) {
			t.Errorf("warnings: %q", warnings)
		}}
}

// crd defines a kind with a default, a bound, a field that must not be null, and a version that is not
// served.
const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gears.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: gears, singular: gear, kind: Gear, listKind: GearList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [teeth]
            properties:
              teeth: {type: integer, minimum: 3}
              material: {type: string, default: steel}
  - name: v1alpha1
    served: false
    storage: false
    schema:
      openAPIV3Schema: {type: object}
`

// write writes a file into the directory of the test, and returns its name.
func write(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestLines(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "crd.yaml", crd)
	write(t, "schema.json", `{"type":"object","properties":{"a":{"type":"integer","default":1}}}`)
	ofCRD := func(o *validate.LinesOptions) { o.Definitions = []string{"crd.yaml"} }
	prune := func(o *validate.LinesOptions) {
		o.Schema, o.Prune, o.ReportDropped, o.Default = "schema.json", true, true, true
	}
	gear := func(spec string) string {
		return `{"id":"g","object":{"apiVersion":"example.com/v1","kind":"Gear","metadata":{"name":"a","namespace":"b"},"spec":` + spec +
			`}}`
	}
	const union = `{"id":"u","schema":{"type":"object","x-kubernetes-unions":[{"fields":{"a":"","b":""}}],"properties":{"a":{` +
		`"type":"string"},"b":{"type":"string"}}},"object":{"a":"x","b":"y"}}`
	for _, tt := range []struct {
		why    string
		with   func(*validate.LinesOptions)
		in     string
		want   string
		result validate.LinesResult
	}{
		{"no line", nil, "", "", validate.LinesResult{}},
		{"a schema of the line, and one that is wrong", nil,
			`{"id":"1","schema":{"type":"object","required":["a"]},"object":{}}` + "\n" + `{"id":"2","schema":{"type":"obj"},"object":{}}` +
				"\n" +
				`{"id":"3","schema":{},"object":1}`,
			`{"id":"1","valid":false,"errors":[{"type":"FieldValueRequired","field":"a","detail":"","badValue":"","origin":"required"}]}` +
				"\n" +
				`{"id":"2","valid":false,"errors":[],"fault":"line 2: …"}` + "\n" + `{"id":"3","valid":true,"errors":[]}` + "\n",
			validate.LinesResult{Lines: 3, Faults: 1}},
		{"no schema at all", nil, `{"id":"1","object":{}}`, `{"id":"1","valid":false,"errors":[],"fault":"line 1: …"}` + "\n",
			validate.LinesResult{Lines: 1, Faults: 1}},
		{"not a line of JSON", nil, "{", `{"id":"","valid":false,"errors":[],"fault":"line 1: …"}` + "\n",
			validate.LinesResult{Lines: 1, Faults: 1}},
		{"the schema of a definition", ofCRD, gear(`{"teeth":1}`),
			`{"id":"g","valid":false,"errors":[{"type":"FieldValueInvalid","field":"spec.teeth","detail":"spec.teeth in body ` +
				`should be greater than or equal to 3","badValue":1,"origin":"minimum"}]}` + "\n",
			validate.LinesResult{Lines: 1}},
		{"an unknown field is not an error in an object that is validated as it is", ofCRD, gear(`{"teeth":3,"colour":"red"}`),
			`{"id":"g","valid":true,"errors":[]}` + "\n", validate.LinesResult{Lines: 1}},
		{"the API server does not know unions", nil, union, `{"id":"u","valid":true,"errors":[]}` + "\n", validate.LinesResult{Lines: 1}},
		{"unions have an effect if requested", func(o *validate.LinesOptions) { o.KEPs.Proposals = true }, union,
			`{"id":"u","valid":false,"errors":[{"type":"FieldValueInvalid","field":"<nil>","detail":"\"\" must validate one and ` +
				`only one schema (oneOf). Found 2 valid alternatives","badValue":"","origin":"x-kubernetes-unions"}]}` + "\n",
			validate.LinesResult{Lines: 1}},
		{"pruned and defaulted", prune, `{"id":"p","object":{"b":2}}`,
			`{"id":"p","valid":true,"object":{"a":1},"dropped":["b"],"errors":[]}` + "\n", validate.LinesResult{Lines: 1}},
	} {
		given := validate.LinesOptions{Options: options(t)}
		if tt.with != nil {
			tt.with(&given)
		}
		lines, err := validate.NewLines(given)
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		var out strings.Builder
		result, err := lines.Run(t.Context(), strings.NewReader(tt.in), &out)
		if err != nil || result != tt.result {
			t.Errorf("%s: %+v and error %v, want %+v", tt.why, result, err, tt.result)
		}
		if diff := cmp.Diff(tt.want, withoutReasons(out.String())); diff != "" {
			t.Errorf("%s: -want +got\n%s", tt.why, diff)
		}
	}
}

// withoutReasons cuts the text after the line number of each fault.
func withoutReasons(answers string) string {
	var cut strings.Builder
	for answer := range strings.Lines(answers) {
		if before, fault, found := strings.Cut(answer, `"fault":"line `); found {
			number, _, _ := strings.Cut(fault, ":")
			answer = before + `"fault":"line ` + number + `: …"}` + "\n"
		}
		cut.WriteString(answer)
	}
	return cut.String()
}

// TestLinesOfUpdates: the API server fills in metadata before it validates an update, and both engines see
// it.
func TestLinesOfUpdates(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "crd.yaml", strings.Replace(crd, "    storage: true", "    storage: true\n    subresources: {status: {}, scale: "+
		"{specReplicasPath: .spec.teeth, statusReplicasPath: .status.teeth}}", 1))
	gear := func(metadata string) string {
		return `{"apiVersion":"example.com/v1","kind":"Gear","metadata":` + metadata + `,"spec":{"teeth":3}}`
	}
	scale := `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a","namespace":"b"},"spec":{"replicas":4}}`
	bare := gear(`{"name":"a","namespace":"b"}`)
	for _, tt := range []struct{ why, object, old, subresource, wrong string }{
		{"neither object has a resourceVersion", bare, bare, "", ""},
		{"only the old one has", bare,
			gear(`{"name":"a","namespace":"b","resourceVersion":"7","uid":"u","generation":4,"creationTimestamp":"2026-01-01T00:00:00Z"}`),
			"", ""},
		{"only the new one has", gear(`{"name":"a","namespace":"b","resourceVersion":"7"}`), bare, "", ""},
		{"an update of the status", bare, bare, "status", ""},
		{"a scale", scale, bare, "scale", ""},
		{"a different name is still wrong", gear(`{"name":"c","namespace":"b"}`), bare, "", "metadata.name"},
	} {
		for _, engine := range validate.Engines() {
			given := validate.LinesOptions{Options: options(t)}
			given.Engine, given.Definitions = engine, []string{"crd.yaml"}
			lines, err := validate.NewLines(given)
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			in := `{"id":"u","object":` + tt.object + `,"oldObject":` + tt.old + `,"subresource":"` + tt.subresource + `"}`
			if _, err := lines.Run(t.Context(), strings.NewReader(in), &out); err != nil {
				t.Fatal(err)
			}
			if engine == validate.Reference && tt.subresource == "scale" {
				continue // it validates none
			}
			valid := strings.Contains(out.String(), `"valid":true`)
			if valid != (tt.wrong == "") || !strings.Contains(out.String(), tt.wrong) {
				t.Errorf("%s, %s: %s", tt.why, engine, out.String())
			}
		}
	}
}

// Both engines return the same answers, except for the origins of errors.
func TestLinesOfBothEngines(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "crd.yaml", crd)
	in := `{"id":"1","object":{"apiVersion":"example.com/v1","kind":"Gear","metadata":{"name":"a","namespace":"b"},` +
		`"spec":{"material":1}}}` +
		"\n" +
		`{"id":"2","object":{"apiVersion":"example.com/v2","kind":"Gear","metadata":{"name":"a","namespace":"b"}}}` + "\n"
	for _, engine := range validate.Engines() {
		given := validate.LinesOptions{Options: options(t)}
		given.Engine, given.Definitions = engine, []string{"crd.yaml"}
		lines, err := validate.NewLines(given)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if result, err := lines.Run(t.Context(), strings.NewReader(in), &out); err != nil || result != (validate.LinesResult{Lines: 2}) {
			t.Errorf("%s: %+v, %v", engine, result, err)
		}
		for _, want := range []string{
			`"field":"spec.teeth"`,
			`"field":"spec.material"`,
			`"field":"apiVersion","detail":"must be example.com/v1"`,
		} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %s in\n%s", engine, want, &out)
			}
		}
	}
}

func TestNewLinesMistakes(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "crd.yaml", crd)
	write(t, "again.yaml", crd)
	write(t, "schema.json", `{"type":"obj"}`)
	for _, tt := range []struct {
		why  string
		with validate.LinesOptions
		want string
	}{
		{"no file", validate.LinesOptions{Schema: "none.json"}, "none.json: cannot be read: no such file or directory"},
		{"a schema that does not compile", validate.LinesOptions{Schema: "schema.json"}, "schema.json:1: "},
		{"no such version", validate.LinesOptions{Options: validate.Options{Definitions: []string{"crd.yaml"}}, Version: "v7"},
			`crd.yaml:8: there is no version "v7"`},
		{"a schema twice", validate.LinesOptions{Options: validate.Options{Definitions: []string{"crd.yaml", "again.yaml"}}},
			"a second schema of example.com/v1 Gear; the first is in crd.yaml:13"},
	} {
		given := tt.with
		given.Options = options(t)
		given.Definitions = tt.with.Definitions
		if _, err := validate.NewLines(given); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.why, err, tt.want)
		}
	}
}

// answerLines answers the lines of a stream. The error is sent when all are answered.
func answerLines(t *testing.T, in io.Reader) (answers *bufio.Scanner, ended chan error) {
	t.Helper()
	lines, err := validate.NewLines(validate.LinesOptions{Options: options(t)})
	if err != nil {
		t.Fatal(err)
	}
	out, into := io.Pipe()
	ended = make(chan error, 1)
	go func() {
		_, err := lines.Run(t.Context(), in, into)
		into.Close()
		ended <- err
	}()
	return bufio.NewScanner(out), ended
}

// A program may wait for each answer before it writes the next line.
func TestLinesAreAnsweredAtOnce(t *testing.T) {
	stdin, in := io.Pipe()
	answers, ended := answerLines(t, stdin)
	for i := range 5 {
		fmt.Fprintf(in, `{"id":"%d","schema":{"type":"object"},"object":{}}`+"\n", i)
		if want := fmt.Sprintf(`{"id":"%d","valid":true,"errors":[]}`, i); !answers.Scan() || answers.Text() != want {
			t.Fatalf("got %q, want %q (%v)", answers.Text(), want, answers.Err())
		}
	}
	in.Close()
	if err := <-ended; err != nil || answers.Scan() {
		t.Errorf("ended with %v", err)
	}
}

// Memory does not grow with the input, not even if each line has a different schema.
func TestLinesStream(t *testing.T) {
	const lines = 8_000
	padding := strings.Repeat("x", 12_000)
	before := heapInUse() // of other tests
	stdin, in := io.Pipe()
	go func() {
		for i := range lines {
			fmt.Fprintf(in, `{"id":"%d","schema":{"type":"object","description":"%s %d","maxProperties":1},"object":{"a":1}}`+"\n", i,
				padding, i)
		}
		in.Close()
	}()
	answers, ended := answerLines(t, stdin)
	count, most := 0, uint64(0)
	for answers.Scan() {
		if want := fmt.Sprintf(`{"id":"%d","valid":true,"errors":[]}`, count); answers.Text() != want {
			t.Fatalf("got %q, want %q", answers.Text(), want)
		}
		if count++; count%1000 == 0 {
			most = max(most, heapInUse())
		}
	}
	if err := <-ended; err != nil || count != lines {
		t.Errorf("ended with %v after %d of %d answers", err, count, lines)
	}
	// 100 MB were read; the compiled form of 16 MiB of schemas is kept.
	if limit := before + 64<<20; most > limit {
		t.Errorf("%d MiB in use, more than %d", most>>20, limit>>20)
	}
}

func heapInUse() uint64 {
	var memory runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&memory)
	return memory.HeapAlloc
}
