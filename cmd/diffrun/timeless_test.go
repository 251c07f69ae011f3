package main

import (
	"os"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// times match what differs between two runs of the same cases: durations in reports, and the sums and
// buckets of histograms.
var times = []struct {
	pattern     *regexp.Regexp
	replacement string
}{
	{regexp.MustCompile(`"started":"[^"]*"`), `"started":null`},
	{regexp.MustCompile(`"seconds":[0-9.e-]+`), `"seconds":0`},
	{regexp.MustCompile(` in [0-9.]+(µs|ms|s)\b`), ""},
	{regexp.MustCompile(`(?m)^\S+_seconds_(sum|bucket).*\n`), ""},
	{regexp.MustCompile(` time="[0-9.]+"`), ` time="T"`}, // of JUnit
}

// summaryLine matches the counts of a run.
var summaryLine = regexp.MustCompile(`(?m)^[0-9,]+ inputs? of [^.]*\.$`)

// timeless removes the times from files, so that cmp compares the rest.
func timeless(ts *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) == 0 {
		ts.Fatalf("usage: timeless FILE...")
	}
	for _, name := range args {
		text := ts.ReadFile(name)
		for _, time := range times {
			text = time.pattern.ReplaceAllString(text, time.replacement)
		}
		// Lines break elsewhere after a longer time.
		text = summaryLine.ReplaceAllStringFunc(text, func(lines string) string { return strings.ReplaceAll(lines, "\n", " ") })
		ts.Check(os.WriteFile(ts.MkAbs(name), sealed([]byte(text)), 0o600))
	}
}
