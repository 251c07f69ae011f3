package scaffold

import (
	"encoding/json"

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
