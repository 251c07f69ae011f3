package mutate

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/parallel"
)

// Options of Run.
type Options struct {
	// Parallel is the number of parallel comparisons; 0: one for each core.
	Parallel int
	// Sample is the number of mutants to run; 0: all. Seed chooses them.
	Sample int
	Seed   uint64
	// Compared is called after each input was compared without a mutant, Begin after all of them, with the number of mutants to
	// run, and Done after each mutant, one call at a time. All are optional.
	Compared func()
	Begin    func(mutants int)
	Done     func()

	// everyInput also compares inputs that do not violate the keyword. Their results cannot change,
	// as a test checks.
	everyInput bool
}

// Run compares the cases of all groups, and then, for each weakened keyword, the inputs whose results may
// change. The error is that of a file of cases, of a harness, or of the context; if the context ends while mutants are run, the
// report has those whose outcome is known.
func Run(ctx context.Context, groups []Group, opts Options) (Report, error) {
	r := &runner{options: opts, groups: len(groups)}
	for i := range groups {
		if err := within(&groups[i], func() error { return r.compare(ctx, i, &groups[i]) }); err != nil {
			return Report{}, err
		}
	}
	all := collect(r.targets)
	chosen := sample(all, opts.Sample, opts.Seed)
	left := slices.DeleteFunc(slices.Clone(chosen), func(m *mutant) bool { return m.concerns() == 0 })
	if opts.Begin != nil {
		opts.Begin(len(left))
	}
	var ended error
	for i := range groups {
		ended = within(&groups[i], func() error { return r.mutate(ctx, i, left) })
		if ended != nil && ctx.Err() == nil {
			return Report{}, ended
		} else if ended != nil {
			break
		}
	}
	report := Report{Inputs: r.inputs, Undecided: r.undecided, Of: len(all), Seed: opts.Seed}
	for _, m := range chosen {
		if !m.isDecided() {
			report.Unfinished++
			continue
		}
		report.Mutants = append(report.Mutants, m.report())
	}
	report.sort()
	return report, ended
}

// runner is a run.
type runner struct {
	options           Options
	groups            int
	targets           []*target
	inputs, undecided int
}

// within runs a part of the work of a group.
func within(g *Group, work func() error) error {
	if g.Enter == nil {
		return work()
	}
	leave, err := g.Enter()
	if err != nil {
		return err
	}
	defer leave()
	return work()
}

// compare runs the cases of a group and records which keywords each input violates.
func (r *runner) compare(ctx context.Context, group int, g *Group) error {
	queue := parallel.Queue[*input, *seen]{
		Parallel: r.options.Parallel,
		Do:       func(ctx context.Context, in *input) (*seen, error) { return in.baselineRun(ctx) },
		Take: func(s *seen) error {
			r.take(s)
			if r.options.Compared != nil {
				r.options.Compared()
			}
			return nil
		},
	}
	return queue.Run(ctx, func(yield func(*input, error) bool) {
		for _, suite := range g.Suites {
			if !r.inputsOf(group, suite, yield) {
				return
			}
		}
	})
}

// inputsOf yields each case of a suite in each version of its target.
func (r *runner) inputsOf(group int, suite Suite, yield func(*input, error) bool) bool {
	known := map[*harness.Harness][]*target{}
	for job, err := range suite.Jobs {
		if err != nil {
			return yield(nil, err)
		}
		targets, ok := known[job.Harness]
		if !ok {
			for _, version := range job.Harness.Target().Versions {
				t, err := newTarget(group, job.Harness.Target(), version, suite.Options)
				if err != nil {
					return yield(nil, err)
				}
				t.everyInput = r.options.everyInput
				targets = append(targets, t)
			}
			known[job.Harness] = targets
			r.targets = append(r.targets, targets...)
		}
		for _, t := range targets {
			if !yield(&input{target: t, of: job.Case}, nil) {
				return false
			}
		}
	}
	return true
}

// seen is the first result of an input.
type seen struct {
	input   *input
	verdict words.Verdict
	// violated are the keywords that a value violates, and undecided the rules that cannot be evaluated for
	// any value.
	violated, undecided []string
	asked               []contract.Asked
}

// baselineRun compares an input with the schema as it is.
func (in *input) baselineRun(ctx context.Context) (*seen, error) {
	type did struct{ passed, failed bool }
	var mu sync.Mutex // a validator may still run after its timeout
	all := map[string]did{}
	watched := tally.Watch(ctx, func(s tally.Seen) {
		mu.Lock()
		defer mu.Unlock()
		before := all[s.Declared]
		all[s.Declared] = did{before.passed || s.Passed, before.failed || s.Failed}
	})
	result, err := in.check(watched, in.baseline)
	if err != nil {
		return nil, err
	}
	in.was = outcomeOf(&result)
	s := &seen{input: in, verdict: result.Verdict, asked: result.Declarative.Asked}
	mu.Lock()
	defer mu.Unlock()
	for at, d := range all {
		switch {
		case d.failed:
			s.violated = append(s.violated, at)
		case !d.passed && strings.Contains(at, openapi.XValidations) || in.everyInput: // the other keywords were not evaluated
			s.undecided = append(s.undecided, at)
		}
	}
	return s, nil
}

// take records the first result of an input. Inputs come in the order of the cases.
func (r *runner) take(s *seen) {
	switch s.verdict {
	case words.Inexpressible:
		return
	case words.Faulted:
		r.undecided++
		return
	}
	r.inputs++
	note := func(places []string, in map[string][]*input) {
		for _, at := range places {
			in[at] = append(in[at], s.input)
		}
	}
	note(s.violated, s.input.target.violated)
	note(s.undecided, s.input.target.undecided)
	s.input.target.noteGuards(s.input, s.asked)
}

// mutate runs the mutants that are still alive on the inputs of a group.
func (r *runner) mutate(ctx context.Context, group int, left []*mutant) error {
	last := group == r.groups-1
	queue := parallel.Queue[*mutant, struct{}]{
		Parallel: r.options.Parallel,
		Do:       func(ctx context.Context, m *mutant) (struct{}, error) { return struct{}{}, m.run(ctx, group) },
		Take: func(struct{}) error {
			if last && r.options.Done != nil {
				r.options.Done()
			}
			return nil
		},
	}
	return queue.Run(ctx, func(yield func(*mutant, error) bool) {
		for _, m := range left {
			if !yield(m, nil) {
				return
			}
		}
	})
}
