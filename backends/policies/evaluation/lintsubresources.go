package evaluation

import (
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

// changedBy is a field that requests to a subresource change, so that a rule for the resource alone does not see it.
type changedBy struct{ field, resource, subresource, how string }

func fieldsOfSubresources() []changedBy {
	all := []changedBy{
		{"ephemeralContainers", "pods", "ephemeralcontainers", "kubectl debug sets it only there"},
		{"resources", "pods", "resize", "a running Pod is resized there"},
	}
	for _, resource := range []string{"deployments", "replicasets", "statefulsets", "replicationcontrollers"} {
		all = append(all, changedBy{"replicas", resource, "scale", "kubectl scale and autoscalers change it there"})
	}
	return all
}

// subresources reports requests that change what the policy reads and that its rules do not match.
func (l *linter) subresources() {
	if l.policy.Spec.MatchConstraints == nil {
		return
	}
	rules := l.policy.Spec.MatchConstraints.ResourceRules
	for i, rule := range rules {
		path := fmt.Sprintf("spec.matchConstraints.resourceRules[%d].resources", i)
		if slices.Contains(rule.Resources, "*") && !slices.ContainsFunc(rules, seesSubresources) {
			l.add(lintUnseenSubresource, path, `"*" matches all resources and none of their subresources`)
			continue
		}
		for _, of := range fieldsOfSubresources() {
			if slices.Contains(rule.Resources, of.resource) && l.selects(of.field) &&
				!slices.ContainsFunc(rules, func(rule admissionregistrationv1.NamedRuleWithOperations) bool {
					return sees(rule, of.resource, of.subresource)
				}) {
				l.add(lintUnseenSubresource, path, "the expressions read %s, and no rule has %s/%s: %s", of.field, of.resource,
					of.subresource, of.how)
			}
		}
	}
}

// seesSubresources reports whether a rule is for any subresource.
func seesSubresources(rule admissionregistrationv1.NamedRuleWithOperations) bool {
	return slices.ContainsFunc(rule.Resources, func(name string) bool { return strings.Contains(name, "/") })
}

// sees reports whether a rule is for a subresource.
func sees(rule admissionregistrationv1.NamedRuleWithOperations, resource, subresource string) bool {
	return slices.ContainsFunc([]string{resource + "/" + subresource, resource + "/*", "*/" + subresource, "*/*"},
		func(name string) bool { return slices.Contains(rule.Resources, name) })
}
