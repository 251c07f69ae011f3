package cases_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
)

// TestRecordedSuite: recorded errors are the native side, only in the version that they were recorded in, and
// the files with them are the cases.
func TestRecordedSuite(t *testing.T) {
	const object = `"object":{"apiVersion":"example.com/v1","kind":"Widget"}`
	for _, tt := range []struct {
		why, lines string
		want       []string // the native errors in each version
		mistake    string
	}{
		{why: "errors and none",
			lines: `{"id":"a",` + object + `,"recorded":{"function":"p.F","errors":[{"type":"FieldValueInvalid","field":"spec.size",` +
				`"detail":"too big","badValue":11}]}}
{"id":"b",` + object + `,"recorded":{"function":"p.F","errors":[]}}
`, want: []string{"[spec.size: Invalid value: 11: too big]", "<nil>"}},
		{why: "a panic", lines: `{"id":"a",` + object + `,"recorded":{"function":"p.F","test":"TestF","errors":[],"panicked":true}}`,
			want: []string{"fault: p.F panicked when TestF called it"}},
		{why: "nothing recorded", lines: `{"id":"a",` + object + `}`, mistake: "suite/a.jsonl:1: nothing is recorded in this line"},
		{why: "no id", lines: `{` + object + `,"recorded":{"function":"p.F","errors":[]}}`,
			mistake: "suite/a.jsonl:1: nothing is recorded in this line"},
		{why: "an id twice", lines: `{"id":"a",` + object + `,"recorded":{"errors":[]}}` + "\n" + `{"id":"a",` + object +
			`,"recorded":{"errors":[]}}`, mistake: `suite/a.jsonl:2: the id "a" belongs to another recorded case`},
	} {
		files := fstest.MapFS{
			"suite/suite.yaml": {Data: []byte("name: w\nnative: {recorded: '*.jsonl'}\ndeclarative: {builtin: widgets}\n")},
			"suite/a.jsonl":    {Data: []byte(tt.lines)},
		}
		plan, err := cases.Load([]cases.Location{{Files: &cases.Files{FS: files}, Name: "suite/suite.yaml"}}, options())
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

// TestCheckRecorded: recorded errors are compared with the native validator, and other cases are left out.
func TestCheckRecorded(t *testing.T) {
	const object = `"object":{"apiVersion":"example.com/v1","kind":"Widget"}`
	lines := `{"id":"same",` + object + `,"recorded":{"function":"p.F","errors":[]}}
{"id":"other",` + object + `,"recorded":{"function":"p.F","test":"TestF","source":"f_test.go:1","arguments":{"opts":{` +
		`"Max":1}},"featureGates":{"A":true},"errors":[{"type":"FieldValueInvalid","field":"spec.size"}]}}
{"id":"new",` + object + `}
`
	check := func(native string) ([]harness.Result, error) {
		files := fstest.MapFS{
			"suite/suite.yaml": {Data: []byte("name: w\nnative: " + native + "\ndeclarative: {builtin: widgets}\ncases: [a.jsonl]\n")},
			"suite/a.jsonl":    {Data: []byte(lines)},
		}
		if native != "{builtin: widgets}" {
			files["suite/a.jsonl"].Data = []byte(strings.SplitAfter(lines, "\n")[0])
		}
		plan, err := cases.Load([]cases.Location{{Files: &cases.Files{FS: files}, Name: "suite/suite.yaml"}}, options())
		if err != nil {
			t.Fatal(err)
		}
		var all []harness.Result
		for job, err := range plan.Suites[0].Jobs(cases.JobOptions{CheckRecorded: &cases.RecordedCheck{}}) {
			if err != nil {
				return nil, err
			}
			results, err := job.Harness.Check(t.Context(), job.Case)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, results...)
		}
		return all, nil
	}
	results, err := check("{builtin: widgets}")
	if err != nil || len(results) != 2 || results[0].Verdict != words.Equal || results[1].Verdict != words.Different {
		t.Fatalf("results %v, %v", results, err)
	}
	if why := results[1].Case.Why; why != `TestF (f_test.go:1) calls p.F; opts {"Max":1}; feature gate A=true` {
		t.Errorf("why: %s", why)
	}
	if _, err := check("{recorded: a.jsonl}"); err == nil || !strings.Contains(err.Error(), "its native side is the recorded errors") {
		t.Errorf("a suite without a validator: %v", err)
	}
}
