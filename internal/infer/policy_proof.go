package infer

import (
	"context"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// keepProven compares the policies with the native validator, takes out those that refuse what it accepts or do not prove what
// they are for, and compares again.
func (p *policies) keepProven(ctx, timed context.Context, i *inference, written *proposal) error {
	for range mostTurns {
		if len(p.rules) == 0 {
			p.data = nil
			p.removeErrorsOfDroppedRules()
			return nil
		}
		if err := p.prove(ctx, timed, i, written); err != nil {
			return err
		}
		before := len(p.rules)
		p.rules = slices.DeleteFunc(p.rules, func(rule *PolicyRule) bool {
			isGuilty := p.refusesAccepted(rule)
			for _, of := range rule.sites {
				if isGuilty {
					p.refuted[of] = rule.String()
				}
			}
			return isGuilty || !p.proves(rule)
		})
		if len(p.rules) == before {
			return nil
		}
	}
	p.rules, p.data = nil, nil
	p.removeErrorsOfDroppedRules()
	return nil
}

// removeErrorsOfDroppedRules takes the errors of validations that are no longer proposed out of the proofs.
func (p *policies) removeErrorsOfDroppedRules() {
	for _, part := range p.parts {
		if part.proof != nil {
			part.proof.refuses, part.proof.strict = 0, evidence.NewStrictErrors()
		}
	}
}

// refusesAccepted reports whether a validation refuses what the native validator accepts, also because it cannot be evaluated.
func (p *policies) refusesAccepted(rule *PolicyRule) bool {
	for _, part := range p.parts {
		if part.proof == nil {
			continue
		}
		for _, cause := range part.proof.strict.Order {
			if text := part.proof.strict.ByCause[cause].Text; strings.Contains(text, rule.text()) || strings.Contains(text, rule.Expression) {
				return true
			}
		}
	}
	return false
}

// proves reports whether the errors of all sites of a validation are proven to be its own.
func (p *policies) proves(rule *PolicyRule) bool {
	for _, part := range p.parts {
		for _, of := range part.evidence.Sites {
			if slices.Contains(rule.sites, of) && part.siteReport(of, p).Status != Proven {
				return false
			}
		}
	}
	return true
}

// prove compares the native validator with the definition and the policies, on the requests that they are from and on fresh
// ones.
func (p *policies) prove(ctx, timed context.Context, i *inference, written *proposal) (err error) {
	if p.data, err = p.yaml(i.evidence.Target); err != nil {
		return err
	}
	h, err := i.harnessWith(written, p.data)
	if err != nil {
		return err
	}
	fresh, err := i.freshInputs(timed, h)
	if i.stopped(ctx, err) {
		return err
	}
	complete := err == nil
	for _, part := range p.parts {
		out := &proof{missing: map[evidence.SiteKey]*missing{}, strict: evidence.NewStrictErrors(), otherWords: map[evidence.SiteKey]int{}, covering: p.covering(part.evidence.Requests.Deletes)}
		inputs := part.compared(fresh)
		err := part.again(timed, h, inputs, func(in explore.Input, results []harness.Result) { part.compare(out, in, results) })
		if err == nil {
			err = part.compareSent(timed, h, out)
		}
		if i.stopped(ctx, err) {
			return err
		}
		out.complete = err == nil && complete
		part.proof = out
	}
	return nil
}

// compareSent compares the cases of the suite, as they are sent.
func (part *policyPart) compareSent(ctx context.Context, h *harness.Harness, out *proof) error {
	for _, c := range part.evidence.Target.Cases {
		if c.Deletes != part.evidence.Requests.Deletes {
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
		part.compare(out, explore.Input{Object: part.evidence.Requests.Document(in, sender)}, results)
	}
	return nil
}

// compared returns the requests that are known, and fresh ones by all users in turn.
func (part *policyPart) compared(fresh []explore.Input) (inputs []explore.Input) {
	for _, s := range part.evidence.Samples {
		inputs = append(inputs, s.Input)
	}
	all := evidence.Users(usersIn(part.evidence.Sites))
	for n, in := range fresh {
		if !part.evidence.Requests.Deletes || in.Old == nil {
			inputs = append(inputs, explore.Input{Object: part.evidence.Requests.RightVariant(part.evidence.Requests.Document(in, all[n%len(all)]), n)})
		}
	}
	return inputs
}

// covering returns the messages of the validations by their sites: a policy names no field.
func (p *policies) covering(deletes bool) map[evidence.SiteKey][]string {
	all := map[evidence.SiteKey][]string{}
	for _, rule := range p.rules {
		for _, of := range rule.sites {
			if deletes == (rule.Operations[0] == "DELETE") {
				all[of.Key] = append(all[of.Key], rule.text())
			}
		}
	}
	return all
}

// text returns what a denial says.
func (r *PolicyRule) text() string {
	if r.Message != "" {
		return r.Message
	}
	return "failed expression: " + r.Expression
}

// harnessWith returns a harness with the definition and the policies.
func (i *inference) harnessWith(p *proposal, data []byte) (*harness.Harness, error) {
	document, err := i.documentOf(p)
	if err != nil {
		return nil, err
	}
	with, err := i.harnessOf(document)
	if err != nil {
		return nil, err
	}
	target := *with.Target()
	target.Versions = slices.Clone(target.Versions)
	for n, version := range target.Versions {
		guards, is := version.Declarative.(world.World)
		if version.GroupVersionKind != i.evidence.Target.Version || !is {
			continue
		}
		if guards.Policies, err = i.evidence.Target.Policies(data); err != nil {
			return nil, err
		}
		target.Versions[n].Declarative = guards
	}
	return harness.New(&target, i.evidence.Target.HarnessOptions)
}

// freshInputs returns inputs of an exploration with another seed.
func (i *inference) freshInputs(ctx context.Context, h *harness.Harness) (fresh []explore.Input, err error) {
	e, err := i.explorer(h, i.evidence.Target.Props, i.evidence.Options.Seed+freshSeed, nil, nil, func(in explore.Input, _ []harness.Result) {
		if i.evidence.CanBeStored(in) {
			fresh = append(fresh, in)
		}
	})
	if err != nil {
		return nil, err
	}
	return fresh, i.explore(ctx, e, max(1, i.evidence.Options.Inputs/freshShare))
}

// freshSeed keeps the exploration of policies apart from those of the definition, and freshShare is which part of the inputs
// it has.
const freshSeed, freshShare = 1_000, 10
