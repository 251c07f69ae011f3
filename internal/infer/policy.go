package infer

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/rules"
)

// PolicyRule is a validation of a ValidatingAdmissionPolicy that is proposed: a definition cannot say it, because it is about
// labels, the user, or a deletion.
type PolicyRule struct {
	Operations []string `json:"operations"`
	Expression string   `json:"expression"`
	Message    string   `json:"message,omitempty"`
	Reason     string   `json:"reason,omitempty"`

	sites []*evidence.Site
}

// String returns the validation on one line.
func (r *PolicyRule) String() string {
	return "policy, " + strings.Join(r.Operations, " and ") + ": " + r.Expression
}

// Bounds of the requests that are made of the evidence.
const (
	mostWrites    = 60 // accepted ones
	mostRefusals  = 60
	mostDeletions = 30
)

// policies are the validations of policies, and what is known about the requests that they are from.
type policies struct {
	rules []*PolicyRule
	data  []byte
	// parts are the inferences of writes and of deletions, with their proofs.
	parts []*policyPart
	// refuted are validations of sites that refuse what the native validator accepts, and are not proposed.
	refuted map[*evidence.Site]string
}

type policyPart struct {
	*inference
	proof *proof
	asked []explore.Input
}

// inferPolicies infers the rules of errors that the definition still lacks with its rules. The end of timed, which is a part
// of ctx, is that of the time.
func (i *inference) inferPolicies(ctx, timed context.Context, p *proposal) (*policies, error) {
	found := &policies{refuted: map[*evidence.Site]string{}}
	if i.evidence.Target.Policies == nil || i.evidence.Target.Like.Subresource != "" {
		return found, nil
	}
	for _, deletes := range []bool{false, true} {
		part, err := i.policyPart(p, deletes)
		if err != nil {
			return nil, err
		}
		found.parts = append(found.parts, part)
		if err := part.askRequests(timed, i); i.stopped(ctx, err) {
			return nil, err
		}
		if !deletes {
			found.addOverCost(i, p, part)
		}
		if err := part.explainAll(timed, func(of *evidence.Site) bool { return part.explained[of] == nil && part.asksOfOthers(of) == "" }); i.stopped(ctx, err) {
			return nil, err
		}
		for _, of := range part.evidence.Sites {
			for _, x := range part.explained[of] {
				if x.subject.facts.Evidence.Requests == nil {
					continue // of the definition
				}
				for _, h := range x.chosen {
					found.add(part.policyRule(h))
				}
			}
		}
	}
	return found, found.keepProven(ctx, timed, i, p)
}

// policyPart returns the inference of writes, or of deletions, beside a definition with rules.
func (i *inference) policyPart(p *proposal, deletes bool) (*policyPart, error) {
	document, err := i.documentOf(p)
	if err != nil {
		return nil, err
	}
	today, err := i.validatorOf(p)
	if err != nil {
		return nil, err
	}
	target := *i.evidence.Target
	if target.Harness, err = i.harnessOf(document); err != nil {
		return nil, err
	}
	of := &evidence.Requests{Objects: i.evidence, Today: today, Deletes: deletes}
	if d := i.definition; d != nil && d.CRD != nil {
		of.Namespaced = d.CRD.Spec.Scope == apiextensionsv1.NamespaceScoped
	}
	target.Document.Root = of.Schema(i.evidence.Target.Document.Root, i.evidence.Samples)
	part := &inference{universes: map[string]*universe{}, forms: map[string]string{}, explained: map[*evidence.Site][]*explanation{}, types: target.Document, strict: evidence.NewStrictErrors(), saved: time.Now()}
	options := *i.evidence.Options
	options.SavedRun = ""
	part.evidence = evidence.NewEvidence(&target, i.scheme, of.Refuses(), &options)
	part.evidence.Requests = of
	return &policyPart{inference: part}, nil
}

// askRequests asks about requests.
func (part *policyPart) askRequests(ctx context.Context, i *inference) error {
	var inputs []explore.Input
	for _, s := range i.forRequests(part.evidence.Requests.Deletes) {
		for n, u := range evidence.Users(nil) {
			if n == 0 || s.Accepted && s.Size < largeObject {
				inputs = append(inputs, explore.Input{Object: part.evidence.Requests.Document(s.Input, u)})
			}
		}
	}
	if _, err := part.evidence.Ask(ctx, inputs); err != nil {
		return err
	}
	if err := part.findRights(ctx, i); err != nil {
		return err
	}
	if !part.evidence.Requests.Deletes {
		for _, in := range i.named() {
			inputs = append(inputs, explore.Input{Object: part.evidence.Requests.Document(in, evidence.Users(nil)[0])})
		}
		if _, err := part.evidence.Ask(ctx, inputs); err != nil {
			return err
		}
	}
	mentioned := usersIn(part.evidence.Sites)
	var more []explore.Input
	for n, u := range evidence.Users(mentioned) {
		for _, in := range inputs[:min(len(inputs), mostDeletions)] {
			if n > 2 {
				objects, _, _ := part.evidence.Requests.Read(in.Object)
				more = append(more, explore.Input{Object: part.evidence.Requests.Document(objects, u)})
			}
		}
	}
	part.asked = slices.Concat(inputs, more)
	_, err := part.evidence.Ask(ctx, more)
	return err
}

// largeObject is the size of objects that are asked about for one user only.
const largeObject = 4_000

// forRequests returns the samples that requests are made of: small ones that the native validator accepts and, for writes,
// refuses for reasons that the definition lacks.
func (i *inference) forRequests(deletes bool) []*evidence.Sample {
	var accepted, refused []*evidence.Sample
	for _, s := range i.evidence.Samples {
		switch {
		case s.Masked || deletes && s.Old != nil:
		case s.Accepted:
			accepted = append(accepted, s)
		case !deletes && slices.ContainsFunc(s.Reported, func(r evidence.Reported) bool { return r.Missing }):
			refused = append(refused, s)
		}
	}
	bySize := func(a, b *evidence.Sample) int { return a.Size - b.Size }
	slices.SortStableFunc(accepted, bySize)
	slices.SortStableFunc(refused, bySize)
	if deletes {
		return spread(accepted, mostDeletions)
	}
	return slices.Concat(spread(accepted, mostWrites), spread(refused, mostRefusals))
}

// named returns small accepted objects with other names, and without labels and annotations.
func (i *inference) named() (all []explore.Input) {
	accepted := i.forRequests(true)
	for _, s := range accepted[:min(len(accepted), mostNamed)] {
		for _, name := range []string{strings.Repeat("a", 63), strings.Repeat("a", 253), "a.b", "1", "a-1", "kube-a"} {
			object, _ := evidence.Steps{"metadata", "name"}.Set(s.Object, name).(map[string]any)
			all = append(all, explore.Input{Object: object})
		}
		for _, without := range []string{"labels", "annotations"} {
			object, _ := evidence.Steps{"metadata", without}.Set(s.Object, evidence.Absence{}).(map[string]any)
			all = append(all, explore.Input{Object: object})
		}
	}
	return all
}

// mostNamed bounds the objects that get other names.
const mostNamed = 3

var userPattern = regexp.MustCompile(`\bsystem:[a-z0-9:.-]*[a-z0-9]`)

// usersIn returns the users and groups that the texts of errors name.
func usersIn(sites []*evidence.Site) (all []string) {
	for _, of := range sites {
		for _, name := range append(userPattern.FindAllString(of.First.Detail, -1), evidence.QuotedIn(of.First.Detail)...) {
			if !slices.Contains(all, name) && len(all) < rules.MostMembers {
				all = append(all, name)
			}
		}
	}
	return all
}

// policyRule returns the validation of a hypothesis about requests.
func (i *inference) policyRule(h *hypothesis) *PolicyRule {
	rule := h.rule().Validation
	out := &PolicyRule{Operations: []string{"CREATE", "UPDATE"}, Expression: expression(i.evidence.Requests, rule.Rule), Message: rule.Message, sites: []*evidence.Site{h.subject.facts.Site}}
	if i.evidence.Requests.Deletes {
		out.Operations = []string{"DELETE"}
	}
	if rule.Reason != nil && *rule.Reason == "FieldValueForbidden" {
		out.Reason = "Forbidden"
	}
	return out
}

// add adds a validation, or its site to one that says the same.
func (p *policies) add(rule *PolicyRule) {
	for _, known := range p.rules {
		if known.Expression == rule.Expression && slices.Equal(known.Operations, rule.Operations) {
			known.sites = append(known.sites, rule.sites...)
			return
		}
	}
	p.rules = append(p.rules, rule)
}
