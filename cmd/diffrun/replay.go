package main

import (
	"bytes"
	"context"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/findings/redaction"
)

// replay compares written cases again.
type replay struct {
	soaking *soaking
	routes  map[string]route // by suite
}

func newReplay(k *soaking) *replay { return &replay{soaking: k, routes: map[string]route{}} }

// results compares a line of a file of cases in a suite. It serves one goroutine at a time.
func (r *replay) results(suite string, line []byte) (all []harness.Result) {
	bind := r.route(suite)
	for c, err := range cases.Lines(bytes.NewReader(line), "case") {
		if err != nil || bind == nil {
			return nil
		}
		events, err := bind(c)
		job, isJob := jobOf(events)
		if err != nil || !isJob {
			return nil
		}
		results, _ := job.Harness.Check(context.WithoutCancel(r.soaking.stopping), job.Case) // fails when the context ends
		if r.soaking.redactor != nil {
			again := &redaction.Redactor{} // the other one goes on with the case whose results are coming in
			for i := range results {
				results[i] = again.Result(results[i])
			}
		}
		all = append(all, results...)
	}
	return all
}

// route makes the route of a suite: jobs are made while others are compared, so each has its
// own. What it finds counts nowhere.
func (r *replay) route(name string) route {
	if known := r.routes[name]; known != nil {
		return known
	}
	for _, suite := range r.soaking.session.plan.Suites {
		if suite.Name != name {
			continue
		}
		options := r.soaking.session.jobOptions(suite)
		options.Harness.Ledger = r.soaking.session.plan.Ledger()
		options.SkipMissing = false
		r.routes[name] = contained(suite.Binder(options))
	}
	return r.routes[name]
}
