package reports_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/files/checksum"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports"
)

// sorted returns a JSON document with sorted keys, as by jq -S: the results come before the header.
func sorted(t *testing.T, document []byte) []byte {
	t.Helper()
	var value any
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	again, err := plaintext.JSON(value)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.ReplaceAll(again, []byte("\ufffd"), []byte(`\ufffd`)) // as it replaces invalid UTF-8
}

// A recorded run has the same report as the run itself, in every format.
func TestPlay(t *testing.T) {
	recorded := map[string][]byte{"json": played(t, "json"), "jsonl": played(t, "jsonl")}
	recorded["sorted"] = sorted(t, recorded["json"])
	for _, format := range reports.Formats() {
		want := string(playedWithoutObjects(t, format))
		for from, report := range recorded {
			var got bytes.Buffer
			reporter, err := reports.New(format, &got, reports.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := reports.Play(bytes.NewReader(report), reporter); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got.String()); diff != "" {
				t.Errorf("%s from %s (-run +recorded):\n%s", format, from, diff)
			}
		}
	}
}

// playedWithoutObjects is the report of the recorded run without the fields that no report has.
func playedWithoutObjects(t *testing.T, format string) []byte {
	t.Helper()
	run := recordedRun()
	for i, result := range run.results { // some share a case
		run.results[i].CaseDigest = result.Case.Digest()
	}
	for i, result := range run.results {
		if fault := result.Native.Fault; fault != nil && fault.Stack != "" {
			text := strings.TrimPrefix(fault.Error(), "panic: ") // which has the line that the stack begins with
			run.results[i].Native.Fault = &contract.Fault{Reason: fault.Reason, Err: errors.New(text)}
		}
		run.results[i].ObjectTexts = append([]string{}, causes.ObjectTexts(&run.results[i])...)
		result.Case.Object = nil
		if result.Case.Operation() == admissionv1.Update {
			result.Case.Old = map[string]any{}
		}
	}
	var out bytes.Buffer
	reporter, err := reports.New(format, &out, reports.Options{})
	if err != nil {
		t.Fatal(err)
	}
	run.play(t, reporter)
	return out.Bytes()
}

// counter counts the calls of a reporter.
type counter struct{ begun, results, ended int }

func (c *counter) Begin(reports.Header) error  { c.begun++; return nil }
func (c *counter) Result(harness.Result) error { c.results++; return nil }
func (c *counter) End(reports.Footer) error    { c.ended++; return nil }

func TestPlayMistakes(t *testing.T) {
	const none, cut = "this is not a report of diffrun; write one with -o json or -o jsonl: ", "this is not a complete report of diffrun; "
	header := `{"tool":"diffrun","version":"","suites":[]`
	for name, test := range map[string]struct{ text, says string }{
		"nothing":               {"", cut},
		"no JSON":               {"suite apps", none},
		"a list":                {"[]", none + "an object is expected"},
		"keys in other letters": {header + `,"Case":"a","Summary":{}}`, cut},
		"other JSON": {`{"kind":"List"}`,
			none + `an object is neither a header ("tool"), a result ("case") nor a footer ("summary")`},
		"a line of nothing": {header + "}\n{}\n" + `{"summary":{}}`, none + "an object is neither"},
		"two reports in one": {header + "}\n" + `{"summary":{}}` + "\n" + header + "}\n" + `{"summary":{}}`,
			none + "something follows the footer"},
		"two headers": {header + "}\n" + header + "}\n" + `{"summary":{}}`,
			none + `the key "suites" occurs twice; a file has one report`},
		"a result at the end": {header + "}\n" + `{"summary":{}}` + "\n" + `{"case":"a","verdict":"equal"}`,
			none + "something follows the footer"},
		"a list at the end": {header + `,"summary":{}}` + "\n" + header + `,"results":[],"summary":{}}`,
			none + "a list of results follows other lines"},
		"two lists":               {header + `,"results":[],"results":[],"summary":{}}`, none + `the key "results" occurs twice`},
		"a key twice":             {header + `,"tool":"diffrun","summary":{}}`, none + `the key "tool" occurs twice`},
		"a key of a result twice": {header + `,"results":[{"case":"a","verdict":"equal","verdict":"equal"}],"summary":{}}`, none},
		"an unknown gate":         {header + `,"failOn":["luck"],"results":[],"summary":{}}`, none + `failOn: there is no "luck"`},
		"no checksum":             {header + `,"results":[],"summary":{}}`, "this report has no checksum, so it may be incomplete"},
		"a null for a checksum":   {header + `,"results":[],"summary":{},"checksum":null}`, "this report has no checksum"},
		"no header":               {`{"results":[{"case":"a","verdict":"equal","target":"v1 Pod"}],"summary":{}}`, cut},
		"cut short":               {header + "}\n" + `{"case":"a","verdict":"equal","target":"v1 Pod"}`, cut},
		"cut short in a line":     {`{"tool":"diffrun","version":"","sui`, cut},
		"cut short in a list":     {header + `,"results":[{"case":"a","verdict":"equal","target":"v1 Pod"}`, cut},
		"values of other kind":    {`{"tool":7}`, none + "tool must be text, not a number"},
		"results of other kind":   {header + `,"results":[{"case":"a","unmet":7}]}`, none + "unmet must be a list, not a number"},
		"no list":                 {header + `,"results":{}}`, none + "results must be a list"},
		"no verdict":              {header + `,"results":[{"case":"a"}],"summary":{}}`, `case a: there is no verdict ""`},
		"an unknown effect": {header + `,"results":[{"case":"a","verdict":"equal","effect":"x"}],"summary":{}}`,
			`case a: there is no effect "x"`},
		"an unknown class": {header + `,"results":[{"case":"a","verdict":"equal","differences":[{"class":"x"}]}],"summary":{}}`,
			`case a: `},
		"no error": {header + `,"results":[{"case":"a","verdict":"equal","differences":[{"class":""}]}],"summary":{}}`,
			`case a: a difference of class "" lacks an error`},
		"more of nothing": {header + `,"results":[{"case":"a","verdict":"equal","differences":[{"class":"count","declarative":{` +
			`}}]}],"summary":{}}`, `case a: a difference of class "count" lacks an error`},
		"one error of two": {header + `,"results":[{"case":"a","verdict":"equal","differences":[{"class":"detail","native":{}}]}],` +
			`"summary":{}}`,
			`case a: a difference of class "detail" lacks an error`},
		"bad targets": {header + `,"results":[{"case":"a","verdict":"equal","target":"Pod"}],"summary":{}}`,
			`case a: "Pod" names no target`},
	} {
		var count counter
		if err := reports.Play(strings.NewReader(test.text), &count); err == nil || !strings.HasPrefix(err.Error(), test.says) {
			t.Errorf("%s: error %v, want %s", name, err, test.says)
		}
		if count.ended > 0 {
			t.Errorf("%s: the report is ended as if it were whole", name)
		}
	}
	var count counter
	if err := reports.Play(bytes.NewReader(append([]byte("\ufeff"), played(t, "json")...)), &count); err != nil {
		t.Errorf("a byte order mark: %v", err)
	}
	if want := (counter{1, len(recordedRun().results), 1}); count != want {
		t.Errorf("the reporter is told %+v, want %+v", count, want)
	}
}

// A report is accepted only if it is unchanged: each deleted, duplicated, moved or edited line is noticed, in
// both formats, and nothing is reported as complete.
func TestPlayNoticesChanges(t *testing.T) {
	const wrong = "this is not the report that diffrun wrote: "
	for _, format := range []string{"json", "jsonl"} {
		whole := bytes.SplitAfter(played(t, format), []byte("\n"))
		isResult := func(i int) bool { return i >= 0 && i < len(whole) && bytes.HasPrefix(whole[i], []byte(`{"case":`)) }
		try := func(why string, lines [][]byte) {
			var count counter
			text := bytes.Join(lines, nil)
			if format == "json" { // keep it a document
				text = bytes.ReplaceAll(text, []byte("},\n\n]"), []byte("}\n]"))
			}
			err := reports.Play(bytes.NewReader(text), &count)
			if err == nil || count.ended > 0 || !strings.HasPrefix(err.Error(), wrong) {
				t.Errorf("%s: %s: error %v, ended %d times", format, why, err, count.ended)
			}
		}
		tried := 0
		for i := range whole {
			if !isResult(i) || format == "json" && !isResult(i+1) {
				continue // the last one of a list has no comma
			}
			tried++
			try(fmt.Sprintf("line %d deleted", i), slices.Delete(slices.Clone(whole), i, i+1))
			try(fmt.Sprintf("line %d doubled", i), slices.Insert(slices.Clone(whole), i, whole[i]))
			edited := slices.Clone(whole)
			edited[i] = bytes.Replace(whole[i], []byte(`"number":0`), []byte(`"number":1`), 1)
			try(fmt.Sprintf("line %d edited", i), edited)
			if isResult(i-1) && !bytes.Equal(whole[i], whole[i-1]) {
				moved := slices.Clone(whole)
				moved[i], moved[i-1] = whole[i-1], whole[i]
				try(fmt.Sprintf("line %d moved", i), moved)
			}
		}
		if tried < 10 {
			t.Fatalf("%s: tried %d lines", format, tried)
		}
		for what, change := range map[string][2]string{
			"the shard":      {`"shard":"1/2"`, `"shard":"2/2"`},
			"the gate":       {`"failOn":[]`, `"failOn":["refuses"]`},
			"the narrowings": {`"cases":30,"of":47`, `"cases":47,"of":47`},
			"a problem":      {`was never used`, `was used`},
			"a count":        {`"different":9`, `"different":0`},
		} {
			text := string(played(t, format))
			if strings.Count(text, change[0]) == 0 {
				t.Fatalf("%s: the report has no %s", format, change[0])
			}
			try(what+" edited", [][]byte{[]byte(strings.Replace(text, change[0], change[1], 1))})
		}
	}
}

// Results are passed on while the report is read: memory does not grow with the report.
func TestPlayHoldsNoResults(t *testing.T) {
	line, err := json.Marshal(map[string]any{"case": "a", "target": "v1 Pod", "verdict": "equal", "why": strings.Repeat("x", 10_000)})
	if err != nil {
		t.Fatal(err)
	}
	const many = 3_000
	sum := func(results int) string {
		var summer checksum.Summer
		for range results {
			if err := summer.Result(line); err != nil {
				t.Fatal(err)
			}
		}
		if err := summer.Rest(map[string]json.RawMessage{"tool": json.RawMessage(`"diffrun"`),
			"summary": json.RawMessage("{}")}); err != nil {
			t.Fatal(err)
		}
		made, err := summer.Sum()
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf(`"checksum":{"results":%d,"sha256":%q}`, made.Results, made.SHA256)
	}
	for _, report := range []struct{ header, separator, footer string }{
		{`{"tool":"diffrun"}` + "\n", "\n", `{"summary":{},` + sum(many) + "}"},
		{`{"tool":"diffrun","results":[`, ",", "" + string(line) + `],"summary":{},` + sum(many+1) + "}"},
	} {
		source := &repeating{text: string(line) + report.separator, times: many}
		watch := &watching{}
		in := strings.NewReader(report.header)
		err := reports.Play(io.MultiReader(in, source, strings.NewReader(report.footer)), watch)
		if err != nil || watch.results < many {
			t.Fatalf("%d results (%v)", watch.results, err)
		}
		if grown := watch.last - watch.first; grown > 4<<20 {
			t.Errorf("%s…: grew by %d bytes over %d results", report.header, grown, watch.results)
		}
	}
}

// watching measures memory at an early and at a late result.
type watching struct {
	results     int
	first, last int64
}

func (w *watching) Begin(reports.Header) error { return nil }
func (w *watching) End(reports.Footer) error   { return nil }
func (w *watching) Result(harness.Result) error {
	switch w.results++; w.results {
	case 500:
		w.first = heap()
	case 2_900:
		w.last = heap()
	}
	return nil
}

// repeating reads a text this many times.
type repeating struct {
	text  string
	times int
	rest  string
}

func (r *repeating) Read(into []byte) (int, error) {
	if r.rest == "" {
		if r.times == 0 {
			return 0, io.EOF
		}
		r.times--
		r.rest = r.text
	}
	n := copy(into, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
