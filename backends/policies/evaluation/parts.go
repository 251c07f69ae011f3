package evaluation

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/text/oneline"
)

// The lists of a policy whose expressions are its parts.
const (
	conditionPart  = "matchConditions"
	validationPart = "validations"
	mutationPart   = "mutations"
)

// partName returns the place of a part in its policy.
func partName(list string, index int) string { return fmt.Sprintf("%s[%d]", list, index) }

// parts returns the parts of the policy.
func (h *hook) parts() []contract.Part {
	all := expressionsOf(h.policy)
	lists := [][]expression{all.conditions, all.validations}
	if h.mutating != nil {
		lists = append(lists, mutationExpressions(h.mutating))
	}
	var parts []contract.Part
	for i, names := range []string{conditionPart, validationPart, mutationPart}[:len(lists)] {
		for at, of := range lists[i] {
			parts = append(parts, contract.Part{
				Name:  partName(names, at),
				Where: h.at(of.path).String(),
				Text:  oneline.Text(strings.TrimSpace(of.GetExpression())),
			})
		}
	}
	return parts
}

// evaluated are the parts of a policy that a request reached, each once.
type evaluated []contract.Asked

// add records that a part was evaluated.
func (e *evaluated) add(list string, index int, acted bool) {
	name := partName(list, index)
	if at := slices.IndexFunc(*e, func(a contract.Asked) bool { return a.Guard == name }); at >= 0 {
		(*e)[at].Acted = (*e)[at].Acted || acted
		return
	}
	*e = append(*e, contract.Asked{Guard: name, Acted: acted})
}

// conditions records the match conditions up to the first that excluded the request: the results of the
// others are unknown.
func (e *evaluated) conditions(hook *hook, matches []match) {
	for _, match := range matches {
		for i, condition := range hook.policy.Spec.MatchConditions {
			excluded := condition.Name == match.FailedConditionName
			e.add(conditionPart, i, excluded)
			if excluded {
				break
			}
		}
	}
}

// partsOf returns the parts of a policy that were evaluated. There is a result, and a match if the policy
// has match conditions, for each parameter.
func partsOf(hook *hook, matches []match, results []validating.ValidateResult) []contract.Asked {
	var parts evaluated
	parts.conditions(hook, matches)
	for at, result := range results {
		if at < len(matches) && !matches[at].Matches || len(result.Decisions) != len(hook.policy.Spec.Validations) {
			continue
		}
		for i, decision := range result.Decisions {
			parts.add(validationPart, i, decision.Action == validating.ActionDeny)
		}
	}
	return parts
}
