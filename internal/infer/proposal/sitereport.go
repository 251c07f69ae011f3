package proposal

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/gomodule/read"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/search"
)

// Status says how far the errors of a site are proven to be those of the rules.
type Status string

const (
	// Proven: on all inputs, the rules report an error where the native validator does.
	Proven Status = "proven"
	// InPart: rules explain some errors, and an input still differs.
	InPart Status = "in part"
	// NotExpressed: no rule was found that agrees with the native validator.
	NotExpressed Status = "not expressed"
)

// Site is an error of the native validator that the schema lacks.
type Site struct {
	Field  string `json:"field"`
	Type   string `json:"type"`
	Detail string `json:"detail"`
	// Source is the place in the source that makes the error, "file:line"; empty: unknown.
	Source string `json:"source,omitempty"`
	// Operation is DELETE if only deletions have the error.
	Operation string `json:"operation,omitempty"`
	// Read is what the source of the native validator says about the errors.
	Read   []ReadSite `json:"read,omitempty"`
	Status Status     `json:"status"`
	Rules  []string   `json:"rules,omitempty"`
	// RefusedNear and AcceptedNear count the objects at both sides of the rules that the native
	// validator was asked about.
	RefusedNear  int `json:"refusedNear"`
	AcceptedNear int `json:"acceptedNear"`
	// Tried counts the hypotheses.
	Tried int `json:"tried"`
	// Told counts the changes of one literal, operator or operand of the rules that an object tells from them, and
	// Equivalent those that make no difference on all objects that were made. Survivors are those that fit as well, as
	// conditions of the error.
	Told       int `json:"told"`
	Equivalent int `json:"equivalent,omitempty"`
	// Decided counts the changes that differ only on objects with other errors, so that the source alone decides.
	Decided   int      `json:"decided,omitempty"`
	Survivors []string `json:"doubts,omitempty"`
	// Varied are the other fields that objects of the rules had other values of, without an effect on the error; nil: none were
	// varied.
	Varied *search.Varied `json:"varied,omitempty"`
	// OtherWords counts the inputs on which the rules report the error with another text or type.
	OtherWords int `json:"otherWords,omitempty"`
	// Differs is the smallest input that still differs. Without rules it is the smallest one that the
	// native validator refuses.
	Differs *evidence.Example `json:"differs,omitempty"`
	Why     string            `json:"why,omitempty"`
}

// Add adds what one explanation of the errors was tried with. written returns a mutant as the report shows it.
func (s *Site) Add(x *search.Explanation, written func(mutant string) string) {
	s.Tried += x.Tried
	refused, accepted := x.Neighbours()
	s.RefusedNear, s.AcceptedNear = s.RefusedNear+refused, s.AcceptedNear+accepted
	s.Told, s.Equivalent, s.Decided = s.Told+x.Told, s.Equivalent+x.Equivalent, s.Decided+x.Decided
	for _, d := range x.Survivors {
		s.Survivors = append(s.Survivors, written(d.Mutant))
	}
	for _, h := range x.Chosen {
		s.Varied = s.Varied.And(x.Subject.Varied[h.Expr()])
	}
}

// ReadSite is a condition in the source of the native validator.
type ReadSite struct {
	Source string `json:"source"`
	// Refuses is true where the error is made, as far as it was read. Unread are the parts that were not.
	Refuses string   `json:"refuses"`
	Unread  []string `json:"unread,omitempty"`
	// Class is not empty if no rule about an object can say the condition, for this reason.
	Class read.Class `json:"class,omitempty"`
	// Outcome says what the answers of the native validator say about it; empty: it was not tried.
	Outcome string `json:"outcome,omitempty"`
	// Accepted is an object for which it is true although the native validator accepts it.
	Accepted *evidence.Example `json:"accepted,omitempty"`
}

// ReadSite returns a reading as reports have it.
func (pr *Prover) ReadSite(r *evidence.Reading) ReadSite {
	outcome := pr.Finder.Readings[r]
	one := ReadSite{Source: r.Source(), Refuses: celexpr.String(r.Condition), Outcome: outcome.Text}
	if outcome.Accepted != nil {
		one.Accepted = evidence.ExampleOf(outcome.Accepted.Input)
	}
	if part, is := r.NotExpressible(); is {
		one.Class = part.Class
	}
	for _, unread := range r.Unread {
		one.Unread = append(one.Unread, fmt.Sprintf("%s:%d: %s", unread.Pos.Filename, unread.Pos.Line, unread.Why))
	}
	return one
}

// SiteReport says how far the errors of a site are proven to be those of rules.
func (pr *Prover) SiteReport(of *evidence.Site, p *Proposal, proof *Proof) Site {
	s := Site{
		Field:      of.Key.Place,
		Type:       string(of.Key.Typ),
		Detail:     of.First.Detail,
		Source:     of.Key.Source,
		Status:     NotExpressed,
		OtherWords: proof.OtherWords[of.Key],
	}
	for _, r := range pr.Evidence.ReadingsOf(of) {
		s.Read = append(s.Read, pr.ReadSite(r))
	}
	found := pr.Finder.Explained[of]
	if len(found) == 0 {
		s.Why = "the time was over before an explanation was found"
		switch {
		case pr.Evidence.NeedsRequest(of):
			s.Why = "the source says that it depends on metadata or the sender, which a definition does not read"
		case of.Spent:
			s.Why = "the work for one error was spent before an explanation was found"
		}
		s.Differs = evidence.ExampleOf(of.Example)
		return s
	}
	for _, x := range found {
		s.Add(x, func(mutant string) string { return mutant })
	}
	x := found[len(found)-1]
	for _, rule := range slices.Concat(p.Rules, p.Unproven) {
		if slices.Contains(rule.Sites, of) {
			s.Rules = append(s.Rules, cmp.Or(rule.Policy, rule.String()))
		}
	}
	lacking := proof.Missing[of.Key]
	switch {
	case len(s.Rules) == 0 && pr.RefutedAt(of) != nil:
		refuted := pr.RefutedAt(of)
		s.Differs, s.Why = refuted.Accepted, fmt.Sprintf("%s fits what it was made from, but refuses an object that %s accepts",
			refuted.Rule, pr.Evidence.Native())
	case len(s.Rules) == 0 && len(x.Chosen) > 0:
		s.Differs, s.Why = evidence.ExampleOf(of.Example), "the time was over before its rules were compared with "+
			pr.Evidence.Native()
	case len(s.Rules) == 0:
		s.Differs, s.Why = evidence.ExampleOf(of.Example), x.Why()
	case lacking != nil:
		s.Status, s.Differs = InPart, evidence.ExampleOf(lacking.Smallest)
		s.Why = fmt.Sprintf("the rules do not report %d of the errors", lacking.count)
	case !proof.Complete:
		s.Status, s.Why = InPart, "the time was over before the rules were compared with "+pr.Evidence.Native()
	case s.Weakness(of, found) != "":
		s.Status, s.Why = InPart, s.Weakness(of, found)
		if beside := search.SmallestHidden(found); beside != nil {
			s.Differs = evidence.ExampleOf(beside.Input)
		}
	case slices.ContainsFunc(p.Unproven, func(rule *Rule) bool { return slices.Contains(rule.Sites, of) }):
		s.Status, s.Why = InPart, "a rule of it also has another error, which is not proven"
	default:
		s.Status = Proven
	}
	for _, refused := range p.Refused {
		if slices.Contains(refused.Rule.Sites, of) {
			s.Why = fmt.Sprintf("the API server would not store %s: %s", refused.Rule, refused.Why)
			s.Status = cmp.Or(map[bool]Status{true: InPart}[len(s.Rules) > 0], NotExpressed)
		}
	}
	return s
}

// Weakness says why the explanations of a site are no proof although nothing contradicts them; empty: they are one.
func (s *Site) Weakness(of *evidence.Site, found []*search.Explanation) string {
	switch {
	case s.RefusedNear == 0 || s.AcceptedNear == 0:
		return "no object beside the boundary could be made"
	case of.Spent:
		return "the work for one error was spent before objects told the rules from their mutants"
	case slices.ContainsFunc(found, func(x *search.Explanation) bool { return x.Unfinished }):
		return "the time was over before objects told the rules from their mutants"
	case slices.ContainsFunc(found, (*search.Explanation).IsUnvaried):
		return "no object with another value in a field beside it was asked about"
	case s.Varied != nil && s.Varied.Left > 0:
		return "there are too many fields to ask about other values of each"
	case slices.ContainsFunc(found, (*search.Explanation).HasTooFewExamples):
		return "too few refused objects show the rules: any of their conditions may fit by chance"
	case search.OverfitReasonOf(found) != "":
		return search.OverfitReasonOf(found)
	case len(s.Survivors) > 0 && search.SmallestHidden(found) != nil:
		return search.SurvivorsText(s.Survivors) + "; an object on which they differ has another error"
	case len(s.Survivors) > 0:
		return search.SurvivorsText(s.Survivors)
	case s.Told == 0:
		return "no object tells the rules from the same rules with one change"
	}
	return ""
}

// PanicReport returns the site of a panic for people.
func PanicReport(p *evidence.PanicSite) Site {
	return Site{
		Type: string(p.Err.Type), Detail: p.Err.Detail, Source: fielderror.PanicPlace(p.Err), Status: NotExpressed,
		Differs: evidence.ExampleOf(p.Smallest),
		Why:     "the validator panicked, which refuses the object and is no rule: mend it, and infer again",
	}
}
