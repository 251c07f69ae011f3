package infer

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// addPolicies adds the errors that only policies can say, with their validations.
func (r *Report) addPolicies(p *policies) {
	r.Policies, r.policy = p.rules, p.data
	if len(p.rules) > 0 {
		r.Admits = 0 // the policies were compared with the definition
	}
	for _, part := range p.parts {
		for _, of := range slices.SortedStableFunc(slices.Values(part.evidence.Sites), (*evidence.Site).Compare) {
			s := part.siteReport(of, p)
			if s.Status == Proven || part.evidence.Requests.Deletes || !r.has(s) {
				r.Sites = append(r.Sites, s)
			}
		}
		for _, of := range part.evidence.Panics {
			s := panicReport(of)
			objects, _, _ := part.evidence.Requests.Read(of.Smallest.Object)
			if s.Differs = evidence.ExampleOf(objects); part.evidence.Requests.Deletes {
				s.Operation = "DELETE"
			}
			if !r.has(s) {
				r.Sites = append(r.Sites, s)
			}
		}
		if part.proof != nil {
			r.Compared, r.Admits, r.Refuses = r.Compared+part.proof.inputs, r.Admits+part.proof.admits, r.Refuses+part.proof.refuses
		}
	}
}

// has reports whether the report has the error of a site already.
func (r *Report) has(s Site) bool {
	return slices.ContainsFunc(r.Sites, func(known Site) bool {
		return known.Type == s.Type && (known.Source != "" && known.Source == s.Source || known.Detail == s.Detail)
	})
}

// siteReport says how far the errors of a site are proven to be those of policies.
func (part *policyPart) siteReport(of *evidence.Site, p *policies) Site {
	s := Site{Field: strings.TrimPrefix(strings.TrimPrefix(of.Key.Place, part.evidence.Requests.SubjectField()), "."), Type: string(of.Key.Typ), Detail: of.First.Detail, Source: of.Key.Source, Status: NotExpressed}
	objects, _, _ := part.evidence.Requests.Read(of.Example.Object)
	s.Differs = evidence.ExampleOf(objects)
	if part.evidence.Requests.Deletes {
		s.Operation = "DELETE"
	}
	for _, rule := range p.rules {
		if slices.Contains(rule.sites, of) {
			s.Rules = append(s.Rules, rule.String())
		}
	}
	found := part.explained[of]
	for _, x := range found {
		s.add(x, func(mutant string) string { return expression(part.evidence.Requests, mutant) })
	}
	switch others := part.asksOfOthers(of); {
	case others != "":
		s.Why = others
	case len(found) == 0:
		s.Why = "the time was over before an explanation was found"
	case len(s.Rules) == 0 && p.refuted[of] != "":
		s.Why = p.refuted[of] + " fits what it was made from, but refuses an object that the native validator accepts"
	case len(s.Rules) == 0:
		s.Why = found[len(found)-1].why() + part.whyRights(of)
	case part.proof == nil || !part.proof.complete:
		s.Status, s.Why = InPart, "the time was over before the policies were compared with the native validator"
	case part.proof.missing[of.Key] != nil:
		s.Status, s.Why = InPart, "the policies do not report some of the errors"
		objects, _, _ := part.evidence.Requests.Read(part.proof.missing[of.Key].smallest.Object)
		s.Differs = evidence.ExampleOf(objects)
	case s.weakness(of, found) != "":
		s.Status, s.Why = InPart, s.weakness(of, found)
	default:
		s.Status, s.Differs = Proven, nil
	}
	return s
}

// whyRights says which right of the user the native validator asked for before it reported an error of a site.
func (part *policyPart) whyRights(of *evidence.Site) string {
	for review := range part.reviewsOf(of) {
		return "; the native validator asked whether the user may " + rightText(review)
	}
	return ""
}

// rightText returns the verb and the resource of a question, with the name if it is about one.
func rightText(review harness.AccessReview) string {
	text := review.Verb + " " + review.Resource
	if review.Subresource != "" {
		text += "/" + review.Subresource
	}
	if review.Name != "" {
		text += fmt.Sprintf(" %q", review.Name)
	}
	return text
}

// asksOfOthers says why a policy cannot report the errors of a site: they depend on the rights of a user who did not send the
// request; empty: they do not.
func (part *policyPart) asksOfOthers(of *evidence.Site) string {
	for review, user := range part.reviewsOf(of) {
		if review.User.Name != user {
			return fmt.Sprintf("the native validator asked whether %q may %s; this user did not send the request, and a policy can only ask for the rights of the sender", review.User.Name, rightText(review))
		}
	}
	return ""
}

// reviewsOf yields the rights that the native validator asked for before it reported an error of a site, with the names of the
// senders.
func (part *policyPart) reviewsOf(of *evidence.Site) iter.Seq2[harness.AccessReview, string] {
	return func(yield func(harness.AccessReview, string) bool) {
		for _, s := range part.evidence.Samples {
			if !slices.ContainsFunc(s.Reported, func(r evidence.Reported) bool { return r.Site == of.Key }) {
				continue
			}
			_, u, _ := part.evidence.Requests.Read(s.Object)
			for _, review := range s.Reviews {
				if !yield(review, u.Name) {
					return
				}
			}
		}
	}
}

// proven reports whether policies say what the definition cannot: the errors of a site of the definition.
func (p *policies) proven(of *evidence.Site) bool {
	for _, part := range p.parts {
		for _, other := range part.evidence.Sites {
			said := other.Key.Typ == of.Key.Typ && (of.Key.Source != "" && other.Key.Source == of.Key.Source || other.First.Detail == of.First.Detail)
			if said && !part.evidence.Requests.Deletes && part.siteReport(other, p).Status == Proven {
				return true
			}
		}
	}
	return false
}
