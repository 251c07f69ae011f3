// Package sariflog reads SARIF logs that tests wrote, and validates them against the schema of SARIF.
package sariflog

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

// Read returns the run of a log. It reports keys that SARIF does not know and violations of its schema.
func Read(t testing.TB, log []byte) *sarif.Run {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(log))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(new(sarif.Report)); err != nil {
		t.Fatal(err)
	}
	report, err := sarif.FromBytes(log)
	if err != nil || len(report.Runs) != 1 {
		t.Fatalf("%d runs, want 1: %v", len(report.Runs), err)
	}
	// To validate a report, the library encodes it again with all keys. Those that the log does not have get
	// the defaults of SARIF: FromBytes sets the lists, and this sets the others.
	run := report.Runs[0]
	run.WithLanguage("en-US").WithNewlineSequences([]string{"\r\n", "\n"})
	run.Tool.Driver.WithLanguage("en-US")
	if err := report.Validate(); err != nil {
		t.Errorf("the schema of SARIF: %v", err)
	}
	return run
}
