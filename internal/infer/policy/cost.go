package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/proposal"
	"github.com/diffrun/diffrun/internal/infer/rules"
)

// The API server estimates the cost of the rules of a definition, and refuses those that may cost too much: lists without
// maxItems are enough. It does not estimate those of a policy, so such a rule becomes a validation.

// addOverCost adds the rules that the API server would not store in the definition because of their cost.
func (p *Policies) addOverCost(pr *proposal.Prover, written *proposal.Proposal, part *Part) {
	for _, refused := range written.Refused {
		if !refused.OverCost {
			continue
		}
		rule := asPolicy(refused.Rule)
		if rule == nil {
			continue
		}
		for _, of := range refused.Rule.Sites {
			for _, mine := range part.Evidence.Sites {
				if part.sameError(mine, of) {
					rule.sites = append(rule.sites, mine)
					part.finder.Explained[mine] = pr.Finder.Explained[of]
				}
			}
		}
		if len(rule.sites) > 0 {
			p.add(rule)
		}
	}
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
	text, isCreate := strings.CutPrefix(r.Validation.Rule, rules.IsNew+" || ")
	rule := celexpr.Parse(text)
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
