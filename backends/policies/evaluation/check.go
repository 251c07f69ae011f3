package evaluation

import (
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// checkPolicy returns mistakes that the API server would refuse to store or that would change how the policy
// is evaluated (k8s.io/kubernetes/pkg/apis/admissionregistration/validation).
func checkPolicy(name string, spec *admissionregistrationv1.ValidatingAdmissionPolicySpec) []wrong {
	found := checkShared(spec)
	if len(spec.Validations) == 0 && len(spec.AuditAnnotations) == 0 {
		found.add("spec.validations", "the policy has neither validations nor auditAnnotations, so it has no effect")
	}
	for i, v := range spec.Validations {
		found.validation(i, v)
	}
	keys := map[string]bool{}
	for i, annotation := range spec.AuditAnnotations {
		at := place("auditAnnotations", i, "key")
		if found.required(at, annotation.Key) {
			found.each(at, validation.IsQualifiedName(name+"/"+annotation.Key))
		}
		if keys[annotation.Key] {
			found.add(at, "a second annotation %q", annotation.Key)
		}
		keys[annotation.Key] = true
		found.required(place("auditAnnotations", i, "valueExpression"), annotation.ValueExpression)
	}
	return found
}

// checkMutating does the same for a mutating policy. spec has what it shares with a validating one.
func checkMutating(policy *admissionregistrationv1.MutatingAdmissionPolicy,
	spec *admissionregistrationv1.ValidatingAdmissionPolicySpec) []wrong {
	found := checkShared(spec)
	found.oneOf("spec.reinvocationPolicy", string(policy.Spec.ReinvocationPolicy), "Never", "IfNeeded")
	if spec.MatchConstraints != nil {
		for i, rule := range spec.MatchConstraints.ResourceRules {
			for _, operation := range rule.Operations {
				found.oneOf(fmt.Sprintf("spec.matchConstraints.resourceRules[%d].operations", i), string(operation), "CREATE", "UPDATE")
			}
		}
	}
	if len(policy.Spec.Mutations) == 0 {
		found.add("spec.mutations", "the policy has no mutations, so it changes nothing")
	}
	for i, m := range policy.Spec.Mutations {
		apply, patch := "", ""
		if m.ApplyConfiguration != nil {
			apply = m.ApplyConfiguration.Expression
		}
		if m.JSONPatch != nil {
			patch = m.JSONPatch.Expression
		}
		switch m.PatchType {
		case admissionregistrationv1.PatchTypeApplyConfiguration:
			found.required(place("mutations", i, "applyConfiguration.expression"), apply)
		case admissionregistrationv1.PatchTypeJSONPatch:
			found.required(place("mutations", i, "jsonPatch.expression"), patch)
		default:
			found.oneOf(place("mutations", i, "patchType"), string(m.PatchType), "ApplyConfiguration", "JSONPatch")
		}
		if m.ApplyConfiguration != nil && m.JSONPatch != nil {
			found.add(place("mutations", i, "jsonPatch"), "applyConfiguration and jsonPatch exclude each other")
		}
	}
	return found
}

// checkShared checks the fields that both kinds of policies have.
func checkShared(spec *admissionregistrationv1.ValidatingAdmissionPolicySpec) findings {
	var found findings
	found.oneOf("spec.failurePolicy", string(*spec.FailurePolicy), "Fail", "Ignore")
	if kind := spec.ParamKind; kind != nil {
		found.required("spec.paramKind.apiVersion", kind.APIVersion)
		if _, err := schema.ParseGroupVersion(kind.APIVersion); err != nil {
			found.add("spec.paramKind.apiVersion", "%v", err)
		}
		found.required("spec.paramKind.kind", kind.Kind)
	}
	if spec.MatchConstraints == nil || len(spec.MatchConstraints.ResourceRules) == 0 {
		found.add("spec.matchConstraints.resourceRules", "at least one rule is required; it selects the resources of the policy")
	}
	found.matching("spec.matchConstraints", spec.MatchConstraints)
	found.conditions(spec.MatchConditions)
	for i, variable := range spec.Variables {
		at := place("variables", i, "name")
		if found.required(at, variable.Name) && !isIdentifier(variable.Name) {
			found.add(at, "%q is not a name that CEL has for a variable", variable.Name)
		}
		found.required(place("variables", i, "expression"), variable.Expression)
	}
	return found
}

// checkBinding does the same for a binding of a policy that validates, or mutates.
func checkBinding(spec *admissionregistrationv1.ValidatingAdmissionPolicyBindingSpec, validates bool) []wrong {
	var found findings
	found.required("spec.policyName", spec.PolicyName)
	if validates && len(spec.ValidationActions) == 0 {
		found.add("spec.validationActions", "at least one action is required (Deny, Warn, Audit)")
	}
	for i, action := range spec.ValidationActions {
		at := fmt.Sprintf("spec.validationActions[%d]", i)
		found.oneOf(at, string(action), "Deny", "Warn", "Audit")
		if slices.Contains(spec.ValidationActions[:i], action) {
			found.add(at, "%s is there twice", action)
		}
	}
	if slices.Contains(spec.ValidationActions, admissionregistrationv1.Deny) && slices.Contains(spec.ValidationActions,
		admissionregistrationv1.Warn) {
		found.add("spec.validationActions", "Deny and Warn exclude each other")
	}
	if ref := spec.ParamRef; ref != nil {
		switch {
		case ref.Name == "" && ref.Selector == nil:
			found.add("spec.paramRef", "name or selector is required")
		case ref.Name != "" && ref.Selector != nil:
			found.add("spec.paramRef.name", "name and selector exclude each other")
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

// findings collects the mistakes in an object.
type findings []wrong

func (f *findings) add(path, format string, args ...any) {
	*f = append(*f, wrong{path, fmt.Sprintf(format, args...)})
}

// required reports whether the value is present.
func (f *findings) required(path, value string) bool {
	if strings.TrimSpace(value) != "" {
		return true
	}
	f.add(path, "a value is missing")
	return false
}

func (f *findings) each(path string, messages []string) {
	for _, message := range messages {
		f.add(path, "%s", message)
	}
}

func (f *findings) conditions(conditions []admissionregistrationv1.MatchCondition) {
	names := map[string]bool{}
	for i, condition := range conditions {
		at := place("matchConditions", i, "name")
		if found := f.required(at, condition.Name); found {
			f.each(at, validation.IsQualifiedName(condition.Name))
		}
		if names[condition.Name] {
			f.add(at, "a second condition %q", condition.Name)
		}
		names[condition.Name] = true
		f.required(place("matchConditions", i, "expression"), condition.Expression)
	}
}

func (f *findings) validation(i int, v admissionregistrationv1.Validation) {
	f.required(place("validations", i, "expression"), v.Expression)
	if v.Message != "" {
		f.required(place("validations", i, "message"), v.Message)
	}
	if v.MessageExpression != "" {
		f.required(place("validations", i, "messageExpression"), v.MessageExpression)
	}
	if strings.Contains(strings.TrimSpace(v.Message), "\n") {
		f.add(place("validations", i, "message"), "the message must be one line")
	}
	if v.Reason != nil {
		f.oneOf(place("validations", i, "reason"), string(*v.Reason), "Unauthorized", "Forbidden", "Invalid", "RequestEntityTooLarge")
	}
}

func (f *findings) oneOf(path, value string, accepted ...string) {
	if !slices.Contains(accepted, value) {
		f.add(path, "%q is not accepted; accepted: %s", value, strings.Join(accepted, ", "))
	}
}

func (f *findings) selector(path string, selector *metav1.LabelSelector) {
	for _, err := range metav1validation.ValidateLabelSelector(selector, metav1validation.LabelSelectorValidationOptions{}, nil) {
		f.add(path+"."+err.Field, "%s", err.ErrorBody())
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
		f.list(at+".apiGroups", rule.APIGroups, true)
		f.list(at+".apiVersions", rule.APIVersions, false)
		f.resources(at+".resources", rule.Resources)
		operations := make([]string, len(rule.Operations))
		for j, operation := range rule.Operations {
			operations[j] = string(operation)
		}
		f.list(at+".operations", operations, false)
		for j, name := range rule.ResourceNames {
			if slices.Contains(rule.ResourceNames[:j], name) {
				f.add(fmt.Sprintf("%s.resourceNames[%d]", at, j), "%q is there twice", name)
			}
		}
		for j, operation := range rule.Operations {
			f.oneOf(fmt.Sprintf("%s.operations[%d]", at, j), string(operation), "CREATE", "UPDATE", "DELETE", "CONNECT", "*")
		}
		f.oneOf(at+".scope", string(*rule.Scope), "Cluster", "Namespaced", "*")
	}
}

// list checks a list of names, which may be "*". The core group has an empty name.
func (f *findings) list(path string, names []string, mayBeEmpty bool) {
	if len(names) == 0 {
		f.add(path, "the list is empty, so the rule matches nothing")
	}
	if len(names) > 1 && slices.Contains(names, "*") {
		f.add(path, `"*" matches everything, so nothing else may be listed`)
	}
	for i, name := range names {
		if !mayBeEmpty {
			f.required(fmt.Sprintf("%s[%d]", path, i), name)
		}
	}
}

// resources checks a list of resources, with or without a subresource.
func (f *findings) resources(path string, names []string) {
	whole := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return strings.Contains(name, "/") })
	if len(whole) > 0 || len(names) == 0 {
		f.list(path, whole, false)
	}
	if len(names) > 1 && slices.Contains(names, "*/*") {
		f.add(path, `"*/*" matches everything, so nothing else may be listed`)
	}
}

// isIdentifier reports whether CEL parses a name as an identifier.
func isIdentifier(name string) bool {
	e := celexpr.Parse(name)
	return e != nil && e.AsIdent() == name
}
