package run

import (
	"errors"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/reports"
)

// joined sends everything to several reporters. If one fails, the others still get all results, and the errors
// are joined.
type joined []reports.Reporter

func (j joined) Begin(header reports.Header) error {
	return j.each(func(r reports.Reporter) error { return r.Begin(header) })
}

func (j joined) Result(result harness.Result) error {
	return j.each(func(r reports.Reporter) error { return r.Result(result) })
}

func (j joined) End(footer reports.Footer) error {
	return j.each(func(r reports.Reporter) error { return r.End(footer) })
}

func (j joined) each(report func(reports.Reporter) error) error {
	var errs []error
	for _, reporter := range j {
		errs = append(errs, report(reporter))
	}
	return errors.Join(errs...)
}
