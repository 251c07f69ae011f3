package soak

import (
	"bytes"
	"context"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/findings/redaction"
)

// replayer compares cases that were written to the folder again. Its results are not counted.
type replayer struct {
	runner *runner
	// binders are those of the suites by name. Jobs are bound while others are compared, so the
	// replayer has its own.
	binders map[string]binder
}

func newReplayer(r *runner) *replayer { return &replayer{runner: r, binders: map[string]binder{}} }

// replay compares a line of a file of cases in a suite. It must not be called concurrently.
func (p *replayer) replay(suite string, line []byte) (all []harness.Result) {
	bind := p.binder(suite)
	for c, err := range cases.Lines(bytes.NewReader(line), "case") {
		if err != nil || bind == nil {
			return nil
		}
		events, err := bind(c)
		job, isJob := jobOf(events)
		if err != nil || !isJob {
			return nil
		}
		results, _ := job.Harness.Check(context.WithoutCancel(p.runner.stopping), job.Case) // fails only if the context ends
		if p.runner.redactor != nil {
			redactor := &redaction.Redactor{} // the other one is in use for the case that is compared
			for i := range results {
				results[i] = redactor.Result(results[i])
			}
		}
		all = append(all, results...)
	}
	return all
}

// binder returns the binder of a suite, or nil if there is no such suite.
func (p *replayer) binder(name string) binder {
	if known := p.binders[name]; known != nil {
		return known
	}
	for _, suite := range p.runner.plan.Suites {
		if suite.Name != name {
			continue
		}
		options := p.runner.jobOptions(suite)
		options.Harness.Ledger = p.runner.plan.Ledger()
		options.SkipMissing = false
		p.binders[name] = recovering(suite.Binder(options))
	}
	return p.binders[name]
}
