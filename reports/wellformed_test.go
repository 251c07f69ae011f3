package reports_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/diffrun/diffrun/internal/testing/sariflog"
)

// reportsDir is where the gate puts the reports of the main job.
const reportsDir = "DIFFRUN_WRITTEN_REPORTS"

// The readers of the main job's reports can parse them.
func TestReportsOfTheMainJob(t *testing.T) {
	dir := os.Getenv(reportsDir)
	if dir == "" {
		t.Skipf("%s is not set; .ci/run sets it", reportsDir)
	}
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if err := compile(t, "run.schema.json").Validate(parse(t, read("run.json"))); err != nil {
		t.Error(err)
	}
	var run struct {
		Summary struct{ Inputs, Inexpressible, Different int }
		Results []json.RawMessage
	}
	if err := json.Unmarshal(read("run.json"), &run); err != nil {
		t.Fatal(err)
	}
	if run.Summary.Different == 0 {
		t.Error("the run has no difference; the formats show nothing")
	}
	var junit struct {
		Suites []struct {
			Cases []struct {
				Name    string    `xml:"name,attr"`
				Failure *struct{} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(read("junit.xml"), &junit); err != nil {
		t.Fatal(err)
	}
	tests, failures := 0, 0
	for _, suite := range junit.Suites {
		tests += len(suite.Cases)
		for _, test := range suite.Cases {
			if test.Failure != nil {
				failures++
			}
		}
	}
	if tests < len(run.Results) || failures < run.Summary.Different {
		t.Errorf("%d tests, %d failures; the run has %d results, %d of them different", tests, failures, len(run.Results),
			run.Summary.Different)
	}
	if results := sariflog.Read(t, read("run.sarif")).Results; len(results) < run.Summary.Different {
		t.Errorf("%d results of SARIF; %d inputs are different", len(results), run.Summary.Different)
	}
	summary := string(read("summary.md"))
	if n := utf8.RuneCountInString(summary); n >= commentLimit || !strings.HasPrefix(summary, "## ") {
		t.Errorf("the summary has %d characters and begins with %.20q", n, summary)
	}
	for line := range bytes.Lines(read("annotations.txt")) {
		if !regexp.MustCompile(`^::(error|warning|notice) [^:]*::.+\n$`).Match(line) {
			t.Errorf("no annotation: %s", line)
		}
	}
}
