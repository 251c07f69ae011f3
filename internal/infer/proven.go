package infer

import (
	"context"
	"slices"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// proven is a proposal with its proof.
type proven struct {
	*proposal
	*proof
}

// withoutRefuted takes out the rules that an input refuted after the proposal was made. What is proven of the others stays.
func (p proven) withoutRefuted(i *inference) error {
	before, refused := len(p.rules), p.refuses
	p.rules = slices.DeleteFunc(p.rules, func(r *Rule) bool { return i.refutedRule(r) != nil })
	p.dropped = before - len(p.rules)
	if err := p.rewrite(i, before); err != nil {
		return err
	}
	if p.refuses == 0 {
		p.refusedByDropped = refused
	}
	return nil
}

// withoutUnproven takes out the rules of errors that are not proven. They are in the report, and in no other file: an object
// that nobody tried may be one that the native validator accepts.
func (p proven) withoutUnproven(i *inference) error {
	before := len(p.rules)
	for left := -1; left != len(p.rules); { // an error is proven by all its rules, and a rule may have several errors
		left = len(p.rules)
		isProven := map[*evidence.Site]bool{}
		for _, of := range i.evidence.Sites {
			isProven[of] = i.siteReport(of, p.proposal, p.proof).Status == Proven
		}
		p.rules = slices.DeleteFunc(p.rules, func(r *Rule) bool {
			unproven := r.bounds == nil && slices.ContainsFunc(r.sites, func(of *evidence.Site) bool { return !isProven[of] })
			if unproven {
				p.unproven = append(p.unproven, r)
			}
			return unproven
		})
		p.rules = slices.DeleteFunc(p.rules, func(r *Rule) bool { return r.bounds != nil && !slices.Contains(p.rules, r.bounds) })
	}
	return p.rewrite(i, before)
}

// rewrite writes the rules again if there were more of them before, and counts what the proposal does without the others. The
// errors of today's schema stay as they are.
func (p proven) rewrite(i *inference, before int) error {
	if before == len(p.rules) {
		return nil
	}
	if err := p.write(i); err != nil {
		return err
	}
	judge, err := i.validatorOf(p.proposal)
	if err != nil {
		return err
	}
	accepts := func(in explore.Input) bool {
		s := &evidence.Sample{Input: in}
		return i.evidence.Decode(s) && len(judge(context.Background(), s.Decoded, s.DecodedOld)) == 0
	}
	p.refusals = slices.DeleteFunc(p.refusals, func(r refusal) bool {
		isAccepted := accepts(r.Input)
		switch {
		case isAccepted && r.alone:
			p.refuses--
		case isAccepted && r.admittedBefore:
			p.admits++
		}
		return isAccepted
	})
	p.strict.Order = slices.DeleteFunc(p.strict.Order, func(cause causes.Cause) bool {
		return p.refuses == 0 || !slices.ContainsFunc(p.strict.ByCause[cause].Some, func(in explore.Input) bool { return !accepts(in) })
	})
	return nil
}
