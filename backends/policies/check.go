package policies

import (
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// checkPolicy finds what the API server would refuse to store and what would change how the
// policy is evaluated (k8s.io/kubernetes/pkg/apis/admissionregistration/validation).
func checkPolicy(spec *admissionregistrationv1.ValidatingAdmissionPolicySpec) []wrong {
	var found findings
	found.oneOf("spec.failurePolicy", string(*spec.FailurePolicy), "Fail", "Ignore")
	if kind := spec.ParamKind; kind != nil {
		found.required("spec.paramKind.apiVersion", kind.APIVersion)
		found.required("spec.paramKind.kind", kind.Kind)
	}
	if spec.MatchConstraints == nil || len(spec.MatchConstraints.ResourceRules) == 0 {
		found.add("spec.matchConstraints.resourceRules", "at least one rule is wanted that says which resources the policy is for")
	}
	found.matching("spec.matchConstraints", spec.MatchConstraints)
	if len(spec.Validations) == 0 && len(spec.AuditAnnotations) == 0 {
		found.add("spec.validations", "the policy has neither validations nor auditAnnotations, so it says nothing")
	}
	names := map[string]bool{}
	for i, condition := range spec.MatchConditions {
		at := place("matchConditions", i, "name")
		found.required(at, condition.Name)
		if names[condition.Name] {
			found.add(at, "a second condition %q", condition.Name)
		}
		names[condition.Name] = true
	}
	for i, variable := range spec.Variables {
		found.required(place("variables", i, "name"), variable.Name)
	}
	for i, validation := range spec.Validations {
		found.required(place("validations", i, "expression"), validation.Expression)
		if strings.Contains(strings.TrimSpace(validation.Message), "\n") {
			found.add(place("validations", i, "message"), "the message must be one line")
		}
		if validation.Reason != nil {
			found.oneOf(place("validations", i, "reason"), string(*validation.Reason), "Unauthorized", "Forbidden", "Invalid", "RequestEntityTooLarge")
		}
	}
	for i, annotation := range spec.AuditAnnotations {
		found.required(place("auditAnnotations", i, "key"), annotation.Key)
		found.required(place("auditAnnotations", i, "valueExpression"), annotation.ValueExpression)
	}
	return found
}

// checkBinding finds the same of a binding.
func checkBinding(spec *admissionregistrationv1.ValidatingAdmissionPolicyBindingSpec) []wrong {
	var found findings
	found.required("spec.policyName", spec.PolicyName)
	if len(spec.ValidationActions) == 0 {
		found.add("spec.validationActions", "at least one action is wanted (Deny, Warn, Audit)")
	}
	for i, action := range spec.ValidationActions {
		at := fmt.Sprintf("spec.validationActions[%d]", i)
		found.oneOf(at, string(action), "Deny", "Warn", "Audit")
		if slices.Contains(spec.ValidationActions[:i], action) {
			found.add(at, "%s is there twice", action)
		}
	}
	if slices.Contains(spec.ValidationActions, admissionregistrationv1.Deny) && slices.Contains(spec.ValidationActions, admissionregistrationv1.Warn) {
		found.add("spec.validationActions", "Deny and Warn exclude each other")
	}
	if ref := spec.ParamRef; ref != nil {
		switch {
		case ref.Name == "" && ref.Selector == nil:
			found.add("spec.paramRef", "name or selector is wanted")
		case ref.Name != "" && ref.Selector != nil:
			found.add("spec.paramRef", "name and selector exclude each other")
		}
		if ref.Selector != nil {
			found.selector("spec.paramRef.selector", ref.Selector)
		}
		action := ""
		if ref.ParameterNotFoundAction != nil {
			action = string(*ref.ParameterNotFoundAction)
		}
		found.oneOf("spec.paramRef.parameterNotFoundAction", action, "Allow", "Deny")
	}
	found.matching("spec.matchResources", spec.MatchResources)
	return found
}

// findings collects what is wrong with an object.
type findings []wrong

func (f *findings) add(path, format string, args ...any) {
	*f = append(*f, wrong{path, fmt.Sprintf(format, args...)})
}

func (f *findings) required(path, value string) {
	if strings.TrimSpace(value) == "" {
		f.add(path, "a value is missing")
	}
}

func (f *findings) oneOf(path, value string, accepted ...string) {
	if !slices.Contains(accepted, value) {
		f.add(path, "%q is not accepted; accepted: %s", value, strings.Join(accepted, ", "))
	}
}

func (f *findings) selector(path string, selector *metav1.LabelSelector) {
	if _, err := metav1.LabelSelectorAsSelector(selector); err != nil {
		f.add(path, "%v", err)
	}
}

func (f *findings) matching(path string, resources *admissionregistrationv1.MatchResources) {
	if resources == nil {
		return
	}
	f.oneOf(path+".matchPolicy", string(*resources.MatchPolicy), "Exact", "Equivalent")
	f.selector(path+".namespaceSelector", resources.NamespaceSelector)
	f.selector(path+".objectSelector", resources.ObjectSelector)
	f.rules(path+".resourceRules", resources.ResourceRules)
	f.rules(path+".excludeResourceRules", resources.ExcludeResourceRules)
}

func (f *findings) rules(path string, rules []admissionregistrationv1.NamedRuleWithOperations) {
	for i, rule := range rules {
		at := fmt.Sprintf("%s[%d]", path, i)
		for _, list := range []struct {
			name string
			size int
		}{{"apiGroups", len(rule.APIGroups)}, {"apiVersions", len(rule.APIVersions)}, {"resources", len(rule.Resources)}, {"operations", len(rule.Operations)}} {
			if list.size == 0 {
				f.add(at+"."+list.name, "the list is empty, so the rule matches nothing")
			}
		}
		for j, operation := range rule.Operations {
			f.oneOf(fmt.Sprintf("%s.operations[%d]", at, j), string(operation), "CREATE", "UPDATE", "DELETE", "CONNECT", "*")
		}
		f.oneOf(at+".scope", string(*rule.Scope), "Cluster", "Namespaced", "*")
	}
}
