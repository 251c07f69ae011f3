package ciformats

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// JUnit is a report of tests in suites.
type JUnit struct {
	Name   string
	Suites []Suite
}

// Suite is a group of tests, such as the objects of a file.
type Suite struct {
	// Name is unique in the report. File is the file of the tests. Optional.
	Name, File string
	Tests      []Test
	// Properties say more about the suite.
	Properties []Property
}

// Property is a name with a value.
type Property struct{ Name, Value string }

// Test is a test with its outcome. It passed if it has no failures and no fault and was not skipped.
type Test struct {
	Name, Class string
	Took        time.Duration
	// Failures are the failures, a line each. Kind is a word for them.
	Failures []string
	Kind     string
	// Fault is the reason why there is no verdict, and Skipped why the test did not run.
	Fault, Skipped string
	// Allowed are the accepted failures, a line each. They are written as the output of the test.
	Allowed []string
}

// Write writes the report as XML.
func (j JUnit) Write(w io.Writer) error {
	report := junit.Testsuites{Name: plaintext.Escape(j.Name)}
	var whole time.Duration
	for i, suite := range j.Suites {
		made := junit.Testsuite{Name: plaintext.Escape(suite.Name), File: plaintext.Escape(suite.File), ID: i}
		for _, property := range suite.Properties {
			made.AddProperty(plaintext.Escape(property.Name), plaintext.Escape(property.Value))
		}
		var took time.Duration
		for _, test := range suite.Tests {
			took += test.Took
			made.AddTestcase(test.testcase())
		}
		whole += took
		made.Time = seconds(took)
		report.AddSuite(made)
	}
	report.Time = seconds(whole)
	var document bytes.Buffer
	document.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
	if err := report.WriteXML(&document); err != nil {
		return err
	}
	_, err := w.Write(document.Bytes())
	return err
}

func (t Test) testcase() junit.Testcase {
	made := junit.Testcase{Name: plaintext.Escape(t.Name), Classname: plaintext.Escape(t.Class), Time: seconds(t.Took)}
	if len(t.Failures) > 0 {
		lines := escaped(t.Failures)
		made.Failure = &junit.Result{Message: lines[0], Type: plaintext.Escape(t.Kind), Data: strings.Join(lines, "\n")}
		if more := len(lines) - 1; more > 0 {
			made.Failure.Message += " (" + plaintext.More(more) + ")"
		}
	}
	if t.Fault != "" {
		made.Error = &junit.Result{Message: plaintext.Escape(t.Fault), Type: "fault", Data: plaintext.Escape(t.Fault)}
	}
	if len(t.Allowed) > 0 {
		made.SystemOut = &junit.Output{Data: strings.Join(escaped(t.Allowed), "\n")}
	}
	if t.Skipped != "" {
		made.Skipped = &junit.Result{Message: plaintext.Escape(t.Skipped)}
	}
	return made
}

// escaped escapes each line.
func escaped(lines []string) []string {
	made := make([]string, len(lines))
	for i, line := range lines {
		made[i] = plaintext.Escape(line)
	}
	return made
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 6, 64) }
