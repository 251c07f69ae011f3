package policy

import (
	"context"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/proposal"
	"github.com/diffrun/diffrun/internal/infer/search"
	"github.com/diffrun/diffrun/internal/object"
)

// PolicyRule is a validation of a ValidatingAdmissionPolicy that is proposed: a definition cannot say it, because it is about
// labels, the user, or a deletion.
type Rule struct {
	Operations []string `json:"operations"`
	Expression string   `json:"expression"`
	Message    string   `json:"message,omitempty"`
	Reason     string   `json:"reason,omitempty"`

	sites []*evidence.Site
	// of is the rule that the validation says because the definition cannot, for its cost; nil: there is none.
	of *proposal.Rule
}

// String returns the validation on one line.
func (r *Rule) String() string {
	return "policy, " + strings.Join(r.Operations, " and ") + ": " + r.Expression
}

// Policies are the validations of policies, and what is known about the requests that they are from.
type Policies struct {
	Rules []*Rule
	// overCost are the validations of rules that the definition cannot have because of their cost.
	overCost []*Rule
	Data     []byte
	// Parts are the inferences of writes and of deletions, with their proofs.
	Parts []*Part
	// refuted are validations of sites that refuse what the native validator accepts, and are not proposed.
	refuted map[*evidence.Site]string
}

// policyPart is the inference of writes, or of deletions.
type Part struct {
	Evidence *evidence.Evidence
	finder   *search.Finder
	Proof    *proposal.Proof
	asked    []explore.Input
}

// inferPolicies infers the rules of errors that the definition still lacks with its rules. The end of timed, which is a part
// of ctx, is that of the time.
func Infer(ctx, timed context.Context, pr *proposal.Prover, p *proposal.Proposal) (*Policies, error) {
	found := &Policies{refuted: map[*evidence.Site]string{}}
	if pr.Evidence.Target.Policies == nil || pr.Evidence.Target.Like.Subresource != "" {
		return found, nil
	}
	if err := found.addOverCost(timed, pr, p); pr.Finder.Stopped(ctx, err) {
		return nil, err
	}
	for _, deletes := range []bool{false, true} {
		part, err := newPart(pr, p, deletes)
		if err != nil {
			return nil, err
		}
		found.Parts = append(found.Parts, part)
		if err := part.askRequests(timed, pr); pr.Finder.Stopped(ctx, err) {
			return nil, err
		}
		if err := part.finder.ExplainAll(timed, func(of *evidence.Site) bool {
			return part.finder.Explained[of] == nil && part.asksOfOthers(of) == "" && !part.isExplained(pr, of)
		}); pr.Finder.Stopped(ctx, err) {
			return nil, err
		}
		for _, of := range part.Evidence.Sites {
			for _, x := range part.finder.Explained[of] {
				if x.Subject.Facts.Evidence.Requests == nil {
					continue // of the definition
				}
				for _, h := range x.Chosen {
					found.add(policyRule(part.Evidence.Requests, h))
				}
			}
		}
	}
	return found, found.keepProven(ctx, timed, pr, p)
}

// All returns all validations.
func (p *Policies) All() []*Rule { return slices.Concat(p.overCost, p.Rules) }

// newPart returns the inference of writes, or of deletions, beside a definition with rules.
func newPart(pr *proposal.Prover, p *proposal.Proposal, deletes bool) (*Part, error) {
	document, err := pr.DocumentOf(p)
	if err != nil {
		return nil, err
	}
	today, err := pr.ValidatorOf(p)
	if err != nil {
		return nil, err
	}
	target := *pr.Evidence.Target
	if target.Harness, err = pr.HarnessOf(document); err != nil {
		return nil, err
	}
	of := &evidence.Requests{Objects: pr.Evidence, Today: today, Deletes: deletes, Readings: target.Readings}
	target.Readings = of.OfDocuments()
	if d := pr.Definition; d != nil && d.CRD != nil {
		of.Namespaced = d.CRD.Spec.Scope == apiextensionsv1.NamespaceScoped
	}
	target.Document.Root = of.Schema(pr.Evidence.Target.Document.Root, pr.Evidence.Samples)
	e := evidence.New(&target, pr.Scheme, of.Refuses(), pr.Evidence.Options)
	e.Requests = of
	return &Part{Evidence: e, finder: search.NewFinder(e, func() error { return nil })}, nil
}

// askRequests asks about requests.
func (part *Part) askRequests(ctx context.Context, pr *proposal.Prover) error {
	var inputs []explore.Input
	for _, s := range proposal.ForRequests(pr.Evidence, part.Evidence.Requests.Deletes) {
		for n, u := range evidence.Users(nil) {
			if n == 0 || s.Accepted && s.Size < largeObject {
				inputs = append(inputs, explore.Input{Object: part.Evidence.Requests.Document(s.Input, u)})
			}
		}
	}
	if _, err := part.Evidence.Ask(ctx, inputs); err != nil {
		return err
	}
	if err := part.findRights(ctx, pr); err != nil {
		return err
	}
	if !part.Evidence.Requests.Deletes {
		for _, in := range named(pr.Evidence) {
			inputs = append(inputs, explore.Input{Object: part.Evidence.Requests.Document(in, evidence.Users(nil)[0])})
		}
		if _, err := part.Evidence.Ask(ctx, inputs); err != nil {
			return err
		}
	}
	mentioned := proposal.UsersIn(part.Evidence.Sites)
	var more []explore.Input
	for n, u := range evidence.Users(mentioned) {
		for _, in := range inputs[:min(len(inputs), proposal.MostDeletions)] {
			if n > 2 {
				objects, _, _ := part.Evidence.Requests.Read(in.Object)
				more = append(more, explore.Input{Object: part.Evidence.Requests.Document(objects, u)})
			}
		}
	}
	part.asked = slices.Concat(inputs, more)
	_, err := part.Evidence.Ask(ctx, more)
	return err
}

// largeObject is the size of objects that are asked about for one user only.
const largeObject = 4_000

// named returns small accepted objects with other names, and without labels and annotations.
func named(e *evidence.Evidence) (all []explore.Input) {
	accepted := proposal.ForRequests(e, true)
	for _, s := range accepted[:min(len(accepted), mostNamed)] {
		for _, name := range []string{strings.Repeat("a", 63), strings.Repeat("a", 253), "a.b", "1", "a-1", "kube-a"} {
			object := object.Of("metadata", "name").Put(s.Object, name)
			all = append(all, explore.Input{Object: object})
		}
		for _, without := range []string{"labels", "annotations"} {
			object := object.Of("metadata", without).Delete(s.Object)
			all = append(all, explore.Input{Object: object})
		}
	}
	return all
}

// mostNamed bounds the objects that get other names.
const mostNamed = 3

// policyRule returns the validation of a hypothesis about requests.
func policyRule(r *evidence.Requests, h *search.Hypothesis) *Rule {
	made := proposal.RuleOf(h)
	rule := made.Validation
	out := &Rule{
		Operations: []string{"CREATE", "UPDATE"},
		Expression: celexpr.String(ofRequest(r, made.Tree)),
		Message:    rule.Message,
		sites:      []*evidence.Site{h.Subject.Facts.Site},
	}
	if r.Deletes {
		out.Operations = []string{"DELETE"}
	}
	if rule.Reason != nil && *rule.Reason == "FieldValueForbidden" {
		out.Reason = "Forbidden"
	}
	return out
}

// add adds a validation, or its site to one that says the same.
func (p *Policies) add(rule *Rule) {
	for _, known := range p.Rules {
		if known.Expression == rule.Expression && slices.Equal(known.Operations, rule.Operations) {
			known.sites = append(known.sites, rule.sites...)
			return
		}
	}
	p.Rules = append(p.Rules, rule)
}
