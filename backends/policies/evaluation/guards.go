package evaluation

import (
	"slices"

	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// Guards returns the policies with their bindings, sorted by name.
func (b *bound) Guards() []contract.Guard {
	all := make([]contract.Guard, 0, len(b.hooks))
	for _, hook := range b.hooks {
		guard := contract.Guard{Name: hook.String(), Where: hook.at("metadata.name").String(), Purpose: words.ToRefuse, Parts: hook.parts()}
		switch {
		case hook.mutating != nil:
			guard.Purpose = words.ToChange
		case len(hook.policy.Spec.Validations) == 0:
			guard.Purpose = words.ToWatch
		}
		all = append(all, guard)
	}
	return all
}

// ask records that a policy matched a request, or that its match conditions excluded it, with the evaluation
// results for each parameter and the answer of the dispatcher. If its matchConditions exclude the request, the
// results are empty.
func (o *Outcome) ask(hook *hook, matches []match, results []validating.ValidateResult, answer error) {
	matched, violated := answer != nil, answer != nil
	for _, result := range results {
		matched = matched || len(result.Decisions)+len(result.AuditAnnotations) > 0
		violated = violated || slices.ContainsFunc(result.Decisions, func(d validating.PolicyDecision) bool {
			return d.Action == validating.ActionDeny
		})
	}
	if matched || len(matches) > 0 {
		o.Asked = append(o.Asked, contract.Asked{
			Guard:    hook.String(),
			Acted:    violated,
			Excluded: !matched,
			Parts:    partsOf(hook, matches, results),
		})
	}
}
