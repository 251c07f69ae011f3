package cases_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
)

// TestRecordedSuite: recorded errors are the native side, in the version that they were
// recorded in alone, and the files with them are the cases.
func TestRecordedSuite(t *testing.T) {
	const object = `"object":{"apiVersion":"example.com/v1","kind":"Widget"}`
	for _, tt := range []struct {
		why, lines string
		want       []string // what the native side says in each version
		mistake    string
	}{
		{why: "errors and none", lines: `{"id":"a",` + object + `,"recorded":{"function":"p.F","errors":[{"type":"FieldValueInvalid","field":"spec.size","detail":"too big","badValue":11}]}}
{"id":"b",` + object + `,"recorded":{"function":"p.F","errors":[]}}
`, want: []string{"[spec.size: Invalid value: 11: too big]", "<nil>"}},
		{why: "a panic", lines: `{"id":"a",` + object + `,"recorded":{"function":"p.F","test":"TestF","errors":[],"panicked":true}}`, want: []string{"fault: p.F panicked when TestF called it"}},
		{why: "nothing recorded", lines: `{"id":"a",` + object + `}`, mistake: "suite/a.jsonl:1: nothing is recorded in this line"},
		{why: "no id", lines: `{` + object + `,"recorded":{"function":"p.F","errors":[]}}`, mistake: "suite/a.jsonl:1: nothing is recorded in this line"},
		{why: "an id twice", lines: `{"id":"a",` + object + `,"recorded":{"errors":[]}}` + "\n" + `{"id":"a",` + object + `,"recorded":{"errors":[]}}`, mistake: `suite/a.jsonl:2: the id "a" is that of another recorded case`},
	} {
		files := fstest.MapFS{
			"suite/suite.yaml": {Data: []byte("name: w\nnative: {recorded: '*.jsonl'}\ndeclarative: {builtin: widgets}\n")},
			"suite/a.jsonl":    {Data: []byte(tt.lines)},
		}
		plan, err := cases.Load([]cases.Place{{Files: &cases.Files{FS: files}, Name: "suite/suite.yaml"}}, options())
		if tt.mistake != "" {
			if err == nil || !strings.Contains(err.Error(), tt.mistake) {
				t.Errorf("%s: %v", tt.why, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		said := checked(t, plan.Suites[0], func(_ *testing.T, result harness.Result) string {
			if result.Native.Fault != nil {
				return "fault: " + result.Native.Fault.Error()
			}
			if aggregate := result.Native.Errors.ToAggregate(); aggregate != nil {
				return "[" + aggregate.Error() + "]"
			}
			return "<nil>"
		})
		if strings.Join(said, "\n") != strings.Join(tt.want, "\n") {
			t.Errorf("%s: the native side says %q", tt.why, said)
		}
	}
}
