package scaffold

import (
	"encoding/json"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

// matches reports whether a policy is about a resource.
func (p Policy) matches(group, plural string) bool {
	var policy admissionregistrationv1.ValidatingAdmissionPolicy
	data, _ := json.Marshal(p.Object) // it was decoded
	if json.Unmarshal(data, &policy) != nil || policy.Spec.MatchConstraints == nil {
		return false
	}
	var rules []admissionregistrationv1.RuleWithOperations
	for _, rule := range policy.Spec.MatchConstraints.ResourceRules {
		rules = append(rules, rule.RuleWithOperations)
	}
	return rulesMatch(rules, group, plural)
}

// policyName returns the name of the policy that a binding is of.
func (p Policy) policyName() string {
	spec, _ := p.Object["spec"].(map[string]any)
	name, _ := spec["policyName"].(string)
	return name
}

// policiesOf returns the policies that match a definition, with all bindings.
func (p *Project) policiesOf(d *Definition) (found []Policy) {
	matches := false
	for _, policy := range p.Policies {
		switch policy.Object["kind"] {
		case "ValidatingAdmissionPolicy":
			if policy.matches(d.CRD.Spec.Group, d.CRD.Spec.Names.Plural) {
				matches = true
				found = append(found, policy)
			}
		case "ValidatingAdmissionPolicyBinding":
			found = append(found, policy)
		}
	}
	if !matches {
		return nil
	}
	return slices.DeleteFunc(found, func(binding Policy) bool {
		return binding.Object["kind"] == "ValidatingAdmissionPolicyBinding" && !slices.ContainsFunc(found, func(policy Policy) bool {
			return policy.Object["kind"] == "ValidatingAdmissionPolicy" && nameOf(policy.Object) == binding.policyName()
		})
	})
}
