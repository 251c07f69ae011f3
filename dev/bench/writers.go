package main

import (
	"fmt"
	"io"
	"time"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/reports"
)

// writtenResults is how many results a report is written of.
const writtenResults = 20_000

// writers makes the subject of a long run that is written in each format. Its results are those
// of a suite without rules and exceptions, so that many differ, again and again as other cases.
// The notes say how long each report is.
func writers(f flags) ([]subject, []string, error) {
	s := subject{name: fmt.Sprintf("%d results", writtenResults)}
	if !f.only.MatchString(s.name) {
		return nil, nil, nil
	}
	run, err := longRun()
	if err != nil {
		return nil, nil, err
	}
	var notes []string
	for _, format := range reports.Formats() {
		written, err := run.write(format)
		if err != nil {
			return nil, nil, err
		}
		notes = append(notes, fmt.Sprintf("%d results as %s: %d bytes", writtenResults, format, written))
		s.add(writes+format, func() {
			if _, err := run.write(format); err != nil {
				panic(err) // it was written before
			}
		})
	}
	return []subject{s}, notes, nil
}

// recordedRun is a run whose results are kept.
type recordedRun struct {
	results []harness.Result
	footer  reports.Footer
}

func longRun() (*recordedRun, error) {
	var some []harness.Result
	if err := runSuite(false, func(r harness.Result) error { some = append(some, r); return nil }); err != nil {
		return nil, err
	}
	run := &recordedRun{footer: reports.Footer{Elapsed: time.Minute}}
	for i := range writtenResults {
		r := some[i%len(some)]
		c := *r.Case
		c.ID = fmt.Sprintf("%s, round %d", c.ID, i/len(some))
		r.Case = &c
		run.results = append(run.results, r)
		run.footer.Summary.Add(r)
	}
	return run, nil
}

// write writes the run in a format, and gives the number of bytes.
func (run *recordedRun) write(format string) (int, error) {
	var out counter
	reporter, err := reports.New(format, &out, reports.Options{})
	if err != nil {
		return 0, err
	}
	if err := reporter.Begin(reports.Header{Version: "bench", Suites: []reports.Suite{{Name: "networking", Source: benchedSuite}}}); err != nil {
		return 0, err
	}
	for _, r := range run.results {
		if err := reporter.Result(r); err != nil {
			return 0, err
		}
	}
	err = reporter.End(run.footer)
	return int(out), err
}

// counter counts what is written.
type counter int

var _ io.Writer = (*counter)(nil)

func (c *counter) Write(text []byte) (int, error) {
	*c += counter(len(text))
	return len(text), nil
}
