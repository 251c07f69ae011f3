package ciformats_test

import (
	"bytes"
	"encoding/xml"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/testing/sariflog"
	"github.com/diffrun/diffrun/internal/text/ciformats"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// hostile has a terminal control sequence, the end of a CDATA section, and markup.
const hostile = "\x1b[31m]]></failure><x>&\u202e"

func TestSARIF(t *testing.T) {
	log := ciformats.SARIF{Version: "v1", Rules: []ciformats.Rule{
		{ID: "a", Short: "an a was found", Help: "take it out", Level: ciformats.Warning},
		{ID: "b", Short: "a b", Help: "no b", Level: ciformats.Error},
	}, Results: []ciformats.Result{
		{Rule: "b", Level: ciformats.Error, Message: "a b is here: " + hostile, File: "dir/with space.yaml", Line: 3, Place: "spec.b"},
		{Rule: "a", Level: ciformats.Note, Message: "an a", File: "/abs.yaml"},
		{Rule: "a", Level: ciformats.Note, Message: "an a nowhere"},
	}}
	var out bytes.Buffer
	if err := log.Write(&out); err != nil {
		t.Fatal(err)
	}
	sariflog.Read(t, out.Bytes())
	if bytes.ContainsAny(out.Bytes(), "\x1b\u202e") {
		t.Error("characters that are not printable are left")
	}
	golden(t, "sarif.json", out.Bytes())
	moved := log
	moved.Results = []ciformats.Result{log.Results[0]}
	moved.Results[0].Line = 99
	var again bytes.Buffer
	if err := moved.Write(&again); err != nil {
		t.Fatal(err)
	}
	if fingerprint(t, out.Bytes()) != fingerprint(t, again.Bytes()) {
		t.Error("a result that moved to another line has another fingerprint")
	}
}

// Notes are about the whole run, and are not results.
func TestSARIFNotes(t *testing.T) {
	for _, results := range []int{0, 1} {
		var out bytes.Buffer
		log, err := ciformats.SARIF{Rules: []ciformats.Rule{{ID: "a"}}}.Begin(&out)
		if err != nil {
			t.Fatal(err)
		}
		for range results {
			if err := log.Result(ciformats.Result{Rule: "a", Level: ciformats.Note}); err != nil {
				t.Fatal(err)
			}
		}
		if err := log.End("half of it: "+hostile, "another"); err != nil {
			t.Fatal(err)
		}
		run := sariflog.Read(t, out.Bytes())
		if n := bytes.Count(out.Bytes(), []byte(`"invocations"`)); n != 1 {
			t.Errorf("the key invocations stands %d times", n)
		}
		if len(run.Results) != results || len(run.Invocations) != 1 || len(run.Invocations[0].ToolExecutionNotifications) != 2 {
			t.Errorf("%d results, invocations %+v", len(run.Results), run.Invocations)
		}
		if bytes.ContainsAny(out.Bytes(), "\x1b\u202e") {
			t.Error("characters that are not printable are left")
		}
	}
}

// fingerprint returns that of the first result.
func fingerprint(t *testing.T, log []byte) string {
	t.Helper()
	return sariflog.Read(t, log).Results[0].PartialFingerprints["diffrun/v1"]
}

func TestJUnit(t *testing.T) {
	report := ciformats.JUnit{Name: "diffrun validate", Suites: []ciformats.Suite{
		{Name: "a.yaml", File: "a.yaml", Tests: []ciformats.Test{
			{Name: "v1 Pod a", Class: "v1 Pod", Took: 1500 * time.Millisecond},
			{Name: "v1 Pod b", Class: "v1 Pod", Failures: []ciformats.Failure{{Text: "spec: " + hostile}, {Text: "metadata: two"}}},
			{Name: "v1 Pod d", Class: "v1 Pod", Allowed: []ciformats.Failure{{Text: "allowed: " + hostile}, {Text: "another"}}},
			{Name: "v1 Pod c", Class: "v1 Pod", Fault: "no verdict " + hostile},
		}},
		{Name: "b.yaml", File: "b.yaml", Tests: []ciformats.Test{{Name: "x", Skipped: "no schema"}},
			Properties: []ciformats.Property{{Name: "narrowed", Value: "a " + hostile}}},
	}}
	var out bytes.Buffer
	if err := report.Write(&out); err != nil {
		t.Fatal(err)
	}
	var read struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
		Suites   []struct {
			Cases []struct {
				Failure string `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(out.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	if read.Tests != 5 || read.Failures != 1 || read.Errors != 1 || read.Skipped != 1 {
		t.Errorf("counts: %+v", read)
	}
	if got := read.Suites[0].Cases[1].Failure; !strings.Contains(got, "]]></failure><x>&") {
		t.Errorf("the text of a failure: %q", got)
	}
	golden(t, "junit.xml", out.Bytes())
}
