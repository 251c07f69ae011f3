package evaluation

import (
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/userfile"
)

// MissingFields returns the fields that policies read, but that the schema does not require and the
// policy does not check with has(). Without the field the expression is an error, and failurePolicy
// decides. The API server does not warn about it. Resources without Schema are skipped.
func (s *Set) MissingFields() userfile.Mistakes {
	var found userfile.Mistakes
	checked := map[*admissionregistrationv1.ValidatingAdmissionPolicy]bool{}
	for _, hook := range s.hooks {
		if checked[hook.policy] {
			continue
		}
		checked[hook.policy] = true
		said := map[string]bool{}
		for _, resource := range s.resources {
			for _, version := range matched(hook.policy, resource) {
				schema := resource.Schema(version)
				for _, one := range missingIn(hook.policy, schema) {
					if said[one.path+one.field] {
						continue
					}
					said[one.path+one.field] = true
					found.Addf(hook.at(one.path), "%s: %s may be missing: the schema of %s in %s does not require it, and the expression "+
						"does not check it with has(); without the field the expression is an error, and the request %s; write has(%[2]s) "+
						"&& … or !has(%[2]s) || …",
						one.path, one.field, resource.Kind.Kind, version, outcomeOfError(hook.policy))
				}
			}
		}
	}
	return found
}

// outcomeOfError describes what an error of a policy does to a request.
func outcomeOfError(policy *admissionregistrationv1.ValidatingAdmissionPolicy) string {
	if of := policy.Spec.FailurePolicy; of != nil && *of == admissionregistrationv1.Ignore {
		return "passes unchecked (failurePolicy: Ignore)"
	}
	return "is refused (failurePolicy: Fail)"
}

// matched returns the versions of a resource, with schemas, that a policy matches on create or
// update.
func matched(policy *admissionregistrationv1.ValidatingAdmissionPolicy, resource Resource) []string {
	if resource.Schema == nil || policy.Spec.MatchConstraints == nil {
		return nil
	}
	var all []string
	for _, of := range resource.Versions {
		version := of.Version
		if resource.Schema(version) != nil && slices.ContainsFunc(policy.Spec.MatchConstraints.ResourceRules,
			func(rule admissionregistrationv1.NamedRuleWithOperations) bool {
				has := func(list []string, names ...string) bool {
					return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(list, name) })
				}
				writes := slices.ContainsFunc(rule.Operations, func(operation admissionregistrationv1.OperationType) bool {
					return operation == admissionregistrationv1.OperationAll || operation == admissionregistrationv1.Create ||
						operation == admissionregistrationv1.Update
				})
				return writes && has(rule.APIGroups, of.Group, "*") && has(rule.APIVersions, version, "*") &&
					has(rule.Resources, of.Plural, "*", "*/*")
			}) {
			all = append(all, version)
		}
	}
	return all
}

// missing is a field that an expression reads and that may be absent.
type missing struct{ path, field string }

// missingIn returns the missing fields of a policy.
func missingIn(policy *admissionregistrationv1.ValidatingAdmissionPolicy, schema *spec.Schema) []missing {
	var found []missing
	r := newFieldReader(policy, nil, map[string]*spec.Schema{"object": schema})
	eachRead(r, policy, func(path string) {
		for _, field := range r.Found {
			found = append(found, missing{path, field})
		}
	})
	return found
}
