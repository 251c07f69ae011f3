package infer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/findings/asking"
	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// mostInputs is the default of Options.Inputs, and patience how many inputs may show nothing new
// before an exploration ends.
const (
	mostInputs = 20_000
	patience   = 2_000
	mostTurns  = 3
	mostDrops  = 3
)

// inference is one run.
type inference struct {
	evidence   *evidence.Evidence
	definition *definitions.Definition
	version    *definitions.Version
	scheme     harness.Scheme
	universes  map[string]*universe
	explained  map[*evidence.Site][]*explanation
	timeOver   bool
	// remembered are the hypotheses of an earlier run, as expressions.
	remembered map[savedKey][][]string
	sliceEnd   context.CancelFunc
	refuted    []RefutedRule
	forms      map[string]string    // of schemas, by their places
	types      declarative.Document // the schema with its references to types
	strict     *evidence.StrictErrors
	// planned is how many changes of single fields the exploration left.
	planned int
	// explored is how many inputs the exploration had, exploring is it until it is over, and corpus and tried are what an
	// earlier one left.
	explored  int
	exploring *explore.Explorer
	corpus    []explore.Input
	tried     []uint64
	saved     time.Time
	// resumed is how many samples an earlier run left.
	resumed int
	// cases are those of the suite, and sentBack the rules whose objects were asked about with other senders.
	cases    []suiteCase
	sentBack map[string]bool
}

// Run infers the rules that the schema of a target lacks, and proves them. The error is that of the
// context, or says why the target has nothing to add rules to.
func Run(ctx context.Context, target *evidence.Target, options evidence.Options) (*Report, error) {
	if options.Inputs == 0 {
		options.Inputs = mostInputs
	}
	i, err := prepare(target, &options)
	if err != nil {
		return nil, err
	}
	clock := newClock(ctx, options.Deadline)
	if target.Policies != nil {
		clock.share = definitionShare
	}
	defer clock.stop()
	if err := i.resume(ctx); err != nil {
		return nil, err
	}
	if err := i.askCases(ctx); err != nil {
		return nil, err
	}
	report, err := i.run(ctx, clock)
	if err == nil && !i.timeOver {
		return report, i.removeSaved()
	}
	return report, errors.Join(err, i.save())
}

// run explores, explains the sites, and proves the rules.
func (i *inference) run(ctx context.Context, clock *clock) (*Report, error) {
	if i.explored == 0 || len(i.corpus) > 0 {
		err := i.exploreFirst(clock.until(exploringShare))
		if i.stopped(ctx, err) {
			return nil, err
		}
	}
	written, proof, err := i.converge(ctx, clock)
	if err != nil {
		return nil, err
	}
	clock.share = 1
	if err := i.askDeletions(clock.until(1)); i.stopped(ctx, err) {
		return nil, err
	}
	policies, err := i.inferPolicies(ctx, clock.until(1), written)
	if err != nil {
		return nil, err
	}
	return i.report(written, proof, policies)
}

// exploreFirst looks for errors that the schema lacks. It goes on from where an earlier run ended.
func (i *inference) exploreFirst(ctx context.Context) error {
	before := i.explored
	e, err := i.explorer(i.evidence.Target.Harness, i.evidence.Target.Props, i.evidence.Options.Seed, i.corpus, i.tried, func(in explore.Input, results []harness.Result) {
		i.explored++
		if i.evidence.CanBeStored(in) {
			i.strict.See(i.evidence.Target, in, results)
		}
		i.evidence.See(in, results, evidence.KeepNeeded)
	})
	if err != nil {
		return err
	}
	i.exploring = e
	err = i.explore(ctx, e, max(1, i.evidence.Options.Inputs-before))
	i.planned = e.Stats().Planned
	if err == nil {
		i.exploring = nil
	}
	return err
}

// The shares of the time after which the stages end.
const (
	exploringShare = 0.25
	explainedShare = 0.55 // and more in each turn
	turnShare      = 0.15
	// definitionShare is that of the definition if policies follow.
	definitionShare = 0.85
)

// converge explains the sites, and proves the rules. What refutes them explains the sites again. It returns a proposal
// without rules that an input refuted.
func (i *inference) converge(ctx context.Context, clock *clock) (*proposal, *proof, error) {
	wanted := func(*evidence.Site) bool { return true }
	var last, complete proven
	for turn := range mostTurns + mostDrops {
		if turn < mostTurns {
			if err := i.explainAll(clock.until(explainedShare+turnShare*float64(turn)), wanted); i.stopped(ctx, err) {
				return nil, nil, err
			}
		}
		var err error
		if last.proposal, err = i.propose(); err != nil {
			return nil, nil, err
		}
		before := len(i.refuted)
		last.proof, err = i.prove(clock.until(1), last.proposal, i.evidence.Options.Seed+1+uint64(turn))
		if i.stopped(ctx, err) {
			return nil, nil, err
		}
		if last.complete {
			complete = last
		}
		if err := i.refute(last.proposal, last.proof); err != nil {
			return nil, nil, err
		}
		if len(i.refuted) == before && (len(last.counterexamples) == 0 || turn >= mostTurns-1) || clock.over() {
			break
		}
		if _, err := i.evidence.Ask(clock.until(1), last.counterexamples); i.stopped(ctx, err) {
			return nil, nil, err
		}
		wanted = i.toExplainAgain(last.proof)
		if len(i.refuted) == before && !slices.ContainsFunc(i.evidence.Sites, wanted) {
			break // the next proposal would be the same
		}
	}
	if complete.proof != nil {
		last = complete
	}
	if err := last.withoutRefuted(i); err != nil {
		return nil, nil, err
	}
	return last.proposal, last.proof, last.withoutUnproven(i)
}

// toExplainAgain returns whether a site is to be explained again.
func (i *inference) toExplainAgain(proof *proof) func(*evidence.Site) bool {
	return func(of *evidence.Site) bool {
		return !of.Contradicted && !of.OfSender && (len(i.explained[of]) == 0 || proof.missing[of.Key] != nil || i.refutedAt(of) != nil)
	}
}

// stopped reports whether the run cannot go on. The end of the time is none: the report says so.
func (i *inference) stopped(ctx context.Context, err error) bool {
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		i.timeOver = true
		return false
	}
	return err != nil
}

func prepare(target *evidence.Target, options *evidence.Options) (*inference, error) {
	i := &inference{
		universes: map[string]*universe{}, forms: map[string]string{}, explained: map[*evidence.Site][]*explanation{}, types: target.Document,
		sentBack: map[string]bool{}, remembered: map[savedKey][][]string{},
	}
	i.evidence = &evidence.Evidence{Target: target}
	if err := i.findVersion(); err != nil {
		return nil, err
	}
	scheme, err := i.schemeOf(i.version)
	if err != nil {
		return nil, err
	}
	today, err := i.validatorOf(&proposal{version: i.version})
	if err != nil {
		return nil, err
	}
	i.scheme = scheme
	i.evidence, i.strict, i.saved = evidence.NewEvidence(target, scheme, today, options), evidence.NewStrictErrors(), time.Now()
	i.evidence.Target.Document = declarative.Document{Root: i.version.Schema}
	i.evidence.FindAbsentInStored()
	return i, nil
}

// findVersion finds the definition that gets the rules.
func (i *inference) findVersion() error {
	if i.evidence.Target.GoPackage != "" {
		i.evidence.Target.File, i.version = overlayFile, versionOfGoType(i.evidence.Target)
		return nil
	}
	all, err := definitions.Read(i.evidence.Target.File, i.evidence.Target.Data)
	if err != nil {
		return err
	}
	for _, d := range all {
		for _, v := range d.Versions {
			if v.GroupVersionKind == i.evidence.Target.Version {
				i.definition, i.version = d, v
			}
		}
	}
	if i.definition == nil {
		return fmt.Errorf("%s has no definition of %s to add rules to", i.evidence.Target.File, i.evidence.Target.Version)
	}
	return nil
}

// explorer returns an explorer that passes all results to observe. It starts from the cases, and from what an earlier
// one found and tried.
func (i *inference) explorer(h *harness.Harness, props *apiextensionsv1.JSONSchemaProps, seed uint64, found []explore.Input, tried []uint64, observe func(explore.Input, []harness.Result)) (*explore.Explorer, error) {
	ask, err := asking.Of(h, i.evidence.Target.Like, nil)
	if err != nil {
		return nil, err
	}
	return explore.New(explore.Options{
		Fields: i.ownFields(props), Seed: seed, Parallel: i.evidence.Options.Parallel, Schema: props, Updates: i.evidence.Target.Like.Subresource != "", Object: i.evidence.Target.Object,
		Starts: slices.Concat(i.evidence.Target.Starts, found), Tried: tried, AnyOld: true,
		Ask: func(ctx context.Context, in explore.Input) (explore.Answer, error) {
			answer, err := ask(ctx, in)
			answer.Findings = nil // only the errors count, so nothing is made small
			return answer, err
		},
		Observe: func(in explore.Input, answer explore.Answer) error {
			results, _ := answer.Detail.([]harness.Result)
			observe(in, results)
			return nil
		},
		Found: func(explore.Found) error { return nil },
	}), nil
}

// explore compares most inputs, or fewer if nothing new is seen for a while.
func (i *inference) explore(ctx context.Context, e *explore.Explorer, most int) error {
	for e.Stats().Inputs < most && !e.Done(patience) {
		i.progress("exploring: %d inputs, %d errors that the schema lacks", e.Stats().Inputs, len(i.evidence.Sites))
		if err := errors.Join(e.Step(ctx), i.saveSometimes()); err != nil {
			return err
		}
	}
	return nil
}

// ownFields returns the fields that are explored; nil: all.
func (i *inference) ownFields(props *apiextensionsv1.JSONSchemaProps) (own []string) {
	for _, name := range slices.Sorted(maps.Keys(props.Properties)) {
		if i.evidence.Target.GoPackage != "" && name != "apiVersion" && name != "kind" && name != "metadata" && name != "status" {
			own = append(own, name)
		}
	}
	return own
}

func (i *inference) progress(format string, args ...any) {
	if i.evidence.Options.Progress != nil {
		i.evidence.Options.Progress(fmt.Sprintf(format, args...))
	}
}
