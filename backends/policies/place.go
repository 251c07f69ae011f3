package policies

import (
	"fmt"
	"strings"

	"github.com/diffrun/diffrun/harness"
)

// Places returns the file and line of each place that locates a denial.
func (b *bound) Places() map[string]string {
	places := map[string]string{}
	for _, hook := range b.hooks {
		parts := []string{""}
		for list, n := range map[string]int{
			"matchConditions": len(hook.policy.Spec.MatchConditions), "validations": len(hook.policy.Spec.Validations), "auditAnnotations": len(hook.policy.Spec.AuditAnnotations),
		} {
			for i := range n {
				parts = append(parts, fmt.Sprintf("%s[%d]", list, i))
			}
		}
		for _, part := range parts {
			places[hook.place(part)] = hook.at(strings.TrimSuffix("spec."+part, ".")).String()
		}
	}
	return places
}

// located returns the places of denials: policy, binding and the validation, such as
// `ValidatingAdmissionPolicy "ports" with binding "all": validations[1]`.
func (b *bound) located(denials []Denial) []harness.Located {
	var all []harness.Located
	for _, denial := range denials {
		for _, hook := range b.hooks {
			if hook.policy.Name == denial.Policy && (denial.Binding == "" || hook.binding.Name == denial.Binding) {
				all = append(all, harness.Located{Error: denial.Error(), Declared: []string{hook.place(denial.Part)}})
				break
			}
		}
	}
	return all
}

// place names a part of a policy; "" is the policy as a whole.
func (h *hook) place(part string) string {
	if part == "" {
		return h.String()
	}
	return h.String() + ": " + part
}
