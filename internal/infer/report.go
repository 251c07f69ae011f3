package infer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/policy"
	"github.com/diffrun/diffrun/internal/infer/proposal"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Report is the result of Run.
type Report struct {
	Target string `json:"target"`
	// Sides are the names of the two sides for people.
	Sides contract.SideNames `json:"sides"`
	Seed  uint64             `json:"seed"`
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
	RefusedByDropped int             `json:"forgiven,omitempty"`
	Sites            []proposal.Site `json:"sites"`
	// UnseenSources are the places in the source that make errors, of which no object that was tried had one that the schema lacks.
	UnseenSources []proposal.ReadSite `json:"unseen,omitempty"`
	// Cases are those of the suite, and deletions of accepted objects, with an error that the schema lacks.
	Cases []proposal.AdmittedCase `json:"cases,omitempty"`
	// Rules are those in the definition. Unproven are those of errors that are not proven, which are in no file but the report.
	Rules    []*proposal.Rule `json:"rules"`
	Unproven []*proposal.Rule `json:"unproven,omitempty"`
	// Policies are the validations of ValidatingAdmissionPolicies.
	Policies []*policy.Rule         `json:"policies,omitempty"`
	Refused  []proposal.RefusedRule `json:"refused,omitempty"`
	Refuted  []proposal.RefutedRule `json:"refuted,omitempty"`
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

// Strict is an error of the schema on objects that the native validator accepts.
type Strict struct {
	Error    string            `json:"error"`
	New      bool              `json:"new"`
	Count    int               `json:"count"`
	Smallest *evidence.Example `json:"smallest"`
}

// report joins what was found.
func (i *inference) report(p *proposal.Proposal, proof *proposal.Proof, found *policy.Policies) (*Report, error) {
	r := &Report{
		Target: apiname.Target(i.evidence.Target.Version), Sides: i.evidence.Target.Sides, Seed: i.evidence.Options.Seed,
		Complete: !i.finder.TimeOver,
		Explored: i.explored, Asked: i.evidence.Asked, Resumed: i.resumed, Undecoded: i.evidence.Undecoded, Faults: i.evidence.Faults,
		Unproven: p.Unproven, Compared: proof.Inputs, Known: proof.Known, Admits: proof.Admits, Refuses: proof.Refuses,
		Dropped: proof.Dropped, RefusedByDropped: proof.RefusedByDropped, Rules: p.Stored(), Refused: p.Refused, Refuted: i.prover.Refuted,
		name: proposal.DefinitionFile(i.evidence.Target), data: p.Data, version: p.Version, samples: i.evidence.Samples,
	}
	var err error
	if i.evidence.Target.GoPackage != "" {
		if r.data, err = i.prover.Overlay(p.Rules); err != nil {
			return nil, err
		}
	} else if r.patch, err = p.PatchJSON(); err != nil {
		return nil, err
	}
	for _, of := range slices.SortedStableFunc(slices.Values(i.evidence.Sites), (*evidence.Site).Compare) {
		if !of.Alone {
			r.Masked++
			continue
		}
		if !found.Proven(of) {
			r.Sites = append(r.Sites, i.prover.SiteReport(of, p, proof))
		}
	}
	for _, unseen := range i.evidence.Unseen() {
		r.UnseenSources = append(r.UnseenSources, i.prover.ReadSite(unseen))
	}
	for _, of := range i.evidence.Panics {
		site := proposal.PanicReport(of)
		for _, read := range i.evidence.PanicReadings(of) {
			site.Read = append(site.Read, i.prover.ReadSite(read))
		}
		r.Sites = append(r.Sites, site)
	}
	r.addPolicies(found)
	all := slices.Clone(i.evidence.Answers)
	for _, part := range found.Parts {
		for _, one := range part.Evidence.Answers {
			all.Add(one)
		}
	}
	r.Answers, r.Planned, r.Cases = all, i.planned, i.prover.AdmittedCases()
	for _, of := range []*evidence.StrictErrors{proof.Strict, i.strict} {
		for _, cause := range of.Order {
			one := of.ByCause[cause]
			r.Strict = append(r.Strict, Strict{
				Error:    one.Text,
				New:      of == proof.Strict,
				Count:    one.Count,
				Smallest: evidence.ExampleOf(one.Smallest),
			})
		}
	}
	return r, nil
}

// Count returns the number of sites with a status.
func (r *Report) Count(status proposal.Status) int {
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
		at := rule.At
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
		return fmt.Sprintf("%s refused all of %s, so nothing shows what it accepts; add a case that it accepts", r.native(), asked)
	case refused == 0:
		return fmt.Sprintf("%s accepted all of %s, so nothing shows that it is asked; "+
			"add a case that it refuses, and look whether diffrun run sees that", r.native(), asked)
	case !r.Complete:
		return fmt.Sprintf("the time was up after %s; run the command again to go on, or increase --duration", asked)
	case r.Planned > 0:
		left := plaintext.Count(r.Planned, "change")
		return fmt.Sprintf("--inputs ended the exploration before %s of single fields were tried; increase it", left)
	}
	return ""
}

// addPolicies adds the errors that only policies can say, with their validations.
func (r *Report) addPolicies(p *policy.Policies) {
	r.Policies, r.policy = p.All(), p.Data
	if len(p.All()) > 0 {
		r.Admits = 0 // the policies were compared with the definition
	}
	for _, part := range p.Parts {
		for _, of := range slices.SortedStableFunc(slices.Values(part.Evidence.Sites), (*evidence.Site).Compare) {
			s := part.SiteReport(of, p)
			if s.Status == proposal.Proven || part.Evidence.Requests.Deletes || !r.has(s) {
				r.Sites = append(r.Sites, s)
			}
		}
		for _, of := range part.Evidence.Panics {
			s := proposal.PanicReport(of)
			objects, _, _ := part.Evidence.Requests.Read(of.Smallest.Object)
			if s.Differs = evidence.ExampleOf(objects); part.Evidence.Requests.Deletes {
				s.Operation = "DELETE"
			}
			if !r.has(s) {
				r.Sites = append(r.Sites, s)
			}
		}
		if part.Proof != nil {
			r.Compared, r.Admits, r.Refuses = r.Compared+part.Proof.Inputs, r.Admits+part.Proof.Admits, r.Refuses+part.Proof.Refuses
		}
	}
}

// has reports whether the report has the error of a site already.
func (r *Report) has(s proposal.Site) bool {
	return slices.ContainsFunc(r.Sites, func(known proposal.Site) bool {
		return known.Type == s.Type && (known.Source != "" && known.Source == s.Source || known.Detail == s.Detail)
	})
}
