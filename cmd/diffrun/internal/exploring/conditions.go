package exploring

import (
	"context"
	"slices"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/coverage"
	"github.com/diffrun/diffrun/internal/coverage/conditions"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
)

// conditionSites are the error sites of the validators of a target. The whole ones are goals.
type conditionSites struct {
	all     []*conditions.Site
	goals   []*conditions.Site
	unknown string
	counter *errorsites.Counter
}

func newConditionSites(all []*conditions.Site, unknown string, counter *errorsites.Counter) conditionSites {
	goals := slices.DeleteFunc(slices.Clone(all), func(site *conditions.Site) bool { return !site.Whole() })
	return conditionSites{all, goals, unknown, counter}
}

// asGoals returns the goals for an explorer.
func (c *conditionSites) asGoals() (all []explore.Goal) {
	for _, site := range c.goals {
		all = append(all, site.Goal)
	}
	return all
}

// confirms reports whether the validator was asked about an input, and executed the site if the condition holds.
func (c *conditionSites) confirms(goal int, holds bool, answer explore.Answer) bool {
	results, _ := answer.Detail.([]harness.Result)
	return slices.ContainsFunc(results, func(r harness.Result) bool { return c.goals[goal].Confirms(&r, holds, c.counter) })
}

// report returns what the inputs of an explorer showed.
func (c *conditionSites) report(t *Target) coverage.Conditions {
	made := coverage.Conditions{Suite: t.Suite.Of(), Target: t.String(), Unknown: c.unknown}
	var shown []explore.Progress
	if t.explorer != nil {
		shown = t.explorer.Goals()
	}
	for _, site := range c.all {
		progress := explore.Progress{Never: site.Goal.Condition.Sides()}
		if at := slices.Index(c.goals, site); at >= 0 && shown != nil {
			progress = shown[at]
		}
		made.Sites = append(made.Sites, site.Report(progress))
	}
	return made
}

// conditions returns a function that reads the source of the validators of suites.
func (x *exploration) conditions(ctx context.Context) func(*cases.Suite, string) conditionSites {
	sources := &run.Sources{}
	return func(suite *cases.Suite, kind string) conditionSites {
		all, unknown := sources.Sites(ctx, x.env, suite, kind)
		return newConditionSites(all, unknown, x.counter)
	}
}

// printConditions prints for each target what no input showed of the conditions of its validators.
func (x *exploration) printConditions(targets []*Target) {
	for _, target := range targets {
		if target.Subresource != "" || target.explorer == nil || target.Suite.Uncounted() != "" {
			continue // of other validators the lines about error sites say so
		}
		report := target.conditions.report(target)
		x.env.Warn("diffrun: %s: %s\n", target, report.Summary())
		if x.flags.sites {
			for _, line := range report.Lines() {
				x.env.Warn("diffrun:   %s\n", line)
			}
		}
	}
}
