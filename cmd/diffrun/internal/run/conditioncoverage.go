package run

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/coverage"
	"github.com/diffrun/diffrun/internal/coverage/conditions"
	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
)

// conditionCoverage counts what cases show of the conditions under which hand-written validators make errors. A nil
// conditionCoverage counts nothing.
type conditionCoverage struct {
	ctx     context.Context // of the run
	env     *Environment
	sources Sources
	counter *errorsites.Counter

	mu      sync.Mutex
	targets []*conditionTarget
}

// conditionTarget is a version of a kind in a suite.
type conditionTarget struct {
	suite    string
	version  schema.GroupVersionKind
	recorder *conditions.Recorder
	unknown  string
}

func newConditionCoverage(ctx context.Context, env *Environment, packages []string, counter *errorsites.Counter) *conditionCoverage {
	return &conditionCoverage{ctx: ctx, env: env, sources: Sources{Packages: packages}, counter: counter}
}

// add takes a result in the version that the case is written in.
func (c *conditionCoverage) add(suite *cases.Suite, result *harness.Result) {
	if c == nil || result.Version != result.Case.Version {
		return
	}
	c.target(suite, result.Version).recorder.Add(result)
}

// target returns a target, whose source is read when its first case comes.
func (c *conditionCoverage) target(suite *cases.Suite, version schema.GroupVersionKind) *conditionTarget {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.targets {
		if t.suite == suite.Of() && t.version == version {
			return t
		}
	}
	sites, unknown := c.sources.Sites(c.ctx, c.env, suite, version.Kind)
	t := &conditionTarget{suite.Of(), version, conditions.NewRecorder(sites, c.counter), unknown}
	c.targets = append(c.targets, t)
	return t
}

// report returns the conditions of all targets, with what the cases showed.
func (c *conditionCoverage) report() (all []coverage.Conditions) {
	if c == nil {
		return nil
	}
	for _, t := range c.targets {
		all = append(all, coverage.Conditions{
			Suite: t.suite, Target: apiname.Target(t.version), Unknown: t.unknown, Sites: t.recorder.Report(),
		})
	}
	return all
}
