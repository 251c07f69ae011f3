package policy

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// yaml returns the policies with their bindings: one for writes, and one for deletions.
func (p *Policies) yaml(target *evidence.Target) ([]byte, error) {
	version := target.Version
	plural := strings.ToLower(version.Kind) + "s"
	for _, v := range target.Harness.Target().Versions {
		if v.GroupVersionKind == version {
			plural = cmp.Or(v.Resource, plural)
		}
	}
	var out bytes.Buffer
	out.WriteString("# What a definition cannot say, proposed by diffrun infer.\n")
	for _, rules := range p.byOperations() {
		name := strings.ToLower(plural + "." + cmp.Or(version.Group, "core") + "-" + strings.Join(rules[0].Operations, "-"))
		var validations []map[string]any
		for _, rule := range rules {
			one := map[string]any{"expression": rule.Expression}
			if rule.Message != "" {
				one["message"] = rule.Message
			}
			if rule.Reason != "" {
				one["reason"] = rule.Reason
			}
			validations = append(validations, one)
		}
		for _, document := range []map[string]any{
			{
				"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
				"metadata": map[string]any{"name": name},
				"spec": map[string]any{
					"failurePolicy": "Fail",
					"matchConstraints": map[string]any{"resourceRules": []any{map[string]any{
						"apiGroups": []string{version.Group}, "apiVersions": []string{version.Version}, "operations": rules[0].Operations,
						"resources": []string{plural},
					}}},
					"validations": validations,
				},
			},
			{
				"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
				"metadata": map[string]any{"name": name},
				"spec":     map[string]any{"policyName": name, "validationActions": []string{"Deny"}},
			},
		} {
			text, err := yaml.Marshal(document)
			if err != nil {
				return nil, err
			}
			out.WriteString("---\n")
			out.Write(text)
		}
	}
	return out.Bytes(), nil
}

// byOperations returns the validations of each policy.
func (p *Policies) byOperations() (all [][]*Rule) {
	for _, rule := range p.All() {
		at := slices.IndexFunc(all, func(of []*Rule) bool { return slices.Equal(of[0].Operations, rule.Operations) })
		if at < 0 {
			all = append(all, nil)
			at = len(all) - 1
		}
		all[at] = append(all[at], rule)
	}
	return all
}
