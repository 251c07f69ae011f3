package proposal

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Proposal is a definition with rules.
type Proposal struct {
	Rules []*Rule
	// Unproven are rules of errors that are not proven. They are not written.
	Unproven   []*Rule
	operations []Operation
	// Data is the file with the rules that the API server stores in the definition, and stored its version.
	Data   []byte
	stored *definitions.Version
	// Version has all rules, also those that only policies can have because of their cost.
	Version *definitions.Version
	// Refused are rules that the API server would not store, with its reason.
	Refused []RefusedRule
}

// RefusedRule is a rule that the API server would not store in the definition.
type RefusedRule struct {
	Rule *Rule  `json:"rule"`
	Why  string `json:"why"`
}

// Stored returns the rules that the API server stores in the definition.
func (p *Proposal) Stored() (all []*Rule) {
	for _, r := range p.Rules {
		if r.OverCost == "" {
			all = append(all, r)
		}
	}
	return all
}

// AsStored returns the proposal without the rules that only policies can have.
func (p *Proposal) AsStored() *Proposal {
	return &Proposal{Rules: p.Stored(), Version: p.stored, stored: p.stored}
}

// Refuse takes a rule out that can be neither in the definition nor in a policy, and says why.
func (p *Proposal) Refuse(r *Rule, why string) {
	p.Rules = slices.DeleteFunc(p.Rules, func(other *Rule) bool { return other == r })
	p.Refused = append(p.Refused, RefusedRule{r, why})
}

// Propose writes the rules of all sites into the definition.
func (pr *Prover) Propose() (*Proposal, error) {
	var rules []*Rule
	for _, of := range pr.Evidence.Sites {
		if of.OfSender {
			continue
		}
		for _, x := range pr.Finder.Explained[of] {
			for _, h := range x.Chosen {
				rules = append(rules, RuleOf(h))
			}
		}
	}
	p := &Proposal{}
	for _, r := range mergedValues(merged(rules)) {
		if !conflicts(pr.version.Schema, r) && pr.RefutedRule(r) == nil {
			p.Rules = append(p.Rules, r)
		}
	}
	for {
		if err := p.Write(pr); err != nil {
			return nil, err
		}
		wrong, err := p.check(pr)
		if err != nil {
			return nil, err
		}
		if len(wrong) == 0 {
			return p, nil
		}
		pr.drop(p, wrong)
	}
}

// shared returns the messages of the rules of several sites, by site.
func (p *Proposal) shared() map[evidence.SiteKey][]string {
	all := map[evidence.SiteKey][]string{}
	for _, r := range p.Rules {
		if r.Validation == nil || len(r.Sites) < 2 {
			continue
		}
		for _, of := range r.Sites {
			all[of.Key] = append(all[of.Key], r.Validation.Message)
		}
	}
	return all
}

// covering returns the messages of rules by site: a rule reports once what the native validator may report several times, for
// each item or at an outer place.
func (p *Proposal) covering() map[evidence.SiteKey][]string {
	all := map[evidence.SiteKey][]string{}
	for _, r := range p.Rules {
		for _, of := range r.Sites {
			if r.Validation != nil {
				all[of.Key] = append(all[of.Key], cmp.Or(r.Validation.Message, "failed rule: "+r.Validation.Rule))
			}
		}
	}
	return all
}

// Write adds the rules to the file, and reads it again.
func (p *Proposal) Write(pr *Prover) (err error) {
	p.Version, p.stored = pr.version, pr.version
	if pr.Evidence.Target.GoPackage != "" {
		return nil // see overlay
	}
	stored := p.Stored()
	p.operations = patch(pr.version, stored)
	if p.Data, p.stored, err = pr.patched(p.operations); err != nil {
		return err
	}
	if p.Version = p.stored; len(stored) < len(p.Rules) {
		_, p.Version, err = pr.patched(patch(pr.version, p.Rules))
	}
	return err
}

// patched returns the file after some operations, with the version that they are about.
func (pr *Prover) patched(operations []Operation) ([]byte, *definitions.Version, error) {
	data, err := Patched(pr.Evidence.Target.Data, pr.Definition.CRD.Name, operations)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", pr.Evidence.Target.File, err)
	}
	all, err := definitions.Read(pr.Evidence.Target.File, data)
	if err != nil {
		return nil, nil, fmt.Errorf("the definition with the rules cannot be read: %w", err)
	}
	for _, d := range all {
		for _, v := range d.Versions {
			if v.GroupVersionKind == pr.Evidence.Target.Version {
				return data, v, nil
			}
		}
	}
	return data, pr.version, nil
}

// check returns the rules that the API server would refuse, and did not refuse before.
func (p *Proposal) check(pr *Prover) (map[*Rule]*field.Error, error) {
	if pr.Evidence.Target.GoPackage != "" {
		return nil, nil // the rules of built-in kinds have no cost limits, and the conditions were compiled before
	}
	before, err := structural.CheckCRD(context.Background(), pr.Definition.CRD)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, err := range before {
		known[err.Field+err.Detail] = true
	}
	after, err := structural.CheckCRD(context.Background(), p.stored.Of.CRD)
	if err != nil {
		return nil, err
	}
	stored, wrong, together := p.Stored(), map[*Rule]*field.Error{}, map[*Rule]*field.Error{}
	for _, err := range after {
		if known[err.Field+err.Detail] {
			continue
		}
		r := p.ruleAt(pr, err)
		if r == nil && len(stored) > 0 {
			r = stored[len(stored)-1]
		}
		switch {
		case r == nil:
		case err.Origin == openapi.OriginTotalCost:
			together[r] = err
		default:
			wrong[r] = err
		}
	}
	if len(wrong) == 0 { // one of the rules that together cost too much has to go
		for _, r := range stored {
			if why, is := together[r]; is {
				wrong = map[*Rule]*field.Error{r: why}
			}
		}
	}
	return wrong, nil
}

// ruleAt returns the rule that an error is about.
func (p *Proposal) ruleAt(pr *Prover, err *field.Error) *Rule {
	path := p.stored.Of.Path(err.Field)
	next := map[string]int{} // the index of the next rule, by place
	for _, r := range p.Stored() {
		if r.Validation == nil {
			continue
		}
		n, known := next[r.Place]
		if !known {
			declared, _ := openapi.ReadExtensions(r.At.Schema(pr.version.Schema), nil)
			n = len(declared.Validations)
		}
		next[r.Place] = n + 1
		if strings.HasPrefix(path, fmt.Sprintf("%s.%s[%d]", pr.pathTo(r), openapi.XValidations, n)) {
			return r
		}
	}
	var found *Rule
	for _, r := range p.Stored() {
		if at := pr.pathTo(r); strings.HasPrefix(path, at) && (found == nil || len(at) > len(pr.pathTo(found))) {
			found = r
		}
	}
	return found
}

// pathTo returns the path of the schema of a rule in the document.
func (pr *Prover) pathTo(r *Rule) string {
	out := pr.version.Path
	schema := pr.version.Schema
	for _, name := range r.At {
		_, declared := schema.Properties[name]
		switch {
		case declared:
			out += ".properties[" + name + "]"
		case schema.Items != nil:
			out += ".items"
		default:
			out += ".additionalProperties"
		}
		schema = evidence.SchemaBelow(schema, name)
	}
	return out
}

// PatchJSON returns the operations as a JSON patch, one on a line.
func (p *Proposal) PatchJSON() ([]byte, error) {
	var out strings.Builder
	out.WriteString("[")
	for n, operation := range p.operations {
		line, err := json.Marshal(operation)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			out.WriteString(",")
		}
		out.WriteString("\n  " + string(line))
	}
	out.WriteString("\n]\n")
	return []byte(out.String()), nil
}
