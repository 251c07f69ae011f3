package evaluation_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/policies/evaluation"
	"github.com/diffrun/diffrun/harness/contract"
)

// TestParts holds the parts of policies that a request reaches, and those that acted ("!").
func TestParts(t *testing.T) {
	for _, tt := range []struct {
		why, file, want string
		request         evaluation.Request
	}{
		{"no condition excludes it, no validation denies it", "replicas.yaml",
			`replica-limit/replica-limit-test: matchConditions[0] validations[0] validations[1]`,
			create("apps/v1", "Deployment", "staging", "{spec: {replicas: 3}}")},
		{"a validation denies it", "replicas.yaml",
			`replica-limit/replica-limit-test!: matchConditions[0] validations[0]! validations[1]`,
			create("apps/v1", "Deployment", "staging", "{spec: {replicas: 4}}")},
		{"a condition excludes it, so no validation is reached", "replicas.yaml",
			`replica-limit/replica-limit-test excluded: matchConditions[0]!`,
			create("apps/v1", "Deployment", "staging", "{metadata: {labels: {exempt: 'true'}}, spec: {replicas: 4}}")},
		{"of two parameters one is violated", "replicas.yaml",
			`replica-limit/replica-limit-production!: matchConditions[0] validations[0]! validations[1]`,
			create("apps/v1", "Deployment", "shop", "{spec: {replicas: 60}}")},
		{"no parameter is found, so no expression is reached", "replicas.yaml",
			`replica-limit/replica-limit-test!:`,
			create("apps/v1", "Deployment", "empty", "{spec: {replicas: 1}}")},
		{"the constraints do not match", "replicas.yaml", ``,
			create("apps/v1", "StatefulSet", "staging", "{spec: {replicas: 4}}")},
	} {
		t.Run(tt.why, func(t *testing.T) {
			set := load(t, tt.file)
			outcome, err := set.Validate(t.Context(), tt.request)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, asked := range outcome.Asked {
				got = append(got, askedText(asked))
				checkDeclared(t, set.Guards(), asked)
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "; ")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// askedText returns the names of the policy and its binding, and of the parts that were evaluated.
func askedText(asked contract.Asked) string {
	acted := map[bool]string{true: "!"}
	names := strings.Split(asked.Guard, `"`)
	text := names[1] + "/" + names[3] + acted[asked.Acted] + map[bool]string{true: " excluded"}[asked.Excluded] + ":"
	for _, part := range asked.Parts {
		text += " " + part.Guard + acted[part.Acted]
	}
	return text
}

// checkDeclared checks that the guard lists each part that was evaluated, with its line and expression.
func checkDeclared(t *testing.T, guards []contract.Guard, asked contract.Asked) {
	t.Helper()
	declared := map[string]contract.Part{}
	for _, guard := range guards {
		for _, part := range guard.Parts {
			declared[guard.Name+part.Name] = part
		}
	}
	for _, part := range asked.Parts {
		if found := declared[asked.Guard+part.Guard]; !strings.Contains(found.Where, ".yaml:") || found.Text == "" {
			t.Errorf("%s %s is not among the guards: %+v", asked.Guard, part.Guard, found)
		}
	}
}
