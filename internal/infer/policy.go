package infer

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/diffrun/diffrun/internal/explore"
)

// PolicyRule is a validation of a ValidatingAdmissionPolicy that is proposed: a definition cannot say it, because it is about
// labels, the user, or a deletion.
type PolicyRule struct {
	Operations []string `json:"operations"`
	Expression string   `json:"expression"`
	Message    string   `json:"message,omitempty"`
	Reason     string   `json:"reason,omitempty"`

	sites []*site
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
	refuted map[*site]string
}

type policyPart struct {
	*inference
	proof *proof
	asked []explore.Input
}

// inferPolicies infers the rules of errors that the definition still lacks with its rules. The end of timed, which is a part
// of ctx, is that of the time.
func (i *inference) inferPolicies(ctx, timed context.Context, p *proposal) (*policies, error) {
	found := &policies{refuted: map[*site]string{}}
	if i.target.Policies == nil || i.target.Like.Subresource != "" {
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
		if err := part.explainAll(timed, func(of *site) bool { return part.explained[of] == nil && part.asksOfOthers(of) == "" }); i.stopped(ctx, err) {
			return nil, err
		}
		for _, of := range part.sites {
			for _, x := range part.explained[of] {
				if x.subject.requests == nil {
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
	target := *i.target
	if target.Harness, err = i.harnessOf(document); err != nil {
		return nil, err
	}
	of := &requests{objects: i.evidence, today: today, deletes: deletes}
	if d := i.definition; d != nil && d.CRD != nil {
		of.namespaced = d.CRD.Spec.Scope == apiextensionsv1.NamespaceScoped
	}
	target.Document.Root = of.schema(i.target.Document.Root, i.samples)
	part := &inference{universes: map[string]*universe{}, forms: map[string]string{}, explained: map[*site][]*explanation{}, types: target.Document, strict: newStrictErrors(), saved: time.Now()}
	options := *i.options
	options.SavedRun = ""
	part.evidence = newEvidence(&target, i.scheme, of.refuses(), &options)
	part.requests = of
	return &policyPart{inference: part}, nil
}

// askRequests asks about requests.
func (part *policyPart) askRequests(ctx context.Context, i *inference) error {
	var inputs []explore.Input
	for _, s := range i.forRequests(part.requests.deletes) {
		for n, u := range users(nil) {
			if n == 0 || s.accepted && s.size < largeObject {
				inputs = append(inputs, explore.Input{Object: part.requests.document(s.Input, u)})
			}
		}
	}
	if _, err := part.ask(ctx, inputs); err != nil {
		return err
	}
	if err := part.findRights(ctx, i); err != nil {
		return err
	}
	if !part.requests.deletes {
		for _, in := range i.named() {
			inputs = append(inputs, explore.Input{Object: part.requests.document(in, users(nil)[0])})
		}
		if _, err := part.ask(ctx, inputs); err != nil {
			return err
		}
	}
	mentioned := usersIn(part.sites)
	var more []explore.Input
	for n, u := range users(mentioned) {
		for _, in := range inputs[:min(len(inputs), mostDeletions)] {
			if n > 2 {
				objects, _, _ := part.requests.read(in.Object)
				more = append(more, explore.Input{Object: part.requests.document(objects, u)})
			}
		}
	}
	part.asked = slices.Concat(inputs, more)
	_, err := part.ask(ctx, more)
	return err
}

// largeObject is the size of objects that are asked about for one user only.
const largeObject = 4_000

// forRequests returns the samples that requests are made of: small ones that the native validator accepts and, for writes,
// refuses for reasons that the definition lacks.
func (i *inference) forRequests(deletes bool) []*sample {
	var accepted, refused []*sample
	for _, s := range i.samples {
		switch {
		case s.masked || deletes && s.Old != nil:
		case s.accepted:
			accepted = append(accepted, s)
		case !deletes && slices.ContainsFunc(s.reported, func(r reported) bool { return r.missing }):
			refused = append(refused, s)
		}
	}
	bySize := func(a, b *sample) int { return a.size - b.size }
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
			object, _ := steps{"metadata", "name"}.set(s.Object, name).(map[string]any)
			all = append(all, explore.Input{Object: object})
		}
		for _, without := range []string{"labels", "annotations"} {
			object, _ := steps{"metadata", without}.set(s.Object, absence{}).(map[string]any)
			all = append(all, explore.Input{Object: object})
		}
	}
	return all
}

// mostNamed bounds the objects that get other names.
const mostNamed = 3

var userPattern = regexp.MustCompile(`\bsystem:[a-z0-9:.-]*[a-z0-9]`)

// usersIn returns the users and groups that the texts of errors name.
func usersIn(sites []*site) (all []string) {
	for _, of := range sites {
		for _, name := range append(userPattern.FindAllString(of.first.Detail, -1), quotedIn(of.first.Detail)...) {
			if !slices.Contains(all, name) && len(all) < mostMembers {
				all = append(all, name)
			}
		}
	}
	return all
}

// policyRule returns the validation of a hypothesis about requests.
func (i *inference) policyRule(h *hypothesis) *PolicyRule {
	rule := h.rule().Validation
	out := &PolicyRule{Operations: []string{"CREATE", "UPDATE"}, Expression: i.requests.expression(rule.Rule), Message: rule.Message, sites: []*site{h.subject.site}}
	if i.requests.deletes {
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
