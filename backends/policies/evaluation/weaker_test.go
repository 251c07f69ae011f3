package evaluation_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/policies/evaluation"
)

const ranged = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: ranged}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], resources: [deployments, replicasets], operations: [CREATE, UPDATE]}
    - {apiGroups: [batch], apiVersions: [v1], resources: [jobs], operations: ["*"]}
  matchConditions:
  - {name: not-exempt, expression: "!has(object.metadata.labels) || !('exempt' in object.metadata.labels)"}
  validations:
  - {expression: "object.spec.replicas > 1 && object.spec.replicas <= 5"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: first}
spec: {policyName: ranged, validationActions: [Deny]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: second}
spec: {policyName: ranged, validationActions: [Deny], matchResources: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: a}}}}
`

// TestWeaker holds the changes to a policy, and how many of four requests each form of it denies: replicas of 1,
// 3 and 6, and 6 with the label that exempts; all are creates of a Deployment in namespace b.
func TestWeaker(t *testing.T) {
	set, err := evaluation.Load([]evaluation.File{{Name: "p.yaml", Data: []byte(ranged)}}, evaluation.Options{})
	if err != nil {
		t.Fatal(err)
	}
	denied := func(set *evaluation.Set) (all string) {
		for _, object := range []string{
			"{spec: {replicas: 1}}",
			"{spec: {replicas: 3}}",
			"{spec: {replicas: 6}}",
			"{metadata: {labels: {exempt: ''}}, spec: {replicas: 6}}",
		} {
			outcome, err := set.Validate(t.Context(), create("apps/v1", "Deployment", "b", object))
			if err != nil {
				t.Fatal(err)
			}
			all += map[bool]string{true: "x", false: "-"}[len(outcome.Errors) > 0]
		}
		return all
	}
	got := []string{denied(set) + " as it is"}
	for _, weaker := range set.Weaker() {
		changed, err := weaker.Changed()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, denied(changed.(*evaluation.Set))+" "+weaker.Change)
		if len(weaker.Guards) != 2 || !strings.HasPrefix(weaker.Where, "p.yaml:") {
			t.Errorf("%+v", weaker)
		}
	}
	want := []string{
		"x-x- as it is",
		"x-xx matchConditions[0] !has(object.metadata.labels) || !('exempt' in object.metadata.labels) → true",
		"x--- validations[0] without object.spec.replicas <= 5",
		"--x- validations[0] without object.spec.replicas > 1",
		"--x- validations[0] object.spec.replicas > 1 → object.spec.replicas >= 1",
		"---- validations[0] object.spec.replicas > 1 && object.spec.replicas <= 5 → true",
		"---- matchConstraints.resourceRules[0] left out",
		"---- matchConstraints.resourceRules[0] without the operation CREATE",
		"x-x- matchConstraints.resourceRules[0] without the operation UPDATE",
		"---- matchConstraints.resourceRules[0] without deployments",
		"x-x- matchConstraints.resourceRules[0] without replicasets",
		"x-x- matchConstraints.resourceRules[1] left out",
		"x-x- matchConstraints.resourceRules[1] without the operation CREATE",
		"x-x- matchConstraints.resourceRules[1] without the operation UPDATE",
		"x-x- matchConstraints.resourceRules[1] without the operation DELETE",
		"x-x- matchConstraints.resourceRules[1] without the operation CONNECT",
		`---- binding "first" left out`,
		`x-x- binding "second" left out`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := denied(set); got != "x-x-" {
		t.Errorf("the set itself has changed: %s", got)
	}
}
