package ciformats

import (
	"encoding/xml"
	"io"
	"strconv"
	"strings"
	"time"

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
	// File and Line are where the test is. Optional.
	File string
	Line int
	Took time.Duration
	// Failures are the failures. Kind is a word for them.
	Failures []Failure
	Kind     string
	// Fault is the reason why there is no verdict, and Skipped why the test did not run.
	Fault, Skipped string
	// Allowed are the accepted failures. They are written as the output of the test.
	Allowed []Failure
}

// Failure is a failure in one line. Lines say the same in several, for the place that has room.
type Failure struct {
	Text  string
	Lines []string
}

// Write writes the report as XML.
func (j JUnit) Write(w io.Writer) error {
	report := junitReport{Name: plaintext.Escape(j.Name)}
	var whole time.Duration
	for i, suite := range j.Suites {
		made := junitSuite{Name: plaintext.Escape(suite.Name), File: plaintext.Escape(suite.File), ID: i}
		for _, property := range suite.Properties {
			if made.Properties == nil {
				made.Properties = &[]junitProperty{}
			}
			*made.Properties = append(*made.Properties, junitProperty{plaintext.Escape(property.Name), plaintext.Escape(property.Value)})
		}
		var took time.Duration
		for _, test := range suite.Tests {
			took += test.Took
			made.add(test.xml())
		}
		whole += took
		made.Time = seconds(took)
		report.add(made)
	}
	report.Time = seconds(whole)
	document, err := xml.MarshalIndent(report, "", "\t")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(document)+"\n")
	return err
}

func (t Test) xml() junitTest {
	made := junitTest{
		Name:  plaintext.Escape(t.Name),
		Class: plaintext.Escape(t.Class),
		File:  plaintext.Escape(t.File),
		Line:  t.Line,
		Time:  seconds(t.Took),
	}
	if len(t.Failures) > 0 {
		made.Failure = &junitOutcome{Message: plaintext.Escape(t.Failures[0].Text), Type: plaintext.Escape(t.Kind),
			Data: t.data(t.Failures)}
		if more := len(t.Failures) - 1; more > 0 {
			made.Failure.Message += " (" + plaintext.More(more) + ")"
		}
	}
	if t.Fault != "" {
		made.Error = &junitOutcome{Message: plaintext.Escape(t.Fault), Type: "fault", Data: plaintext.Escape(t.place() + t.Fault)}
	}
	if len(t.Allowed) > 0 {
		made.SystemOut = &junitOutput{Data: t.data(t.Allowed)}
	}
	if t.Skipped != "" {
		made.Skipped = &junitOutcome{Message: plaintext.Escape(t.Skipped)}
	}
	return made
}

// place returns the file and line of a test before its failures, or "".
func (t Test) place() string {
	switch {
	case t.File == "":
		return ""
	case t.Line == 0:
		return t.File + ": "
	}
	return t.File + ":" + strconv.Itoa(t.Line) + ": "
}

// data returns failures in lines, each after the place of the test.
func (t Test) data(failures []Failure) string {
	var lines []string
	for _, failure := range failures {
		body := failure.Lines
		if len(body) == 0 {
			body = []string{failure.Text}
		}
		lines = append(lines, plaintext.Escape(t.place()+body[0]))
		for _, line := range body[1:] {
			lines = append(lines, plaintext.Escape("    "+line))
		}
	}
	return strings.Join(lines, "\n")
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 6, 64) }
