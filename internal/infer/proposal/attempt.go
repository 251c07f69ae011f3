package proposal

import (
	"context"
	"slices"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// proven is a proposal with its proof.
type Attempt struct {
	Proposal *Proposal
	Proof    *Proof
}

// WithoutRefuted takes out the rules that an input refuted after the proposal was made. What is proven of the others stays.
func (p Attempt) WithoutRefuted(pr *Prover) error {
	before, refused := len(p.Proposal.Rules), p.Proof.Refuses
	p.Proposal.Rules = slices.DeleteFunc(p.Proposal.Rules, func(r *Rule) bool { return pr.RefutedRule(r) != nil })
	p.Proof.Dropped = before - len(p.Proposal.Rules)
	if err := p.rewrite(pr, before); err != nil {
		return err
	}
	if p.Proof.Refuses == 0 {
		p.Proof.RefusedByDropped = refused
	}
	return nil
}

// WithoutUnproven takes out the rules of errors that are not proven. They are in the report, and in no other file: an object
// that was not tried may be one that the native validator accepts.
func (p Attempt) WithoutUnproven(pr *Prover) error {
	before := len(p.Proposal.Rules)
	for left := -1; left != len(p.Proposal.Rules); { // an error is proven by all its rules, and a rule may have several errors
		left = len(p.Proposal.Rules)
		isProven := map[*evidence.Site]bool{}
		for _, of := range pr.Evidence.Sites {
			isProven[of] = pr.SiteReport(of, p.Proposal, p.Proof).Status == Proven
		}
		p.Proposal.Rules = slices.DeleteFunc(p.Proposal.Rules, func(r *Rule) bool {
			unproven := r.bounds == nil && slices.ContainsFunc(r.Sites, func(of *evidence.Site) bool { return !isProven[of] })
			if unproven {
				p.Proposal.Unproven = append(p.Proposal.Unproven, r)
			}
			return unproven
		})
		p.Proposal.Rules = slices.DeleteFunc(p.Proposal.Rules, func(r *Rule) bool {
			return r.bounds != nil && !slices.Contains(p.Proposal.Rules, r.bounds)
		})
	}
	return p.rewrite(pr, before)
}

// rewrite writes the rules again if there were more of them before, and counts what the proposal does without the others. The
// errors of today's schema stay as they are.
func (p Attempt) rewrite(pr *Prover, before int) error {
	if before == len(p.Proposal.Rules) {
		return nil
	}
	if err := p.Proposal.Write(pr); err != nil {
		return err
	}
	judge, err := pr.ValidatorOf(p.Proposal)
	if err != nil {
		return err
	}
	accepts := func(in explore.Input) bool {
		s := &evidence.Sample{Input: in}
		return pr.Evidence.Decode(s) && len(judge(context.Background(), s.Decoded, s.DecodedOld)) == 0
	}
	p.Proof.refusals = slices.DeleteFunc(p.Proof.refusals, func(r refusal) bool {
		isAccepted := accepts(r.Input)
		switch {
		case isAccepted && r.alone:
			p.Proof.Refuses--
		case isAccepted && r.admittedBefore:
			p.Proof.Admits++
		}
		return isAccepted
	})
	p.Proof.Strict.Order = slices.DeleteFunc(p.Proof.Strict.Order, func(cause causes.Cause) bool {
		return p.Proof.Refuses == 0 || !slices.ContainsFunc(p.Proof.Strict.ByCause[cause].Some,
			func(in explore.Input) bool { return !accepts(in) })
	})
	return nil
}
