package evaluation

import "github.com/diffrun/diffrun/harness/contract"

// located returns the places of denials: policy, binding and the validation, such as
// `ValidatingAdmissionPolicy "ports" with binding "all": validations[1]`.
func (b *bound) located(denials []Denial) []contract.Located {
	var all []contract.Located
	for _, denial := range denials {
		for _, hook := range b.hooks {
			if hook.policy.Name == denial.Policy && (denial.Binding == "" || hook.binding.Name == denial.Binding) {
				all = append(all, hook.located(denial))
				break
			}
		}
	}
	return all
}

// located returns the place of a denial, and its file and line.
func (h *hook) located(denial Denial) contract.Located {
	place, path := h.String(), "spec"
	if denial.Part != "" {
		place, path = place+": "+denial.Part, path+"."+denial.Part
	}
	return contract.Located{Error: denial.Error(), Declared: []string{place}, Position: h.at(path).String()}
}
