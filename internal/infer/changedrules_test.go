package infer

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
	kubespec "k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/proposal"
	"github.com/diffrun/diffrun/internal/infer/rules"
	"github.com/diffrun/diffrun/internal/infer/search"
	"github.com/diffrun/diffrun/internal/openapi"
)

// untold returns the rules of a proposal, each with one change, that agree with the proposal on all objects that it was
// made from. change returns changed texts of a CEL rule; bounds are moved by one.
func (r *Report) untold(t *testing.T, change func(rule string) []string) (untold []string) {
	t.Helper()
	judge := func(schema *kubespec.Schema) (answers []string) {
		resource := apiresource.New(r.version.Of.CRD, apiresource.Version{Name: r.version.Version, Schema: schema})
		backend, err := resource.Compile(resource.Versions[0])
		if err != nil {
			return nil // the change is no rule
		}
		for _, s := range r.samples {
			answer, _ := json.Marshal(backend.LeavingMetadata().Validator.Validate(context.Background(), s.Decoded, s.DecodedOld))
			answers = append(answers, string(answer))
		}
		return answers
	}
	want := judge(r.version.Schema)
	for _, rule := range r.Rules {
		for _, changed := range changed(rule, change) {
			schema := r.withRule(t, rule, changed)
			got, told := judge(schema), false
			for n := range got {
				told = told || got[n] != want[n]
			}
			if got != nil && !told {
				untold = append(untold, rule.String()+" → "+changed.String())
			}
		}
	}
	return untold
}

// Barred proves rules as a proposal of a run, and returns those that stay and those that are never proposed again, and how
// many accepted inputs those that stay refuse, and only the others refused.
func barredRules(t *testing.T, target *evidence.Target, options evidence.Options,
	rules ...*proposal.Rule) (stay, barred []string, refuses, forgiven int) {
	t.Helper()
	i, err := proposal.NewProver(target, &options, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	p := &proposal.Proposal{}
	for _, rule := range rules {
		rule.At = evidence.PlaceOf(rule.Place)
		p.Rules = append(p.Rules, rule)
	}
	if err := p.Write(i); err != nil {
		t.Fatal(err)
	}
	found, err := i.Prove(t.Context(), p, options.Seed, 100)
	if err == nil {
		err = i.Refute(p, found)
	}
	if err == nil {
		err = proposal.Attempt{Proposal: p, Proof: found}.WithoutRefuted(i)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range p.Rules {
		stay = append(stay, rule.String())
	}
	for _, rule := range rules {
		if i.RefutedRule(rule) != nil {
			barred = append(barred, rule.String())
		}
	}
	return stay, barred, found.Refuses, found.RefusedByDropped
}

// refusedToday returns whether the schema refuses the objects that a run starts with.
func refusedToday(t *testing.T, target *evidence.Target, options evidence.Options) (refused []bool) {
	t.Helper()
	i, err := proposal.NewProver(target, &options, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range target.Starts {
		refused = append(refused, i.Evidence.RefusedToday(in))
	}
	return refused
}

// markersOf returns the markers of a rule, a line each.
func markersOf(r *proposal.Rule) string { return strings.Join(proposal.MarkersOf(r), "\n") }

// weakProof returns whether a rule of some conditions is one that too few refused objects show, or whose objects were not varied;
// offered counts the other values that their fields have, and varied the objects with them that were asked about; -1: the search
// ended before.
func weakProof(conditions, refused, offered, varied int) (isThin, isUnvaried bool) {
	h := &search.Hypothesis{}
	for n := range conditions {
		h.Parts = append(h.Parts, &rules.Condition{Refuses: celexpr.Name(fmt.Sprintf("a%d", n))})
	}
	x := &search.Explanation{Subject: &search.Subject{Varied: map[string]*search.Varied{}}, Chosen: []*search.Hypothesis{h}}
	for n := range refused {
		x.Labels.Refused.Add(n)
	}
	if varied >= 0 {
		x.Subject.Varied[h.Expr()] = &search.Varied{Objects: varied, Offered: offered}
	}
	return x.HasTooFewExamples(), x.IsUnvaried()
}

// reasonOfOverfit returns which constant of a rule that refuses where a condition is true may be learnt by heart. text is that of the
// error, word a value of an enum in the schema, and objects are refused ones. varied are the fields that were varied in them.
func reasonOfOverfit(expr, text, word string, objects []map[string]any, varied ...string) string {
	about := &rules.Facts{
		Evidence: &evidence.Evidence{Words: map[string]bool{word: true}}, Site: &evidence.Site{First: &field.Error{Detail: text}},
		Numbers: evidence.NumberPattern.FindAllString(text, -1),
	}
	s := &search.Subject{Facts: about, Varied: map[string]*search.Varied{}}
	h := &search.Hypothesis{Subject: s, Parts: []*rules.Condition{{
		Refuses: celexpr.Parse(expr), Fields: []evidence.Place{{"spec", "n"}},
	}}}
	out := &search.Varied{Fields: varied}
	for n, object := range objects {
		out.Tie(h.Tied(object), n == 0)
	}
	out.Untie()
	s.Varied[h.Expr()] = out
	return (&search.Explanation{Subject: s, Chosen: []*search.Hypothesis{h}}).OverfitReason()
}

// changed returns the rule with one change.
func changed(r *proposal.Rule, change func(string) []string) (all []*proposal.Rule) {
	if r.Validation != nil {
		for _, text := range change(r.Validation.Rule) {
			other, validation := *r, *r.Validation
			validation.Rule = text
			other.Validation = &validation
			all = append(all, &other)
		}
	}
	for name, value := range r.Keywords {
		if n, is := proposal.AsFloat(value); is {
			for _, by := range []float64{-1, 1} {
				other := *r
				other.Keywords = map[string]any{name: rules.JsonNumber(n + by)}
				all = append(all, &other)
			}
		}
	}
	return all
}

// withRule returns the proposed schema with another rule in place of one.
func (r *Report) withRule(t *testing.T, old, changed *proposal.Rule) *kubespec.Schema {
	t.Helper()
	data, err := json.Marshal(r.version.Schema)
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	at := root
	for _, name := range old.At {
		next, _ := at["properties"].(map[string]any)
		if next, _ = next[name].(map[string]any); next == nil {
			next, _ = at["items"].(map[string]any)
		}
		if next == nil {
			next, _ = at["additionalProperties"].(map[string]any)
		}
		at = next
	}
	maps.Copy(at, changed.Keywords)
	rules, _ := at[openapi.XValidations].([]any)
	for _, one := range rules {
		if fields := one.(map[string]any); changed.Validation != nil && fields["rule"] == old.Validation.Rule {
			fields["rule"] = changed.Validation.Rule
		}
	}
	out := new(kubespec.Schema)
	if data, err = json.Marshal(root); err == nil {
		err = json.Unmarshal(data, out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}
