package ciformats

import "encoding/xml"

// The types of this file are JUnit XML as CI systems read it. Its authors left no schema; these are the
// elements and attributes that Jenkins, GitLab and GitHub's actions understand.

type junitReport struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr,omitempty"`
	Time     string   `xml:"time,attr,omitempty"`
	Tests    int      `xml:"tests,attr,omitempty"`
	Errors   int      `xml:"errors,attr,omitempty"`
	Failures int      `xml:"failures,attr,omitempty"`
	Skipped  int      `xml:"skipped,attr,omitempty"`

	Suites []junitSuite `xml:"testsuite,omitempty"`
}

type junitSuite struct {
	Name     string `xml:"name,attr"`
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	ID       int    `xml:"id,attr"`
	Skipped  int    `xml:"skipped,attr,omitempty"`
	Time     string `xml:"time,attr"`
	File     string `xml:"file,attr,omitempty"`

	// Properties is a pointer because encoding/xml writes an element around an empty list.
	Properties *[]junitProperty `xml:"properties>property,omitempty"`
	Tested     []junitTest      `xml:"testcase,omitempty"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitTest struct {
	Name  string `xml:"name,attr"`
	Class string `xml:"classname,attr"`
	File  string `xml:"file,attr,omitempty"`
	Line  int    `xml:"line,attr,omitempty"`
	Time  string `xml:"time,attr,omitempty"`

	Skipped   *junitOutcome `xml:"skipped,omitempty"`
	Error     *junitOutcome `xml:"error,omitempty"`
	Failure   *junitOutcome `xml:"failure,omitempty"`
	SystemOut *junitOutput  `xml:"system-out,omitempty"`
}

type junitOutcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Data    string `xml:",cdata"`
}

type junitOutput struct {
	Data string `xml:",cdata"`
}

// add adds a test and counts it.
func (s *junitSuite) add(test junitTest) {
	s.Tested = append(s.Tested, test)
	s.Tests++
	for _, counted := range []struct {
		is bool
		n  *int
	}{{test.Error != nil, &s.Errors}, {test.Failure != nil, &s.Failures}, {test.Skipped != nil, &s.Skipped}} {
		if counted.is {
			*counted.n++
		}
	}
}

// add adds a suite and its counts.
func (r *junitReport) add(suite junitSuite) {
	r.Suites = append(r.Suites, suite)
	r.Tests += suite.Tests
	r.Errors += suite.Errors
	r.Failures += suite.Failures
	r.Skipped += suite.Skipped
}
