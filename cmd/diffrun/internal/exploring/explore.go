package exploring

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/heap"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/record"
)

// Flags are the flags of "diffrun explore".
type Flags struct {
	duration   time.Duration
	seed       uint64
	kinds      []string
	fields     []string
	writeCases string
	corpus     string
	oldObjects string
	sites      bool
	only       []*regexp.Regexp // parsed from kinds
}

// AddFlags adds the flags.
func (f *Flags) AddFlags(set *pflag.FlagSet) {
	set.DurationVar(&f.duration, "duration", time.Minute, "how long to explore at most; it ends earlier once nothing new is seen")
	set.Uint64Var(&f.seed, "seed", 1, "the seed; the same seed and cases make the same inputs in the same order")
	set.StringSliceVar(&f.kinds, "kinds", nil, `explore only targets that match one of these regular expressions, `+
		`such as "v1 Service$" or "Deployment"`)
	set.StringSliceVar(&f.fields, "field", nil, `change only these fields and those below them, such as "spec.ports[*].port"`)
	set.StringVar(&f.corpus, "corpus", "", CorpusUsage)
	set.StringVar(&f.oldObjects, "old-objects", StorableOldObjects, `the old objects of updates: "storable" ones, `+
		`which today's side would store, or "any", as an older definition may have stored them; a case of the suite keeps its own`)
	set.BoolVar(&f.sites, "sites", false, "list each error site of validators in Go with its condition, and what no input showed of it")
	set.StringVar(&f.writeCases, "write-cases", "", "write the small cases of the findings to this directory, a file for each target")
}

// Check returns all mistakes in the flags.
func (f *Flags) Check() error {
	var errs []error
	if f.duration <= 0 {
		errs = append(errs, fmt.Errorf("--duration %v: must be a time above zero, for instance 60s", f.duration))
	}
	if f.oldObjects != StorableOldObjects && f.oldObjects != AnyOldObjects {
		errs = append(errs, fmt.Errorf("--old-objects %s: must be %s or %s", f.oldObjects, StorableOldObjects, AnyOldObjects))
	}
	for _, text := range f.kinds {
		only, err := regexp.Compile(text)
		if err != nil {
			errs = append(errs, fmt.Errorf("--kinds: %w", err))
			continue
		}
		f.only = append(f.only, only)
	}
	return errors.Join(errs...)
}

// The values of --old-objects.
const (
	StorableOldObjects = "storable"
	AnyOldObjects      = "any"
)

// maxWithoutNews is how many inputs of a target may show nothing new before its exploration ends.
const maxWithoutNews = 4_000

// exploration is one run of "diffrun explore".
type exploration struct {
	env   *run.Environment
	flags *Flags
	began time.Time
	shown time.Time // when progress was printed last
	found []foundCase
	sides map[*cases.Suite]*sides
	// counter has what programs executed.
	counter *errorsites.Counter
	// unsteady counts the findings that a second look at the same input did not show.
	unsteady int
	// interrupted is when the user ended the exploration; zero: the user did not.
	interrupted time.Duration
}

// sides counts the inputs and rejections of the two sides of a suite.
type sides struct {
	names   harness.Sides
	inputs  int
	refused [2]int
}

// Source returns the source of the cases of "diffrun explore": the small inputs of the findings.
func Source(env *run.Environment, flags *Flags, pace run.Pace, counter *errorsites.Counter) run.Source {
	return func(ctx context.Context, plan *cases.Plan) (run.Found, error) {
		heap.Limit(heap.Small)
		x := &exploration{env: env, flags: flags, counter: counter, began: time.Now(), shown: time.Now(), sides: map[*cases.Suite]*sides{}}
		ledger := plan.Ledger()
		options := Options{
			Seed: flags.seed, Fields: flags.fields, Parallel: pace.Parallel, Warn: env.Warn, Observe: x.observe, Found: x.record,
			Corpus: NewCorpus(flags.corpus), OldObjects: flags.oldObjects, Conditions: x.conditions(ctx),
			Jobs: func(suite *cases.Suite) cases.JobOptions {
				return cases.JobOptions{Harness: harness.Options{
					Timeout: pace.Timeout, Rules: suite.Rules, Exceptions: suite.Exceptions, Ledger: ledger, Compare: suite.Scope(""),
					Stored: true,
				}}
			},
		}
		targets, err := Targets(plan, options)
		if err != nil {
			return run.Found{}, err
		}
		names := Names(targets)
		if targets = x.selected(targets); len(targets) == 0 {
			return run.Found{}, fmt.Errorf("--kinds %s matches no target; there is %s", strings.Join(flags.kinds, ","), names)
		}
		if err := x.checkFolder(targets); err != nil {
			return run.Found{}, err
		}
		if err := x.run(ctx, targets, options); err != nil {
			return run.Found{}, err
		}
		if err := x.printReached(ctx, targets, options); err != nil {
			return run.Found{}, err
		}
		x.printConditions(targets)
		for _, line := range SiteLines(ctx, plan, counter) {
			env.Warn("diffrun: %s\n", line)
		}
		found := x.result(targets)
		if flags.writeCases != "" {
			err = x.writeCases(flags.writeCases)
		}
		return found, err
	}
}

// selected returns the targets that --kinds matches.
func (x *exploration) selected(targets []*Target) []*Target {
	if len(x.flags.only) == 0 {
		return targets
	}
	return slices.DeleteFunc(targets, func(t *Target) bool {
		return !slices.ContainsFunc(x.flags.only, func(only *regexp.Regexp) bool { return only.MatchString(t.String()) })
	})
}

// run explores all targets in turn until the time is over, or nothing new is seen.
func (x *exploration) run(ctx context.Context, targets []*Target, options Options) error {
	begun := map[*cases.Suite]bool{}
	for _, target := range targets {
		if begun[target.Suite] {
			continue
		}
		begun[target.Suite] = true
		if err := target.Begin(ctx, options); err != nil {
			return err
		}
	}
	timed, cancel := context.WithTimeout(ctx, x.flags.duration)
	defer cancel()
	x.env.Warn("diffrun: exploring %s for at most %v, seed %d\n", plaintext.Count(len(targets), "target"), x.flags.duration, x.flags.seed)
	left := slices.Clone(targets)
	for round := 0; len(left) > 0 && timed.Err() == nil; round++ {
		left = slices.DeleteFunc(left, func(t *Target) bool { return t.explorer != nil && t.explorer.Done(maxWithoutNews) })
		for _, target := range left {
			if !target.Due(round) {
				continue
			}
			if err := target.Step(timed, options); timed.Err() != nil {
				break
			} else if err != nil {
				return err
			}
			x.progress(timed, targets, options)
			if err := options.Corpus.SaveSometimes(targets); err != nil {
				return err
			}
		}
	}
	if ctx.Err() != nil {
		x.interrupted = time.Since(x.began)
	}
	return errors.Join(Flush(ctx, targets), options.Corpus.Save(targets))
}

// longestFlush bounds how long the last findings are made smaller after the end of the time.
const longestFlush = 5 * time.Second

// Flush reports the findings of targets that wait to be made small.
func Flush(ctx context.Context, targets []*Target) error {
	timed, cancel := context.WithTimeout(ctx, longestFlush)
	defer cancel()
	var errs []error
	for _, target := range targets {
		if target.explorer != nil {
			errs = append(errs, target.explorer.Flush(timed))
		}
	}
	return errors.Join(errs...)
}

// observe counts rejections by each side.
func (x *exploration) observe(t *Target, results []harness.Result) error {
	counts := x.sides[t.Suite]
	if counts == nil {
		counts = &sides{}
		x.sides[t.Suite] = counts
	}
	for i := range results {
		r := &results[i]
		if r.Effect == "" {
			continue
		}
		counts.names = r.Sides
		counts.inputs++
		for side, outcome := range []harness.Outcome{r.Native, r.Declarative} {
			if len(outcome.Errors) > 0 {
				counts.refused[side]++
			}
		}
	}
	return nil
}

// record keeps a finding, and prints it.
func (x *exploration) record(t *Target, found explore.Found, results []harness.Result) error {
	one, ok := newFoundCase(t, found, results)
	if !ok {
		x.unsteady++
		return nil
	}
	at := slices.IndexFunc(x.found, func(known foundCase) bool { return known.Signature == found.Signature })
	if at >= 0 {
		if known := x.found[at]; known.OldUnstorable && !found.OldUnstorable || known.Input.IsUpdate() && !found.Input.IsUpdate() {
			x.found[at] = one
		}
		return nil
	}
	x.found = append(x.found, one)
	if found.Urgency > 0 {
		x.env.Warn("diffrun: new: %s\n", one.text)
	}
	return nil
}

// progressEvery is how often progress is printed.
const progressEvery = 10 * time.Second

func (x *exploration) progress(ctx context.Context, targets []*Target, options Options) {
	if time.Since(x.shown) < progressEvery {
		return
	}
	text := x.counts(targets)
	if sum, err := x.reached(ctx, targets, options); err == nil && sum.failed+len(sum.never) > 0 {
		text += "; " + sum.text()
	}
	if sites := x.counter.Reached().Text(); sites != "" {
		text += "; " + sites
	}
	x.env.Warn("diffrun: %s\n", text)
	x.shown = time.Now()
}

// counts returns the counts so far.
func (x *exploration) counts(targets []*Target) string {
	var sum explore.Stats
	planned := 0
	for _, target := range targets {
		if target.explorer != nil {
			stats := target.explorer.Stats()
			sum.Inputs += stats.Inputs
			sum.Accepted += stats.Accepted
			sum.Behaviors += stats.Behaviors
			planned += stats.Planned
		}
	}
	return fmt.Sprintf("%s in %v, %s accepted by a side, %s different errors; %s%s; %s single changes left to try",
		plaintext.Count(sum.Inputs, "input"), time.Since(x.began).Round(time.Second), plaintext.Number(sum.Accepted),
		plaintext.Number(sum.Behaviors),
		plaintext.Count(len(x.found), "difference"), x.byEffect(), plaintext.Number(planned))
}

// byEffect counts the differences of each effect; empty: there are none.
func (x *exploration) byEffect() string {
	counted, older := map[words.Effect]int{}, 0
	for _, one := range x.found {
		if one.OldUnstorable {
			older++
			continue
		}
		counted[one.effect]++
	}
	var parts []string
	for _, effect := range append(words.Effects(), "") {
		if n := counted[effect]; n > 0 {
			parts = append(parts, plaintext.Number(n)+" "+cmp.Or(string(effect), "fault"))
		}
	}
	if older > 0 {
		parts = append(parts, plaintext.Number(older)+" only if an older definition stored the old object")
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// result returns the findings for the run.
func (x *exploration) result(targets []*Target) run.Found {
	slices.SortStableFunc(x.found, func(a, b foundCase) int { return b.Urgency - a.Urgency })
	found := run.Found{Cases: map[*cases.Suite][]harness.Case{}}
	for _, one := range x.found {
		found.Cases[one.target.Suite] = append(found.Cases[one.target.Suite], one.Case)
	}
	found.What = record.Narrowing{
		Flag: fmt.Sprintf("explore --seed %d", x.flags.seed),
		What: x.counts(targets) + "; the cases are the differences, each in a small input",
	}
	found.Problems = x.problems(targets)
	return found
}

// problems returns the reasons why the exploration proves nothing.
func (x *exploration) problems(targets []*Target) []string {
	var problems []string
	if x.interrupted > 0 {
		problems = append(problems, fmt.Sprintf("the exploration was interrupted after %v; its findings so far are reported",
			x.interrupted.Round(time.Second)))
	}
	for _, target := range targets {
		if target.explorer == nil {
			problems = append(problems, fmt.Sprintf("%s was not explored: the time was up; increase --duration, or select it "+
				"with --kinds", target))
			continue
		}
		if stats := target.explorer.Stats(); stats.Accepted == 0 {
			why := "so nothing could be explored; add a case with an object that one of them accepts"
			if !target.explorer.Done(maxWithoutNews) {
				why = "and the time was up; increase --duration, select it with --kinds, or add a case with an object that " +
					"one of them accepts"
			}
			problems = append(problems, fmt.Sprintf("%s: none of %s was accepted by a side, %s", target,
				plaintext.Count(stats.Inputs, "input"), why))
		}
	}
	for _, suite := range slices.SortedFunc(maps.Keys(x.sides), func(a, b *cases.Suite) int { return strings.Compare(a.Name, b.Name) }) {
		counts := x.sides[suite]
		first, second := counts.names.Names()
		for side, name := range []string{first, second} {
			if counts.refused[side] == 0 {
				problems = append(problems, fmt.Sprintf("%s: %s refused none of %s; it may not validate at all",
					suite.File, counts.names.Called.Backend(name), plaintext.Count(counts.inputs, "input")))
			}
		}
	}
	if x.unsteady > 0 {
		problems = append(problems, fmt.Sprintf("%s: a second look at the same input did not show it; diffrun run --repeat "+
			"finds validators that contradict themselves", plaintext.Count(x.unsteady, "difference")))
	}
	return problems
}
