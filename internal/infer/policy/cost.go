package policy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apiserver/pkg/cel"

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
	same := of.Key.Source != "" && mine.Key.Source == of.Key.Source || mine.Key.Detail == of.Key.Detail || mine.First.Detail == of.First.Detail
	return same && mine.Key.Place == at && mine.Key.Typ == of.Key.Typ
}

var selfOrOld = regexp.MustCompile(`\b(self|oldSelf)\b`)

// asPolicy returns a rule of the definition as a validation; nil: it compares items with those before an update, or is no
// CEL.
func asPolicy(r *proposal.Rule) *Rule {
	if r.Validation == nil {
		return nil
	}
	text, isCreate := strings.CutPrefix(r.Validation.Rule, rules.IsNew+" || ")
	isUpdate := !isCreate && strings.Contains(text, "oldSelf")
	if isUpdate && slices.Contains(r.At, evidence.AnyItem) {
		return nil
	}
	out := &Rule{Operations: []string{"CREATE", "UPDATE"}, Message: r.Validation.Message}
	if r.Validation.Reason != nil && *r.Validation.Reason == "FieldValueForbidden" {
		out.Reason = "Forbidden"
	}
	out.Expression = atRoot(r.At, "object", text, 0)
	switch {
	case isCreate:
		out.Operations = out.Operations[:1]
	case isUpdate:
		out.Operations = out.Operations[1:]
		now, hasNow := accessOf(r.At, "object")
		before, hasBefore := accessOf(r.At, "oldObject")
		text = selfOrOld.ReplaceAllStringFunc(text, func(name string) string {
			return map[string]string{"self": now, "oldSelf": before}[name]
		})
		out.Expression = strings.Join(append(append(hasNow, hasBefore...), rules.Grouped(text)), " || ")
	}
	return out
}

// accessOf returns the expression of a field of an object, and those that are true where it is not set.
func accessOf(at evidence.Place, object string) (access string, unset []string) {
	access = object
	for _, name := range at {
		if escaped, ok := cel.Escape(name); ok {
			name = escaped
		}
		access += "." + name
		unset = append(unset, "!has("+access+")")
	}
	return access, unset
}

// atRoot returns a rule about the values at a place as one about the object.
func atRoot(at evidence.Place, access, rule string, depth int) string {
	n := slices.Index(at, evidence.AnyItem)
	if n < 0 {
		n = len(at)
	}
	value, unset := accessOf(at[:n], access)
	if n == len(at) {
		return strings.Join(append(unset, rules.SelfPattern.ReplaceAllLiteralString(rule, value)), " || ")
	}
	item := fmt.Sprintf("v%d", depth)
	below := atRoot(at[n+1:], item, rule, depth+1)
	return strings.Join(append(unset, fmt.Sprintf("%s.all(%s, %s)", value, item, below)), " || ")
}
