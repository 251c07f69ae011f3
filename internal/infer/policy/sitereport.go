package policy

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/proposal"
)

// SiteReport says how far the errors of a site are proven to be those of policies.
func (part *Part) SiteReport(of *evidence.Site, p *Policies) proposal.Site {
	s := proposal.Site{
		Field:  strings.TrimPrefix(strings.TrimPrefix(of.Key.Place, part.Evidence.Requests.SubjectField()), "."),
		Type:   string(of.Key.Typ),
		Detail: of.First.Detail,
		Source: of.Key.Source,
		Status: proposal.NotExpressed,
	}
	objects, _, _ := part.Evidence.Requests.Read(of.Example.Object)
	s.Differs = evidence.ExampleOf(objects)
	if part.Evidence.Requests.Deletes {
		s.Operation = "DELETE"
	}
	for _, rule := range p.Rules {
		if slices.Contains(rule.sites, of) {
			s.Rules = append(s.Rules, rule.String())
		}
	}
	found := part.finder.Explained[of]
	for _, x := range found {
		s.Add(x, func(mutant string) string {
			return celexpr.String(ofRequest(part.Evidence.Requests, celexpr.Parse(mutant)))
		})
	}
	switch others := part.asksOfOthers(of); {
	case others != "":
		s.Why = others
	case len(found) == 0:
		s.Why = "the time was over before an explanation was found"
	case len(s.Rules) == 0 && p.refuted[of] != "":
		s.Why = p.refuted[of] + " fits what it was made from, but refuses an object that " + part.Evidence.Native() + " accepts"
	case len(s.Rules) == 0:
		s.Why = found[len(found)-1].Why() + part.whyRights(of)
	case part.Proof == nil || !part.Proof.Complete:
		s.Status, s.Why = proposal.InPart, "the time was over before the policies were compared with "+part.Evidence.Native()
	case part.Proof.Missing[of.Key] != nil:
		s.Status, s.Why = proposal.InPart, "the policies do not report some of the errors"
		objects, _, _ := part.Evidence.Requests.Read(part.Proof.Missing[of.Key].Smallest.Object)
		s.Differs = evidence.ExampleOf(objects)
	case s.Weakness(of, found) != "":
		s.Status, s.Why = proposal.InPart, s.Weakness(of, found)
	default:
		s.Status, s.Differs = proposal.Proven, nil
	}
	return s
}

// whyRights says which right of the user the native validator asked for before it reported an error of a site.
func (part *Part) whyRights(of *evidence.Site) string {
	for review := range part.reviewsOf(of) {
		return "; " + part.Evidence.Native() + " asked whether the user may " + rightText(review)
	}
	return ""
}

// rightText returns the verb and the resource of a question, with the name if it is about one.
func rightText(review contract.AccessReview) string {
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
func (part *Part) asksOfOthers(of *evidence.Site) string {
	for review, user := range part.reviewsOf(of) {
		if review.User.Name != user {
			return fmt.Sprintf("%s asked whether %q may %s; this user did not send the request, and a policy "+
				"can only ask for the rights of the sender", part.Evidence.Native(), review.User.Name, rightText(review))
		}
	}
	return ""
}

// reviewsOf yields the rights that the native validator asked for before it reported an error of a site, with the names of the
// senders.
func (part *Part) reviewsOf(of *evidence.Site) iter.Seq2[contract.AccessReview, string] {
	return func(yield func(contract.AccessReview, string) bool) {
		for _, s := range part.Evidence.Samples {
			if !slices.ContainsFunc(s.Reported, func(r evidence.Reported) bool { return r.Site == of.Key }) {
				continue
			}
			_, u, _ := part.Evidence.Requests.Read(s.Object)
			for _, review := range s.Reviews {
				if !yield(review, u.Name) {
					return
				}
			}
		}
	}
}

// Proven reports whether policies say what the definition cannot: the errors of a site of the definition.
func (p *Policies) Proven(of *evidence.Site) bool {
	for _, part := range p.Parts {
		for _, other := range part.Evidence.Sites {
			said := other.Key.Typ == of.Key.Typ && (of.Key.Source != "" && other.Key.Source == of.Key.Source ||
				other.First.Detail == of.First.Detail)
			if said && !part.Evidence.Requests.Deletes && part.SiteReport(other, p).Status == proposal.Proven {
				return true
			}
		}
	}
	return false
}
