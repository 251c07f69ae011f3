package policy

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/google/cel-go/common/operators"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/proposal"
	"github.com/diffrun/diffrun/internal/infer/rules"
)

// The API server estimates the cost of the rules of a definition, and refuses those that may cost too much: lists without
// maxItems are enough. It does not estimate those of a policy, so such a rule becomes a validation.

// addOverCost makes validations of the rules that only policies can have because of their cost. A rule stays only if its
// validation refuses the same samples.
func (p *Policies) addOverCost(ctx context.Context, pr *proposal.Prover, written *proposal.Proposal) error {
	before := len(written.Rules)
	for _, of := range slices.Clone(written.Rules) {
		if of.OverCost == "" {
			continue
		}
		if rule := asPolicy(of); rule != nil {
			rule.of, of.Policy = of, rule.String()
			p.overCost = append(p.overCost, rule)
			continue
		}
		written.Refuse(of, of.OverCost)
	}
	if len(p.overCost) > 0 {
		differ, err := p.compareOverCost(ctx, pr, written)
		if err != nil {
			return err
		}
		p.dropOverCost(written, func(rule *Rule) string { return differ[rule] })
	}
	if len(written.Rules) == before {
		return nil
	}
	return written.Write(pr)
}

// dropOverCost takes validations out for which why returns a reason, and their rules.
func (p *Policies) dropOverCost(written *proposal.Proposal, why func(*Rule) string) {
	p.overCost = slices.DeleteFunc(p.overCost, func(rule *Rule) bool {
		reason := why(rule)
		if reason != "" {
			written.Refuse(rule.of, rule.of.OverCost+"; as a policy, "+rule.Expression+", it "+reason)
		}
		return reason != ""
	})
}

// compareOverCost compares the validations with the rules that they are from. It returns why one is not the same, or is not
// known to be: no validation stays that nothing asked.
func (p *Policies) compareOverCost(ctx context.Context, pr *proposal.Prover, written *proposal.Proposal) (map[*Rule]string, error) {
	differ, looked := map[*Rule]string{}, map[*Rule]bool{}
	data, err := p.yaml(pr.Evidence.Target)
	if err != nil {
		return nil, err
	}
	h, err := harnessWith(pr, written, data)
	if err != nil {
		return nil, err
	}
	stored, err := pr.ValidatorOf(written.AsStored())
	if err != nil {
		return nil, err
	}
	refuses := map[*Rule]evidence.Validate{}
	for _, rule := range p.overCost {
		if refuses[rule], err = pr.Alone(rule.of); err != nil {
			return nil, err
		}
	}
	decoded := map[string]*evidence.Sample{}
	var inputs []explore.Input
	for _, s := range pr.Evidence.Samples {
		if !s.Masked && len(stored(ctx, s.Decoded, s.DecodedOld)) == 0 { // else no policy is asked
			decoded[evidence.KeyOf(s.Input)] = s
			inputs = append(inputs, s.Input)
		}
	}
	err = pr.Evidence.Again(ctx, h, inputs, func(in explore.Input, results []harness.Result) {
		s := decoded[evidence.KeyOf(in)]
		for n := range results {
			if r := &results[n]; r.Version == pr.Evidence.Target.Version && r.Effect != "" && r.Fault == nil {
				p.compareSample(s, r, refuses, differ, looked)
			}
		}
	})
	if errors.Is(err, context.DeadlineExceeded) {
		pr.Finder.TimeOver = true
		for _, rule := range p.overCost {
			differ[rule] = cmp.Or(differ[rule], "was not compared with the rule, because the time was over")
		}
		err = nil
	}
	for _, rule := range p.overCost {
		if differ[rule] == "" && !looked[rule] {
			differ[rule] = "was asked about no object that the rule refuses"
		}
	}
	return differ, err
}

// compareSample compares the validations with their rules on one sample, and notes those that it looked at: the rule refuses it.
func (p *Policies) compareSample(s *evidence.Sample, r *harness.Result, refuses map[*Rule]evidence.Validate,
	differ map[*Rule]string, looked map[*Rule]bool) {
	reports := func(rule *Rule) bool {
		return slices.ContainsFunc(r.Declarative.Errors, func(err *field.Error) bool { return rule.made(err.Detail) })
	}
	expected, byRule := map[string]bool{}, map[*Rule]bool{}
	for _, rule := range p.overCost {
		byRule[rule] = len(refuses[rule](context.Background(), s.Decoded, s.DecodedOld)) > 0
		looked[rule] = looked[rule] || byRule[rule]
		// A policy also refuses what an update leaves as it is, as the native validator does.
		isNative := slices.ContainsFunc(s.Reported, func(err evidence.Reported) bool { return rule.of.IsOf(err.Site) })
		expected[rule.text()] = expected[rule.text()] || byRule[rule] || isNative
	}
	for _, rule := range p.overCost {
		if isReported := reports(rule); byRule[rule] && !isReported || isReported && !expected[rule.text()] {
			object, _ := json.Marshal(s.Object)
			differ[rule] = cmp.Or(differ[rule], fmt.Sprintf("decides otherwise than the rule on %s", object))
		}
	}
}

// isExplained reports whether rules of the definition that were read from the source explain the errors of a site of requests.
func (part *Part) isExplained(pr *proposal.Prover, mine *evidence.Site) bool {
	return slices.ContainsFunc(pr.Evidence.Sites, func(of *evidence.Site) bool {
		return part.sameError(mine, of) && pr.Finder.IsRead(of)
	})
}

// sameError reports whether a site of requests is one of the definition.
func (part *Part) sameError(mine, of *evidence.Site) bool {
	at := part.Evidence.Requests.SubjectField()
	if of.Key.Place != "" && of.Key.Place != "<nil>" {
		at += "." + of.Key.Place
	}
	same := of.Key.Source != "" && mine.Key.Source == of.Key.Source || mine.Key.Detail == of.Key.Detail ||
		mine.First.Detail == of.First.Detail
	return same && mine.Key.Place == at && mine.Key.Typ == of.Key.Typ
}

// asPolicy returns a rule of the definition as a validation; nil: it compares items with those before an update, or is no
// CEL.
func asPolicy(r *proposal.Rule) *Rule {
	if r.Validation == nil {
		return nil
	}
	operands := celexpr.OperandsOf(celexpr.Parse(r.Validation.Rule), operators.LogicalOr)
	isCreate := celexpr.String(operands[0]) == rules.IsNew
	if isCreate {
		operands = operands[1:]
	}
	rule := celexpr.Or(operands...)
	isUpdate := !isCreate && celexpr.Read(rule, nil).Transition
	if isUpdate && slices.Contains(r.At, evidence.AnyItem) {
		return nil
	}
	out := &Rule{Operations: []string{"CREATE", "UPDATE"}, Message: r.Validation.Message}
	if r.Validation.Reason != nil && *r.Validation.Reason == "FieldValueForbidden" {
		out.Reason = "Forbidden"
	}
	out.Expression = celexpr.String(atRoot(r.At, celexpr.Name("object"), rule, 0))
	switch {
	case isCreate:
		out.Operations = out.Operations[:1]
	case isUpdate:
		out.Operations = out.Operations[1:]
		now, hasNow := accessOf(r.At, celexpr.Name("object"))
		before, hasBefore := accessOf(r.At, celexpr.Name("oldObject"))
		rule = celexpr.Rename(celexpr.Rename(rule, "self", now), "oldSelf", before)
		out.Expression = celexpr.String(celexpr.Or(append(append(hasNow, hasBefore...), rule)...))
	}
	return out
}

// accessOf returns the expression of a field of an object, and those that are true where it is not set.
func accessOf(at evidence.Place, object celexpr.Expr) (access celexpr.Expr, unset []celexpr.Expr) {
	access = object
	for _, name := range at {
		access = celexpr.Field(access, name)
		unset = append(unset, celexpr.Not(celexpr.Has(access)))
	}
	return access, unset
}

// atRoot returns a rule about the values at a place as one about the object.
func atRoot(at evidence.Place, access, rule celexpr.Expr, depth int) celexpr.Expr {
	list, inner := at.Outside()
	value, unset := accessOf(list, access)
	if len(list) == len(at) {
		return celexpr.Or(append(unset, celexpr.Rename(rule, "self", value))...)
	}
	item := celexpr.Name(fmt.Sprintf("v%d", depth))
	return celexpr.Or(append(unset, celexpr.Method(value, operators.All, item, atRoot(inner, item, rule, depth+1)))...)
}
