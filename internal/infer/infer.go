package infer

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/policy"
	"github.com/diffrun/diffrun/internal/infer/proposal"
)

// mostInputs is the default of Options.Inputs.
const (
	mostInputs = 20_000
	mostTurns  = 4
	mostDrops  = 3
)

// Run infers the rules that the schema of a target lacks, and proves them. The error is that of the
// context, or says why the target has nothing to add rules to.
func Run(ctx context.Context, target *evidence.Target, options evidence.Options) (*Report, error) {
	if options.Inputs == 0 {
		options.Inputs = mostInputs
	}
	i := &inference{strict: evidence.NewStrictErrors(), saved: time.Now()}
	var err error
	if i.prover, err = proposal.NewProver(target, &options, i.saveSometimes); err != nil {
		return nil, err
	}
	i.evidence, i.finder = i.prover.Evidence, i.prover.Finder
	clock := newClock(ctx, options.Deadline)
	if target.Policies != nil {
		clock.share = definitionShare
	}
	defer clock.stop()
	if err := i.resume(ctx); err != nil {
		return nil, err
	}
	if err := i.prover.AskCases(ctx); err != nil {
		return nil, err
	}
	report, err := i.run(ctx, clock)
	if err == nil && !i.finder.TimeOver {
		return report, i.removeSaved()
	}
	return report, errors.Join(err, i.save())
}

// run explores, explains the sites, and proves the rules.
func (i *inference) run(ctx context.Context, clock *clock) (*Report, error) {
	if i.explored == 0 || len(i.corpus) > 0 {
		err := i.exploreFirst(clock.until(exploringShare))
		if i.finder.Stopped(ctx, err) {
			return nil, err
		}
	}
	written, proof, err := i.converge(ctx, clock)
	if err != nil {
		return nil, err
	}
	clock.share = 1
	if err := i.prover.AskDeletions(clock.until(1)); i.finder.Stopped(ctx, err) {
		return nil, err
	}
	policies, err := policy.Infer(ctx, clock.until(1), i.prover, written)
	if err != nil {
		return nil, err
	}
	return i.report(written, proof, policies)
}

// exploreFirst looks for errors that the schema lacks. It goes on from where an earlier run ended.
func (i *inference) exploreFirst(ctx context.Context) error {
	before := i.explored
	e, err := i.prover.Explorer(i.evidence.Target.Harness, i.evidence.Target.Props, i.evidence.Options.Seed, i.corpus,
		i.tried, func(in explore.Input, results []harness.Result) {
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
	err = i.prover.Explore(ctx, e, max(1, i.evidence.Options.Inputs-before))
	i.planned = e.Stats().Planned
	if err == nil {
		i.exploring = nil
	}
	return err
}

// The shares of the time after which the stages end.
const (
	exploringShare = 0.2
	explainedShare = 0.7 // and more in each turn
	turnShare      = 0.05
	turnsShare     = 0.8 // the rest is for the last comparison
	// definitionShare is that of the definition if policies follow.
	definitionShare = 0.85
)

// quickShare and proofShare are the parts of the inputs that a proposal is compared on: first, to find what contradicts it, and
// last.
const quickShare, proofShare = 10, 2

// converge explains the sites, and proves the rules. What refutes them explains the sites again. It returns a proposal
// without rules that an input refuted.
func (i *inference) converge(ctx context.Context, clock *clock) (*proposal.Proposal, *proposal.Proof, error) {
	wanted := func(*evidence.Site) bool { return true }
	var last, complete proposal.Attempt
	isLast := false
	for turn := range mostTurns + mostDrops {
		inputs, end := i.evidence.Options.Inputs/quickShare, turnsShare
		if isLast = isLast || clock.reached(turnsShare); isLast {
			inputs, end = i.evidence.Options.Inputs/proofShare, 1
		} else if err := i.explain(clock, turn, wanted); i.finder.Stopped(ctx, err) {
			return nil, nil, err
		}
		var err error
		if last.Proposal, err = i.prover.Propose(); err != nil {
			return nil, nil, err
		}
		before := len(i.prover.Refuted)
		last.Proof, err = i.prover.Prove(clock.until(end), last.Proposal, i.evidence.Options.Seed+1+uint64(turn), inputs)
		if i.finder.Stopped(ctx, err) {
			return nil, nil, err
		}
		if last.Proof.Complete && isLast {
			complete = last
		}
		if err := i.prover.Refute(last.Proposal, last.Proof); err != nil {
			return nil, nil, err
		}
		refuted := len(i.prover.Refuted) > before
		if isLast && !refuted || clock.over() {
			break
		}
		counterexamples := append(last.Proof.OfNewSites(i.evidence), last.Proof.Counterexamples...)
		if _, err := i.evidence.Ask(clock.until(1), counterexamples); i.finder.Stopped(ctx, err) {
			return nil, nil, err
		}
		wanted = i.toExplainAgain(last.Proof)
		isLast = isLast || turn >= mostTurns-2 || !refuted && !slices.ContainsFunc(i.evidence.Sites, wanted)
	}
	if complete.Proof != nil {
		last = complete
	}
	if err := last.WithoutRefuted(i.prover); err != nil {
		return nil, nil, err
	}
	return last.Proposal, last.Proof, last.WithoutUnproven(i.prover)
}

// explain explains the wanted sites in their share of the time.
func (i *inference) explain(clock *clock, turn int, wanted func(*evidence.Site) bool) error {
	return i.finder.ExplainAll(clock.until(min(turnsShare, explainedShare+turnShare*float64(turn))), wanted)
}

// toExplainAgain returns whether a site is to be explained again.
func (i *inference) toExplainAgain(proof *proposal.Proof) func(*evidence.Site) bool {
	return func(of *evidence.Site) bool {
		isOpen := !of.Contradicted && !of.OfSender && !i.evidence.NeedsRequest(of)
		return isOpen && (len(i.finder.Explained[of]) == 0 || proof.Missing[of.Key] != nil ||
			i.prover.RefutedAt(of) != nil || i.finder.IsUnfinished(of))
	}
}
