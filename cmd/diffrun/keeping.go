package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/time/rate"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/findings/redaction"
	"github.com/diffrun/diffrun/internal/live/counters"
	"github.com/diffrun/diffrun/internal/live/soak"
	"github.com/diffrun/diffrun/metrics"
)

// keepFlags are the flags of commands that compare for a long time and keep what they find.
type keepFlags struct {
	folder string
	rate   float64
	redact bool
	paceFlags
}

// add adds the flags to those of a command.
func (f *keepFlags) add(set *pflag.FlagSet, folder string) {
	set.StringVar(&f.folder, "folder", folder, "where differences and counts are kept: a directory; or the URL of a bucket, which several processes may share, for differences alone")
	set.Float64Var(&f.rate, "rate", 0, "cases a second at most; 0: as many as there can be")
	set.BoolVar(&f.redact, "redact", false, "write, print and serve no texts of objects: their shapes, and messages without them")
	f.paceFlags.add(set, "cases to check")
}

// check says all that is wrong with the flags at once, after what else is wrong.
func (f keepFlags) check(errs ...error) error {
	if f.folder == "" {
		errs = append(errs, errors.New("--folder is empty; name a directory, or a bucket by its URL"))
	}
	if !(f.rate >= 0) {
		errs = append(errs, fmt.Errorf("--rate %v: give a number of cases a second, or 0 for no limit", f.rate))
	}
	return errors.Join(append(errs, f.paceFlags.check("cases"))...)
}

// lastWrites is how long findings that wait for a bucket may delay the end.
const lastWrites = 5 * time.Second

// source says where the cases of a soak come from.
type source struct {
	// name is in the state of the folder.
	name string
	// elsewhere: not from the suites, so that suites may lack targets of cases.
	elsewhere bool
	// requests: they are requests of an API server, which must not get more for them.
	requests bool
	// run compares the cases until it is time to end.
	run func(*soaking) error
}

// keep loads suites, compares cases with them, and reports what all soaks in the folder found.
func (p *program) keep(ctx context.Context, args []string, flags keepFlags, from source) (failed error) {
	plan, err := p.loadSuitesFor(ctx, args, cases.Options{Parallel: flags.parallel, CasesElsewhere: from.elsewhere, NoCluster: from.requests}, places{})
	if err != nil {
		return err
	}
	defer func() {
		err := plan.Close()
		if err != nil && flags.redact {
			err = errors.New("a validator said more than its answers at the end, so that some of them are in doubt; --redact leaves out which") // it has ids of cases, and what was said
		}
		if failed == nil {
			failed = err
		}
	}()
	var suites []string
	for _, suite := range plan.Suites {
		suites = append(suites, suite.Name)
	}
	s := &session{
		options: runOptions{runFlags: runFlags{paceFlags: flags.paceFlags, ignoreMissing: from.elsewhere}},
		plan:    plan, ledger: plan.Ledger(), metrics: metrics.New(),
	}
	k := &soaking{program: p, session: s, counters: counters.New(s.metrics), limit: limiter(flags.rate), jobs: map[string]suiteJobs{}, failing: rate.Sometimes{First: 3, Interval: time.Minute}}
	folder, err := soak.Open(ctx, flags.folder, soak.Options{Suites: suites, Source: from.name, Redact: flags.redact, Now: p.now, Settled: k.settled})
	if err != nil {
		return err
	}
	p.sayIntents(plan)
	stopping, stop := interruptible(ctx, func() {})
	defer stop()
	k.folder, k.routes, k.stopping = folder, soak.NewRoutes(k.counters.Handler()), stopping
	folder.Replay = newReplay(k).results
	if flags.redact {
		k.redactor = &redaction.Redactor{}
	}
	k.ofNoTarget, k.ofNoCase = k.leftOutCase, k.leftOutRequest
	err = from.run(k)
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWrites)
	defer cancel()
	err = errors.Join(err, folder.Close(closing))
	verdict := k.end(err)
	if err != nil {
		return err
	}
	return verdict
}

// leftOutCase counts a case that no suite has a target for, and says whether it is the first one.
func (k *soaking) leftOutCase(of schema.GroupVersionKind) (first bool) {
	if k.redactor != nil {
		of = schema.GroupVersionKind{} // the object says it
	}
	return k.session.leftOut.add("", of)
}

// leftOutRequest counts a recorded request that is no case.
func (k *soaking) leftOutRequest(reason string) {
	if k.redactor != nil {
		reason = causes.GeneralText(reason) // it quotes what is the request's
	}
	k.session.requests.add(reason)
}

func limiter(perSecond float64) *rate.Limiter {
	if perSecond == 0 {
		return rate.NewLimiter(rate.Inf, 1)
	}
	return rate.NewLimiter(rate.Limit(perSecond), 1)
}
