package run

import (
	"context"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/reports/record"
)

// Source finds the cases of a run in place of the files of the suites. If ctx ends, it returns what it
// found until then.
type Source func(ctx context.Context, plan *cases.Plan) (Found, error)

// Found is the result of a Source.
type Found struct {
	// Cases are compared and reported. There may be none.
	Cases map[*cases.Suite][]harness.Case
	// What describes for reports how the cases were found, and Problems the reasons why this proves nothing.
	What     record.Narrowing
	Problems []string
}

// events returns the events of the cases that were found for a suite.
func (f *Found) events(suite *cases.Suite, options cases.JobOptions, yield func(cases.Event, error) bool) {
	bind := suite.Binder(options)
	for _, c := range f.Cases[suite] {
		events, err := bind(c)
		for _, event := range events {
			if !yield(event, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
			return
		}
	}
}
