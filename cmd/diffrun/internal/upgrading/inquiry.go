package upgrading

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/diffrun/diffrun/backends/native/release"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// inquiry finds out more about the findings of the reports, after all objects were compared: which release changed
// each, and the smallest object that shows it.
type inquiry struct {
	flags *Flags
	// options are those of the comparison.
	options cases.JobOptions
	// open compares the release of the cluster with another one.
	open func(ctx context.Context, version string) comparison
	warn func(format string, args ...any)

	mu       sync.Mutex
	subjects map[string]*subject
	order    []*subject
	asked    map[int]*comparison // by the minor release
}

// subject is a finding of the reports, by the first input that shows it.
type subject struct {
	in    section
	field string // with any index
	// version is the other version of the kind in which the field is read; empty: that of the request.
	version string
	result  harness.Result
	cause   string // the signature of its cause
	// since is the release that changed it, as in "v1.34.4"; empty: unknown, or the next one.
	since string
	small *small
}

// subject returns the finding of a key, and remembers the result that shows it first.
func (i *inquiry) subject(key string, in section, result *harness.Result, of pair) *subject {
	i.mu.Lock()
	defer i.mu.Unlock()
	if known := i.subjects[key]; known != nil {
		return known
	}
	one := &subject{
		in:      in,
		field:   causes.AnyIndex(of.Field()),
		version: convertedTo(of),
		result:  *result,
		cause:   causes.CauseOf(result, of).Signature(),
	}
	if i.subjects == nil {
		i.subjects = map[string]*subject{}
	}
	i.subjects[key] = one
	i.order = append(i.order, one)
	return one
}

// Inquire finds out more about the findings of the reports, after all objects were compared.
func (f *Flags) Inquire(ctx context.Context, env *run.Environment, plan *cases.Plan, pace run.Pace) error {
	i := &f.inquiry
	i.flags, i.warn = f, env.Warn
	i.options = cases.JobOptions{SkipMissing: true,
		Harness: harness.Options{Timeout: pace.Timeout, Rules: plan.Suites[0].Rules, Stored: true}}
	i.open = i.opener(env, pace)
	return i.run(ctx, plan)
}

// run asks about all findings. What it cannot find out is left open, and a warning says why.
func (i *inquiry) run(ctx context.Context, plan *cases.Plan) error {
	defer i.close()
	for _, one := range i.order {
		if ctx.Err() != nil {
			return nil // the report says that the run ended early
		}
		if i.flags.between && one.in.hasRelease() {
			one.since = i.since(ctx, one)
		}
		if !i.flags.wantsSmall() || !one.in.hasSmall() {
			continue
		}
		var err error
		if one.small, err = i.shrink(ctx, plan.Suites[0], one); err != nil {
			i.warn("diffrun: the smallest object for %s: %v\n", plaintext.Line(one.result.Case.Source), err)
		}
	}
	return i.writeCases()
}

// hasRelease reports whether a release in between may have changed what a section lists.
func (s section) hasRelease() bool { return s < reworded }

// minorOf returns the minor release that a release behaves as. Check has seen both texts.
func minorOf(version, emulates string) int {
	minor, _ := strconv.Atoi(strings.Split(cmp.Or(emulates, version), ".")[1])
	return minor
}

// since returns the release that changed a finding: the first minor release, in its last patch, that differs from the
// release of the cluster. It is found by bisection, which supposes that it did not change back.
func (i *inquiry) since(ctx context.Context, of *subject) string {
	from, to := minorOf(i.flags.from, i.flags.fromEmulates), minorOf(i.flags.to, i.flags.toEmulates)
	if to-from <= 1 {
		return "" // the heading says it
	}
	same, differs, name := from, to, i.flags.toName()
	for differs-same > 1 {
		at := (same + differs) / 2
		with := i.compared(ctx, at)
		if with.err != nil {
			return fmt.Sprintf("v1.%d to %s", same+1, name)
		}
		switch shows, err := with.shows(ctx, of); {
		case err != nil:
			return fmt.Sprintf("v1.%d to %s", same+1, name)
		case shows:
			differs, name = at, with.version
		default:
			same = at
		}
	}
	return name
}

// comparison compares the release of the cluster with one in between.
type comparison struct {
	version string
	// shows reports whether the release already differs in what a finding is about.
	shows func(ctx context.Context, of *subject) (bool, error)
	close func() error
	err   error
}

// compared returns the comparison with the last patch of a minor release. The first use may build it.
func (i *inquiry) compared(ctx context.Context, minor int) *comparison {
	if known := i.asked[minor]; known != nil {
		return known
	}
	if i.asked == nil {
		i.asked = map[int]*comparison{}
	}
	one := i.open(ctx, fmt.Sprintf("v1.%d", minor))
	i.asked[minor] = &one
	if one.err != nil {
		i.warn("diffrun: Kubernetes v1.%d is not asked which findings it changed: %v\n", minor, plaintext.Line(one.err.Error()))
	}
	return &one
}

// opener returns a function that compares the release of the cluster with the last patch of another one.
func (i *inquiry) opener(env *run.Environment, pace run.Pace) func(context.Context, string) comparison {
	return func(ctx context.Context, version string) comparison {
		version, err := release.LastPatch(ctx, version)
		if err != nil {
			return comparison{err: err}
		}
		suite, err := i.flags.betweenSuite(version)
		if err != nil {
			return comparison{err: err}
		}
		plan, err := env.Load([]cases.Location{suite}, cases.Options{Parallel: pace.Parallel, CasesElsewhere: true}, env.NewFiles())
		if err != nil {
			return comparison{err: err}
		}
		bind := plan.Suites[0].Binder(i.options)
		return comparison{
			version: version,
			close:   plan.Close,
			shows:   func(ctx context.Context, of *subject) (bool, error) { return of.shownBy(ctx, bind) },
		}
	}
}

// shownBy reports whether the results of two other releases have a finding.
func (s *subject) shownBy(ctx context.Context, bind func(harness.Case) ([]cases.Event, error)) (bool, error) {
	results, err := check(ctx, bind, *s.result.Case)
	for i := range results {
		for _, pair := range results[i].Differences() {
			in, listed := sectionOf(&results[i], pair)
			if listed && in == s.in && causes.AnyIndex(pair.Field()) == s.field && convertedTo(pair) == s.version {
				return true, nil
			}
		}
	}
	return false, err
}

// check compares a case.
func check(ctx context.Context, bind func(harness.Case) ([]cases.Event, error), c harness.Case) ([]harness.Result, error) {
	job, err := jobOf(bind, c)
	if err != nil {
		return nil, err
	}
	return job.Harness.Check(ctx, job.Case)
}

// jobOf returns the job of a case.
func jobOf(bind func(harness.Case) ([]cases.Event, error), c harness.Case) (cases.Job, error) {
	events, err := bind(c)
	if err != nil {
		return cases.Job{}, err
	}
	at := slices.IndexFunc(events, func(event cases.Event) bool { _, is := event.(cases.Job); return is })
	if at < 0 {
		return cases.Job{}, errors.New("no release has the kind")
	}
	return events[at].(cases.Job), nil
}

// close stops the programs of the releases in between.
func (i *inquiry) close() {
	for _, one := range i.asked {
		if one.close != nil {
			_ = one.close() // their answers are known
		}
	}
}

// names returns the releases in between that were asked, in their order.
func (i *inquiry) names() []string {
	var all []string
	for minor := range 1000 {
		if one := i.asked[minor]; one != nil && one.err == nil {
			all = append(all, one.version)
		}
	}
	return all
}
