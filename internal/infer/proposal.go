package infer

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

// proposal is a definition with rules.
type proposal struct {
	rules []*Rule
	// unproven are rules of errors that are not proven. They are not written.
	unproven   []*Rule
	operations []Operation
	data       []byte
	version    *definitions.Version
	// refused are rules that the API server would not store, with its reason.
	refused []RefusedRule
}

// RefusedRule is a rule that the API server would not store in the definition.
type RefusedRule struct {
	Rule *Rule  `json:"rule"`
	Why  string `json:"why"`

	overCost bool // the reason is the estimated cost
}

// propose writes the rules of all sites into the definition.
func (i *inference) propose() (*proposal, error) {
	var rules []*Rule
	for _, of := range i.evidence.Sites {
		if of.OfSender {
			continue
		}
		for _, x := range i.explained[of] {
			for _, h := range x.chosen {
				rules = append(rules, h.rule())
			}
		}
	}
	p := &proposal{}
	for _, r := range mergedValues(merged(rules)) {
		if !conflicts(i.version.Schema, r) && i.refutedRule(r) == nil {
			p.rules = append(p.rules, r)
		}
	}
	for {
		if err := p.write(i); err != nil {
			return nil, err
		}
		wrong, err := p.check(i)
		if err != nil {
			return nil, err
		}
		if len(wrong) == 0 {
			return p, nil
		}
		i.drop(p, wrong)
	}
}

// shared returns the messages of the rules of several sites, by site.
func (p *proposal) shared() map[evidence.SiteKey][]string {
	all := map[evidence.SiteKey][]string{}
	for _, r := range p.rules {
		if r.Validation == nil || len(r.sites) < 2 {
			continue
		}
		for _, of := range r.sites {
			all[of.Key] = append(all[of.Key], r.Validation.Message)
		}
	}
	return all
}

// covering returns the messages of rules that report once what the native validator reports for each item, or at an outer
// place, by site.
func (p *proposal) covering() map[evidence.SiteKey][]string {
	all := map[evidence.SiteKey][]string{}
	for _, r := range p.rules {
		for _, of := range r.sites {
			if r.Validation != nil && r.covers(of) {
				all[of.Key] = append(all[of.Key], cmp.Or(r.Validation.Message, "failed rule: "+r.Validation.Rule))
			}
		}
	}
	return all
}

// covers reports whether a rule has one error where a site may have several: its value has the items with the errors of the
// site, or the site is at an outer place.
func (r *Rule) covers(of *evidence.Site) bool {
	at := of.Field.Place[:of.Field.Known]
	return !r.at.Has(at) || slices.Contains(at[len(r.at):], evidence.AnyItem)
}

// write adds the rules to the file, and reads it again.
func (p *proposal) write(i *inference) (err error) {
	if p.version = i.version; i.evidence.Target.GoPackage != "" {
		return nil // see overlay
	}
	p.operations = patch(i.version, p.rules)
	if p.data, err = patched(i.evidence.Target.Data, i.definition.CRD.Name, p.operations); err != nil {
		return fmt.Errorf("%s: %w", i.evidence.Target.File, err)
	}
	all, err := definitions.Read(i.evidence.Target.File, p.data)
	if err != nil {
		return fmt.Errorf("the definition with the rules cannot be read: %w", err)
	}
	for _, d := range all {
		for _, v := range d.Versions {
			if v.GroupVersionKind == i.evidence.Target.Version {
				p.version = v
			}
		}
	}
	return nil
}

// check returns the rules that the API server would refuse, and did not refuse before.
func (p *proposal) check(i *inference) (map[*Rule]*field.Error, error) {
	if i.evidence.Target.GoPackage != "" {
		return nil, nil // the rules of built-in kinds have no cost limits, and the conditions were compiled before
	}
	before, err := structural.CheckCRD(context.Background(), i.definition.CRD)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, err := range before {
		known[err.Field+err.Detail] = true
	}
	after, err := structural.CheckCRD(context.Background(), p.version.Of.CRD)
	if err != nil {
		return nil, err
	}
	wrong, together := map[*Rule]*field.Error{}, map[*Rule]*field.Error{}
	for _, err := range after {
		if known[err.Field+err.Detail] {
			continue
		}
		r := p.ruleAt(i, err)
		if r == nil && len(p.rules) > 0 {
			r = p.rules[len(p.rules)-1]
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
		for _, r := range p.rules {
			if why, is := together[r]; is {
				wrong = map[*Rule]*field.Error{r: why}
			}
		}
	}
	return wrong, nil
}

// ruleAt returns the rule that an error is about.
func (p *proposal) ruleAt(i *inference, err *field.Error) *Rule {
	path := p.version.Of.Path(err.Field)
	next := map[string]int{} // the index of the next rule, by place
	for _, r := range p.rules {
		if r.Validation == nil {
			continue
		}
		n, known := next[r.Place]
		if !known {
			declared, _ := openapi.ReadExtensions(r.at.Schema(i.version.Schema), nil)
			n = len(declared.Validations)
		}
		next[r.Place] = n + 1
		if strings.HasPrefix(path, fmt.Sprintf("%s.%s[%d]", i.pathTo(r), openapi.XValidations, n)) {
			return r
		}
	}
	var found *Rule
	for _, r := range p.rules {
		if at := i.pathTo(r); strings.HasPrefix(path, at) && (found == nil || len(at) > len(i.pathTo(found))) {
			found = r
		}
	}
	return found
}

// pathTo returns the path of the schema of a rule in the document.
func (i *inference) pathTo(r *Rule) string {
	out := i.version.Path
	schema := i.version.Schema
	for _, name := range r.at {
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

// patchJSON returns the operations as a JSON patch, one on a line.
func (p *proposal) patchJSON() ([]byte, error) {
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
