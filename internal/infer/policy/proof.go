package policy

import (
	"context"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/proposal"
)

// mostProofs is how often policies are compared, without those that the last time refuted.
const mostProofs = 3

// keepProven compares the policies with the native validator, takes out those that refuse what it accepts or do not prove what
// they are for, and compares again.
func (p *Policies) keepProven(ctx, timed context.Context, pr *proposal.Prover, written *proposal.Proposal) error {
	for range mostProofs {
		if len(p.All()) == 0 {
			break
		}
		if err := p.prove(ctx, timed, pr, written); err != nil {
			return err
		}
		before := len(p.All())
		p.dropOverCost(written, func(rule *Rule) string {
			if p.refusesAccepted(rule) {
				return "refuses what " + pr.Evidence.Native() + " accepts"
			}
			return ""
		})
		p.Rules = slices.DeleteFunc(p.Rules, func(rule *Rule) bool {
			isGuilty := p.refusesAccepted(rule)
			for _, of := range rule.sites {
				if isGuilty {
					p.refuted[of] = rule.String()
				}
			}
			return isGuilty || !p.proves(rule)
		})
		if len(p.All()) == before {
			return nil
		}
	}
	p.dropOverCost(written, func(*Rule) string { return "was refuted again and again" })
	p.Rules, p.Data = nil, nil
	p.removeErrorsOfDroppedRules()
	return nil
}

// removeErrorsOfDroppedRules takes the errors of validations that are no longer proposed out of the proofs.
func (p *Policies) removeErrorsOfDroppedRules() {
	for _, part := range p.Parts {
		if part.Proof != nil {
			part.Proof.Refuses, part.Proof.Strict = 0, evidence.NewStrictErrors()
		}
	}
}

// refusesAccepted reports whether a validation refuses what the native validator accepts, also because it cannot be evaluated.
func (p *Policies) refusesAccepted(rule *Rule) bool {
	for _, part := range p.Parts {
		if part.Proof == nil {
			continue
		}
		for _, cause := range part.Proof.Strict.Order {
			if rule.made(part.Proof.Strict.ByCause[cause].Text) {
				return true
			}
		}
	}
	return false
}

// proves reports whether the errors of all sites of a validation are proven to be its own.
func (p *Policies) proves(rule *Rule) bool {
	for _, part := range p.Parts {
		for _, of := range part.Evidence.Sites {
			if slices.Contains(rule.sites, of) && part.SiteReport(of, p).Status != proposal.Proven {
				return false
			}
		}
	}
	return true
}

// prove compares the native validator with the definition and the policies, on the requests that they are from and on fresh
// ones.
func (p *Policies) prove(ctx, timed context.Context, pr *proposal.Prover, written *proposal.Proposal) (err error) {
	if p.Data, err = p.yaml(pr.Evidence.Target); err != nil {
		return err
	}
	h, err := harnessWith(pr, written, p.Data)
	if err != nil {
		return err
	}
	fresh, err := freshInputs(timed, pr, h)
	if pr.Finder.Stopped(ctx, err) {
		return err
	}
	complete := err == nil
	for _, part := range p.Parts {
		out := &proposal.Proof{
			Missing:    map[evidence.SiteKey]*proposal.Missing{},
			Strict:     evidence.NewStrictErrors(),
			OtherWords: map[evidence.SiteKey]int{},
			Covering:   p.covering(part.Evidence.Requests.Deletes),
		}
		inputs := part.compared(fresh)
		err := part.Evidence.Again(timed, h, inputs,
			func(in explore.Input, results []harness.Result) { out.Compare(part.Evidence, in, results) })
		if err == nil {
			err = part.compareSent(timed, h, out)
		}
		if pr.Finder.Stopped(ctx, err) {
			return err
		}
		out.Complete = err == nil && complete
		part.Proof = out
	}
	return nil
}

// compareSent compares the cases of the suite, as they are sent.
func (part *Part) compareSent(ctx context.Context, h *harness.Harness, out *proposal.Proof) error {
	for _, c := range part.Evidence.Target.Cases {
		if c.Deletes != part.Evidence.Requests.Deletes {
			continue
		}
		results, err := h.Check(ctx, c)
		if err != nil {
			return err
		}
		in := explore.Input{}
		in.Object, _ = c.Object.(map[string]any)
		in.Old, _ = c.Old.(map[string]any)
		sender := evidence.Users(nil)[0]
		if c.User != nil {
			sender = *c.User
		}
		out.Compare(part.Evidence, explore.Input{Object: part.Evidence.Requests.Document(in, sender)}, results)
	}
	return nil
}

// compared returns the requests that are known, and fresh ones by all users in turn.
func (part *Part) compared(fresh []explore.Input) (inputs []explore.Input) {
	for _, s := range part.Evidence.Samples {
		inputs = append(inputs, s.Input)
	}
	all := evidence.Users(proposal.UsersIn(part.Evidence.Sites))
	for n, in := range fresh {
		if !part.Evidence.Requests.Deletes || in.Old == nil {
			inputs = append(inputs, explore.Input{
				Object: part.Evidence.Requests.RightVariant(part.Evidence.Requests.Document(in, all[n%len(all)]), n),
			})
		}
	}
	return inputs
}

// covering returns the messages of the validations by their sites: a policy names no field.
func (p *Policies) covering(deletes bool) map[evidence.SiteKey][]string {
	all := map[evidence.SiteKey][]string{}
	for _, rule := range p.Rules {
		for _, of := range rule.sites {
			if deletes == (rule.Operations[0] == "DELETE") {
				all[of.Key] = append(all[of.Key], rule.text())
			}
		}
	}
	return all
}

// text returns what a denial says.
func (r *Rule) text() string {
	if r.Message != "" {
		return r.Message
	}
	return "failed expression: " + r.Expression
}

// made reports whether an error is that of the validation, or that it cannot be evaluated.
func (r *Rule) made(text string) bool {
	return strings.Contains(text, r.text()) || strings.Contains(text, r.Expression)
}

// harnessWith returns a harness with the definition, as it can be stored, and the policies.
func harnessWith(pr *proposal.Prover, p *proposal.Proposal, data []byte) (*harness.Harness, error) {
	document, err := pr.DocumentOf(p.AsStored())
	if err != nil {
		return nil, err
	}
	with, err := pr.HarnessOf(document)
	if err != nil {
		return nil, err
	}
	target := *with.Target()
	target.Versions = slices.Clone(target.Versions)
	for n, version := range target.Versions {
		guards, is := version.Declarative.(world.World)
		if version.GroupVersionKind != pr.Evidence.Target.Version || !is {
			continue
		}
		if guards.Policies, err = pr.Evidence.Target.Policies(data); err != nil {
			return nil, err
		}
		target.Versions[n].Declarative = guards
	}
	return harness.New(&target, pr.Evidence.Target.HarnessOptions)
}

// freshInputs returns inputs of an exploration with another seed.
func freshInputs(ctx context.Context, pr *proposal.Prover, h *harness.Harness) (fresh []explore.Input, err error) {
	e, err := pr.Explorer(h, pr.Evidence.Target.Props, pr.Evidence.Options.Seed+freshSeed, nil, nil,
		func(in explore.Input, _ []harness.Result) {
			if pr.Evidence.CanBeStored(in) {
				fresh = append(fresh, in)
			}
		})
	if err != nil {
		return nil, err
	}
	return fresh, pr.Explore(ctx, e, max(1, pr.Evidence.Options.Inputs/freshShare))
}

// freshSeed keeps the exploration of policies apart from those of the definition, and freshShare is which part of the inputs
// it has.
const freshSeed, freshShare = 1_000, 10
