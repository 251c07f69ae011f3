package infer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/text/plaintext"
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

// Report is the result of Run.
type Report struct {
	Target string `json:"target"`
	Seed   uint64 `json:"seed"`
	// Complete is false if the time was over before everything was tried.
	Complete bool `json:"complete"`
	// Explored counts the inputs of the exploration that looked for errors, Asked those that told
	// hypotheses apart, and Compared those of the proof, Known of which the rules were made from.
	Explored int `json:"explored"`
	Asked    int `json:"asked"`
	// Resumed counts the inputs that an earlier run left.
	Resumed  int `json:"resumed,omitempty"`
	Compared int `json:"compared"`
	// Answers count what the native validator accepted and refused before there was a proposal.
	Answers []evidence.Answers `json:"answers"`
	// Planned is how many changes of single fields were left when the exploration ended.
	Planned int `json:"planned,omitempty"`
	Known   int `json:"known"`
	Admits  int `json:"admits"`
	Refuses int `json:"refuses"`
	// Masked counts the errors that only objects have which the schema refuses for other reasons. They are not in Sites.
	Masked int `json:"masked,omitempty"`
	// Undecoded counts the errors of the decoder of the native validator: values of a wrong type. They are not in Sites.
	Undecoded int `json:"undecoded,omitempty"`
	// Faults are the inputs that got no verdict; nil: all did.
	Faults *evidence.Faults `json:"faults,omitempty"`
	// Dropped is how many rules were refuted, and taken out, after the proposal was compared.
	Dropped int `json:"dropped,omitempty"`
	// RefusedByDropped counts the inputs that only the dropped rules refused, of those that the native validator accepts.
	RefusedByDropped int    `json:"forgiven,omitempty"`
	Sites            []Site `json:"sites"`
	// Cases are those of the suite, and deletions of accepted objects, with an error that the schema lacks.
	Cases []AdmittedCase `json:"cases,omitempty"`
	// Rules are those in the definition. Unproven are those of errors that are not proven, which are in no file but the report.
	Rules    []*Rule `json:"rules"`
	Unproven []*Rule `json:"unproven,omitempty"`
	// Policies are the validations of ValidatingAdmissionPolicies.
	Policies []*PolicyRule `json:"policies,omitempty"`
	Refused  []RefusedRule `json:"refused,omitempty"`
	Refuted  []RefutedRule `json:"refuted,omitempty"`
	// Strict are errors of the schema that the native validator lacks. Those with New come from the
	// proposed rules.
	Strict []Strict `json:"strict,omitempty"`
	// Files are the SHA-256 digests of the files beside this report. Write fills them in.
	Files map[string]string `json:"files,omitempty"`

	name    string // of the file with the definition
	data    []byte
	patch   []byte
	policy  []byte
	version *definitions.Version // with the rules
	samples []*evidence.Sample   // that the rules were made from
}

// Site is an error of the native validator that the schema lacks.
type Site struct {
	Field  string `json:"field"`
	Type   string `json:"type"`
	Detail string `json:"detail"`
	// Source is the place in the source that makes the error, "file:line"; empty: unknown.
	Source string `json:"source,omitempty"`
	// Operation is DELETE if only deletions have the error.
	Operation string   `json:"operation,omitempty"`
	Status    Status   `json:"status"`
	Rules     []string `json:"rules,omitempty"`
	// RefusedNear and AcceptedNear count the objects at both sides of the rules that the native
	// validator was asked about.
	RefusedNear  int `json:"refusedNear"`
	AcceptedNear int `json:"acceptedNear"`
	// Tried counts the hypotheses.
	Tried int `json:"tried"`
	// Told counts the changes of one literal, operator or operand of the rules that an object tells from them, and
	// Equivalent those that make no difference on all objects that were made. Survivors are those that fit as well, as
	// conditions of the error.
	Told       int      `json:"told"`
	Equivalent int      `json:"equivalent,omitempty"`
	Survivors  []string `json:"doubts,omitempty"`
	// Varied are the other fields that objects of the rules had other values of, without an effect on the error; nil: none were
	// varied.
	Varied *Varied `json:"varied,omitempty"`
	// OtherWords counts the inputs on which the rules report the error with another text or type.
	OtherWords int `json:"otherWords,omitempty"`
	// Differs is the smallest input that still differs. Without rules it is the smallest one that the
	// native validator refuses.
	Differs *evidence.Example `json:"differs,omitempty"`
	Why     string            `json:"why,omitempty"`
}

// Strict is an error of the schema on objects that the native validator accepts.
type Strict struct {
	Error    string            `json:"error"`
	New      bool              `json:"new"`
	Count    int               `json:"count"`
	Smallest *evidence.Example `json:"smallest"`
}

// report joins what was found.
func (i *inference) report(p *proposal, proof *proof, found *policies) (*Report, error) {
	r := &Report{
		Target: apiname.Target(i.evidence.Target.Version), Seed: i.evidence.Options.Seed, Complete: !i.timeOver, Explored: i.explored, Asked: i.evidence.Asked, Resumed: i.resumed, Undecoded: i.evidence.Undecoded, Faults: i.evidence.Faults,
		Unproven: p.unproven, Compared: proof.inputs, Known: proof.known, Admits: proof.admits, Refuses: proof.refuses, Dropped: proof.dropped, RefusedByDropped: proof.refusedByDropped, Rules: p.rules, Refused: p.refused, Refuted: i.refuted,
		name: definitionFile(i.evidence.Target), data: p.data, version: p.version, samples: i.evidence.Samples,
	}
	var err error
	if i.evidence.Target.GoPackage != "" {
		if r.data, err = i.overlay(p.rules); err != nil {
			return nil, err
		}
	} else if r.patch, err = p.patchJSON(); err != nil {
		return nil, err
	}
	for _, of := range slices.SortedStableFunc(slices.Values(i.evidence.Sites), (*evidence.Site).Compare) {
		if !of.Alone {
			r.Masked++
			continue
		}
		if !found.proven(of) {
			r.Sites = append(r.Sites, i.siteReport(of, p, proof))
		}
	}
	for _, of := range i.evidence.Panics {
		r.Sites = append(r.Sites, panicReport(of))
	}
	r.addPolicies(found)
	all := slices.Clone(i.evidence.Answers)
	for _, part := range found.parts {
		for _, one := range part.evidence.Answers {
			all.Add(one)
		}
	}
	r.Answers, r.Planned, r.Cases = all, i.planned, i.admittedCases()
	for _, of := range []*evidence.StrictErrors{proof.strict, i.strict} {
		for _, cause := range of.Order {
			one := of.ByCause[cause]
			r.Strict = append(r.Strict, Strict{Error: one.Text, New: of == proof.strict, Count: one.Count, Smallest: evidence.ExampleOf(one.Smallest)})
		}
	}
	return r, nil
}

// add adds what one explanation of the errors was tried with. written returns a mutant as the report shows it.
func (s *Site) add(x *explanation, written func(mutant string) string) {
	s.Tried += x.tried
	refused, accepted := x.neighbours()
	s.RefusedNear, s.AcceptedNear = s.RefusedNear+refused, s.AcceptedNear+accepted
	s.Told, s.Equivalent = s.Told+x.told, s.Equivalent+x.equivalent
	for _, d := range x.survivors {
		s.Survivors = append(s.Survivors, written(d.mutant))
	}
	for _, h := range x.chosen {
		s.Varied = s.Varied.and(x.subject.varied[h.expr()])
	}
}

func (i *inference) siteReport(of *evidence.Site, p *proposal, proof *proof) Site {
	s := Site{Field: of.Key.Place, Type: string(of.Key.Typ), Detail: of.First.Detail, Source: of.Key.Source, Status: NotExpressed, OtherWords: proof.otherWords[of.Key]}
	found := i.explained[of]
	if len(found) == 0 {
		s.Why = "the time was over before an explanation was found"
		if of.Spent {
			s.Why = "the work for one error was spent before an explanation was found"
		}
		s.Differs = evidence.ExampleOf(of.Example)
		return s
	}
	for _, x := range found {
		s.add(x, func(mutant string) string { return mutant })
	}
	x := found[len(found)-1]
	for _, rule := range slices.Concat(p.rules, p.unproven) {
		if slices.Contains(rule.sites, of) {
			s.Rules = append(s.Rules, rule.String())
		}
	}
	lacking := proof.missing[of.Key]
	switch {
	case len(s.Rules) == 0 && i.refutedAt(of) != nil:
		refuted := i.refutedAt(of)
		s.Differs, s.Why = refuted.Accepted, fmt.Sprintf("%s fits what it was made from, but refuses an object that the native validator accepts", refuted.Rule)
	case len(s.Rules) == 0 && len(x.chosen) > 0:
		s.Differs, s.Why = evidence.ExampleOf(of.Example), "the time was over before its rules were compared with the native validator"
	case len(s.Rules) == 0:
		s.Differs, s.Why = evidence.ExampleOf(of.Example), x.why()
	case lacking != nil:
		s.Status, s.Differs = InPart, evidence.ExampleOf(lacking.smallest)
		s.Why = fmt.Sprintf("the rules do not report %d of the errors", lacking.count)
	case !proof.complete:
		s.Status, s.Why = InPart, "the time was over before the rules were compared with the native validator"
	case s.weakness(of, found) != "":
		s.Status, s.Why = InPart, s.weakness(of, found)
		if beside := smallestHidden(found); beside != nil {
			s.Differs = evidence.ExampleOf(beside.Input)
		}
	case slices.ContainsFunc(p.unproven, func(rule *Rule) bool { return slices.Contains(rule.sites, of) }):
		s.Status, s.Why = InPart, "a rule of it also has another error, which is not proven"
	default:
		s.Status = Proven
	}
	for _, refused := range p.refused {
		if slices.Contains(refused.Rule.sites, of) {
			s.Why = fmt.Sprintf("the API server would not store %s: %s", refused.Rule, refused.Why)
			s.Status = cmp.Or(map[bool]Status{true: InPart}[len(s.Rules) > 0], NotExpressed)
		}
	}
	return s
}

// weakness says why the explanations of a site are no proof although nothing contradicts them; empty: they are one.
func (s *Site) weakness(of *evidence.Site, found []*explanation) string {
	switch {
	case s.RefusedNear == 0 || s.AcceptedNear == 0:
		return "no object beside the boundary could be made"
	case of.Spent:
		return "the work for one error was spent before objects told the rules from their mutants"
	case slices.ContainsFunc(found, func(x *explanation) bool { return x.unfinished }):
		return "the time was over before objects told the rules from their mutants"
	case slices.ContainsFunc(found, (*explanation).isUnvaried):
		return "the native validator was asked about no object with another value in a field beside it"
	case s.Varied != nil && s.Varied.Left > 0:
		return "there are too many fields to ask about other values of each"
	case slices.ContainsFunc(found, (*explanation).hasTooFewExamples):
		return "too few refused objects show the rules: any of their conditions may fit by chance"
	case overfitReasonOf(found) != "":
		return overfitReasonOf(found)
	case len(s.Survivors) > 0 && smallestHidden(found) != nil:
		return survivorsText(s.Survivors) + "; an object on which they differ has another error"
	case len(s.Survivors) > 0:
		return survivorsText(s.Survivors)
	case s.Told == 0:
		return "no object tells the rules from the same rules with one change"
	}
	return ""
}

// neighbours counts the refused and the accepted rows.
func (x *explanation) neighbours() (refused, accepted int) {
	return x.labels.refused.count(), x.labels.accepted.count()
}

// why says what was tried without success.
func (x *explanation) why() string {
	at := x.subject.facts.Scope.String()
	if x.labels.accepted.empty() {
		if at != "" {
			at = " with " + at
		}
		return fmt.Sprintf("no object%s was found that both accept; add one to the cases", at)
	}
	at = cmp.Or(at, "the object")
	return fmt.Sprintf("no condition on the values of %s agrees with the native validator; it may depend on other objects, the time or a parser", at)
}

// Count returns the number of sites with a status.
func (r *Report) Count(status Status) int {
	n := 0
	for _, s := range r.Sites {
		if s.Status == status {
			n++
		}
	}
	return n
}

// Markers returns the rules as markers of Go types, by the field that they belong to.
func (r *Report) Markers() string {
	var out strings.Builder
	for _, rule := range r.Rules {
		at := rule.at
		if rule.Required != "" {
			at = at.Below(rule.Required)
		}
		fmt.Fprintf(&out, "// %s\n", cmp.Or(at.String(), "the type of the kind"))
		for _, marker := range rule.Markers {
			fmt.Fprintf(&out, "// %s\n", marker)
		}
		out.WriteString("\n")
	}
	return out.String()
}

// Definition returns the text of the file with the definition and the rules.
func (r *Report) Definition() []byte { return r.data }

// panicReport returns the site of a panic for people.
func panicReport(p *evidence.PanicSite) Site {
	return Site{
		Type: string(p.Err.Type), Detail: p.Err.Detail, Source: fielderror.PanicPlace(p.Err), Status: NotExpressed, Differs: evidence.ExampleOf(p.Smallest),
		Why: "the native validator panicked, which refuses the object and is no rule: mend it, and infer again",
	}
}

// Unseen says why the run does not show that the schema lacks nothing; empty: what is needed was asked, and the native validator
// accepted something and refused something.
func (r *Report) Unseen() string {
	accepted, refused := evidence.Tally(r.Answers).Sum()
	asked := plaintext.Count(accepted+refused, "request")
	switch {
	case len(r.Sites) > 0:
		return ""
	case r.Compared == 0:
		return "nothing was compared, because the time was up; increase --duration"
	case accepted == 0:
		return fmt.Sprintf("the native validator refused all of %s, so nothing shows what it accepts; add a case that it accepts", asked)
	case refused == 0:
		return fmt.Sprintf("the native validator accepted all of %s, so nothing shows that it is asked; "+
			"add a case that it refuses, and look whether diffrun run sees that", asked)
	case !r.Complete:
		return fmt.Sprintf("the time was up after %s; run the command again to go on, or increase --duration", asked)
	case r.Planned > 0:
		left := plaintext.Count(r.Planned, "change")
		return fmt.Sprintf("--inputs ended the exploration before %s of single fields were tried; increase it", left)
	}
	return ""
}
