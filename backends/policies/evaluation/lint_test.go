package evaluation_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/policies/evaluation"
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// TestLint: what is unwise, and similar policies that are right.
func TestLint(t *testing.T) {
	of := served.Schema(t, `{type: object, required: [spec], properties: {metadata: {type: object}, spec: {type: object, `+
		`required: [size, replicas], properties: {size: {type: integer}, replicas: {type: integer}, mode: {type: string}}}}}`)
	parameters := served.Schema(t, `{type: object, properties: {metadata: {type: object}, most: {type: integer}}}`)
	resource := func(plural, kind string, of *spec.Schema) evaluation.LintResource {
		version := serving.Version{GroupVersionKind: schema.GroupVersionKind{Group: "g", Version: "v1", Kind: kind}, Plural: plural}
		return evaluation.LintResource{
			Description: serving.Description{Kind: version.GroupKind(), Versions: []serving.Version{version}},
			Schema:      func(schema.GroupVersionKind) (*spec.Schema, map[string]*spec.Schema) { return of, nil },
		}
	}
	options := evaluation.LintOptions{
		Resources: []evaluation.LintResource{
			resource("things", "Thing", of),
			resource("limits", "Limit", parameters),
			resource("deployments", "Deployment", of),
		},
		AlwaysTrue: func(expression string, _ *spec.Schema, _ map[string]*spec.Schema) bool {
			return slices.Contains([]string{
				"object.spec.size == object.spec.size",
				"object.spec.size * (object.spec.size + 1) > 0 && has(object.spec.size)",
			}, expression)
		},
	}
	const parameter = "paramKind: {apiVersion: g/v1, kind: Limit}\n  "
	for _, tt := range []struct {
		why, resources, policy, binding string
		want                            []string // lint, path and what
	}{
		{"nothing is wrong", "things", "validations: [{expression: object.spec.size < 10}]", "", nil},
		{"a field that is not checked", "things", "validations: [{expression: object.spec.mode == 'a'}]", "",
			[]string{"policy-unguarded-field: spec.validations[0].expression: object.spec.mode may be missing in a Thing; " +
				"without it the request is refused (failurePolicy: Fail)"}},
		{"a resource whose schema is unknown", "others", "validations: [{expression: object.spec.mode == 'a'}]", "", nil},
		{"a field that may be removed and added", "things", "validations: [{expression: '!has(object.spec.mode) || " +
			"!has(oldObject.spec.mode) || object.spec.mode == oldObject.spec.mode'}]", "",
			[]string{"policy-transition: spec.validations[0].expression: object.spec.mode is compared with its old value only if " +
				"both are set: it may be removed, and then set to another value"}},
		{"the same, of a resource whose schema is unknown", "others", "validations: [{expression: '!has(object.spec.mode) || " +
			"!has(oldObject.spec.mode) || object.spec.mode == oldObject.spec.mode'}]", "",
			[]string{"policy-transition: spec.validations[0].expression: object.spec.mode is compared with its old value only if " +
				"both are set: it may be removed, and then set to another value"}},
		{"a condition excludes both", "things", "matchConditions: [{name: a, expression: 'has(object.spec.mode) && " +
			"has(oldObject.spec.mode)'}]\n  validations: [{expression: 'object.spec.mode == oldObject.spec.mode'}]", "",
			[]string{"policy-transition: spec.validations[0].expression: object.spec.mode is compared with its old value only if " +
				"both are set: it may be removed, and then set to another value"}},
		{"it may be added once", "things", "validations: [{expression: '!has(oldObject.spec.mode) || has(object.spec.mode) && " +
			"object.spec.mode == oldObject.spec.mode'}]", "", nil},
		{"another validation forbids to remove it", "things", "validations: [{expression: '!has(object.spec.mode) || " +
			"!has(oldObject.spec.mode) || object.spec.mode == oldObject.spec.mode'}, {expression: '!has(oldObject.spec.mode) || " +
			"has(object.spec.mode)'}]", "", nil},
		{"both must have it", "things", "validations: [{expression: 'has(object.spec.mode) && has(oldObject.spec.mode) && " +
			"object.spec.mode == oldObject.spec.mode'}]", "", nil},
		{"a field of the parameter", "things", parameter + "validations: [{expression: object.spec.size < params.most}]", "",
			[]string{"policy-unguarded-parameter: spec.validations[0].expression: params.most may be missing; without it the " +
				"request is refused (failurePolicy: Fail)"}},
		{"a field of the parameter that is checked", "things",
			parameter + "validations: [{expression: '!has(params.most) || object.spec.size < params.most'}]",
			"paramRef: {name: a, parameterNotFoundAction: Deny}", nil},
		{"a binding without a parameter", "things", parameter + "validations: [{expression: 'object.spec.size < params.?most.orValue(3)'}]",
			"validationActions: [Deny]",
			[]string{"policy-unguarded-parameter: spec.policyName: the binding has no paramRef, so params is null, " +
				"and the expressions of \"p\" that read it fail"}},
		{"a binding without a parameter, which is checked", "things",
			parameter + "validations: [{expression: 'params == null || object.spec.size < params.?most.orValue(3)'}]",
			"validationActions: [Deny]", nil},
		{"a validation that is always true", "things", "validations: [{expression: object.spec.size == object.spec.size}]", "",
			[]string{"policy-never-refuses: spec.validations[0].expression: the expression is true for each object that " +
				"Kubernetes accepts"}},
		{"one through variables", "things", "variables: [{name: spec, expression: object.spec}, {name: size, expression: " +
			"variables.spec.size}]\n  validations: [{expression: variables.size == variables . size}]", "",
			[]string{"policy-never-refuses: spec.validations[0].expression: the expression is true for each object that " +
				"Kubernetes accepts"}},
		{"a variable whose name is a part of \"variables\", and macros", "things", "variables: [{name: a, expression: " +
			"object.spec.size + 1}]\n  validations: [{expression: 'object.spec.size * variables.a > 0 && has(object.spec.size)'}]", "",
			[]string{"policy-never-refuses: spec.validations[0].expression: the expression is true for each object that " +
				"Kubernetes accepts"}},
		{"no subresource", "'*'", "validations: [{expression: 'true'}]", "",
			[]string{
				`policy-unseen-subresource: spec.matchConstraints.resourceRules[0].resources: "*" matches all resources and none ` +
					`of their subresources`,
			}},
		{"all of them", "'*/*'", "validations: [{expression: 'true'}]", "", nil},
		{"replicas that are scaled", "deployments", "validations: [{expression: object.spec.replicas < 5}]", "",
			[]string{"policy-unseen-subresource: spec.matchConstraints.resourceRules[0].resources: the expressions read replicas, " +
				"and no rule has deployments/scale: kubectl scale and autoscalers change it there"}},
		{"scales are seen", "deployments, '*/scale'", "validations: [{expression: object.spec.replicas < 5}]", "", nil},
		{"a parameter of the same name", "deployments", "paramKind: {apiVersion: v1, kind: ConfigMap}\n  validations: " +
			"[{expression: object.spec.size < params.data.replicas}]", "", nil},
	} {
		t.Run(tt.why, func(t *testing.T) {
			operations := "CREATE, UPDATE"
			if strings.Contains(tt.policy, "oldObject") { // TestLintNulls is about creations
				operations = "UPDATE"
			}
			text := "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: p}\nspec:\n " +
				" matchConstraints:\n    resourceRules:\n    - {apiGroups: [g], apiVersions: [v1], operations: [" + operations +
				"], resources: [" +
				tt.resources + "]}\n  " + tt.policy + "\n"
			if tt.binding != "" {
				if !strings.Contains(tt.binding, "validationActions") {
					tt.binding += "\n  validationActions: [Deny]"
				}
				text += "---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: " +
					"b}\nspec:\n  policyName: p\n  " + tt.binding + "\n"
			}
			found, err := evaluation.Lint([]evaluation.File{{Name: "a.yaml", Data: []byte(text)}}, options)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, one := range found {
				if one.Position.Line < 4 || one.Position.File != "a.yaml" {
					t.Errorf("%+v", one)
				}
				got = append(got, one.Lint+": "+one.Path+": "+one.What)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestLintNulls: expressions that read a variable that is null for some requests, and the same ones mended.
func TestLintNulls(t *testing.T) {
	schemaOf := func(text string) func(schema.GroupVersionKind) (*spec.Schema, map[string]*spec.Schema) {
		of := served.Schema(t, text)
		return func(schema.GroupVersionKind) (*spec.Schema, map[string]*spec.Schema) { return of, nil }
	}
	resource := func(plural, kind string, namespaced bool) evaluation.LintResource {
		version := serving.Version{GroupVersionKind: schema.GroupVersionKind{Group: "g", Version: "v1", Kind: kind}, Plural: plural}
		return evaluation.LintResource{
			Description: serving.Description{Kind: version.GroupKind(), Versions: []serving.Version{version}, Namespaced: namespaced},
			Schema:      schemaOf(`{type: object}`),
		}
	}
	options := evaluation.LintOptions{Resources: []evaluation.LintResource{
		resource("things", "Thing", true), resource("zones", "Zone", false),
	}}
	const reading = "validations: [{expression: object.spec.a > 1}]"
	for _, tt := range []struct {
		why, resource, operations, policy string
		want                              string // place and the variable
	}{
		{"object on DELETE", "things", "DELETE", reading, "validations[0].expression: object is null on DELETE"},
		{"object on all operations", "things", "'*'", reading, "validations[0].expression: object is null on DELETE"},
		{"no deletion is matched", "things", "CREATE, UPDATE", reading, ""},
		{"a condition leaves deletions out", "things", "'*'",
			"matchConditions: [{name: a, expression: \"request.operation != 'DELETE'\"}]\n  " + reading, ""},
		{"the validation tests null", "things", "'*'", "validations: [{expression: object == null || object.spec.a > 1}]", ""},
		{"it tests the operation", "things", "'*'", "validations: [{expression: \"!(request.operation in ['CREATE', 'UPDATE']) || " +
			"object.spec.a > 1\"}]", ""},
		{"has() of null is false", "things", "DELETE", "validations: [{expression: '!has(object.spec) || object.spec.a > 1'}]", ""},
		{"has() reads what is around its field", "things", "DELETE", "validations: [{expression: '!has(object.spec.a)'}]",
			"validations[0].expression: object is null on DELETE"},
		{"an optional field", "things", "DELETE", "validations: [{expression: 'object.?spec.a.orValue(2) > 1'}]", ""},
		{"through a variable", "things", "DELETE", "variables: [{name: s, expression: object.spec}]\n  validations: [{expression: " +
			"variables.s.a > 1}]", "validations[0].expression: object is null on DELETE"},
		{"the old object on CREATE", "things", "CREATE, UPDATE", "validations: [{expression: oldObject.spec.a > 1}]",
			"validations[0].expression: oldObject is null on CREATE"},
		{"only updates are matched", "things", "UPDATE", "validations: [{expression: oldObject.spec.a > 1}]", ""},
		{"the condition that tests null", "things", "CREATE, UPDATE", "matchConditions: [{name: a, expression: oldObject != null}]\n  " +
			"validations: [{expression: oldObject.spec.a > 1}]", ""},
		{"a matchCondition", "things", "CREATE", "matchConditions: [{name: a, expression: oldObject.spec.a > 1}]\n  " +
			"validations: [{expression: 'true'}]", "matchConditions[0].expression: oldObject is null on CREATE"},
		{"a message", "things", "CREATE, UPDATE",
			"validations: [{expression: object.spec.a > 1, messageExpression: \"string(oldObject.spec.a)\"}]",
			"validations[0].messageExpression: oldObject is null on CREATE"},
		{"the message of a validation that holds then", "things", "CREATE, UPDATE", "validations: [{expression: oldObject == null || " +
			"object.spec.a > 1, messageExpression: \"string(oldObject.spec.a)\"}]", ""},
		{"the namespace in matchConditions", "things", "CREATE", "matchConditions: [{name: a, expression: namespaceObject.metadata.name " +
			"!= 'x'}]\n  validations: [{expression: 'true'}]", "matchConditions[0].expression: namespaceObject is null in matchConditions"},
		{"the namespace of a validation", "things", "CREATE", "validations: [{expression: namespaceObject.metadata.name != 'x'}]", ""},
		{"the namespace of a kind without one", "zones", "CREATE", "validations: [{expression: namespaceObject.metadata.name != 'x'}]",
			"validations[0].expression: namespaceObject is null for a Zone"},
		{"it is tested", "zones", "CREATE",
			"validations: [{expression: namespaceObject == null || namespaceObject.metadata.name != 'x'}]", ""},
	} {
		text := "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: p}\nspec:\n" +
			"  matchConstraints:\n    resourceRules:\n" +
			"    - {apiGroups: [g], apiVersions: [v1], operations: [" + tt.operations +
			"], resources: [" + tt.resource + "]}\n  " + tt.policy + "\n"
		found, err := evaluation.Lint([]evaluation.File{{Name: "a.yaml", Data: []byte(text)}}, options)
		if err != nil {
			t.Fatalf("%s: %v", tt.why, err)
		}
		got := ""
		for _, one := range found {
			got += one.Path + ": " + one.What + "\n"
		}
		if (tt.want == "") != (got == "") || tt.want != "" && !strings.HasPrefix(got, "spec."+tt.want) {
			t.Errorf("%s: want %q, got %q", tt.why, tt.want, got)
		}
	}
}

// TestLintReleases: an API server accepts in policies what the release before it can evaluate.
func TestLintReleases(t *testing.T) {
	for _, tt := range []struct{ why, expression, want string }{
		{"all releases with policies accept it", "object.spec.a > 1 && isQuantity('1')", ""},
		{"a function of 1.30", "isIP(object.spec.a)", "1.31: Kubernetes 1.30 refuses it: line 1, column 5: undeclared reference to 'isIP'"},
		{"two of them: the newest counts", "isIP('::1') && isSemver('1.0.0')", "1.34: Kubernetes 1.33 refuses it"},
	} {
		text := "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: p}\nspec:\n" +
			"  matchConstraints:\n    resourceRules:\n" +
			"    - {apiGroups: [g], apiVersions: [v1], operations: [CREATE], resources: [things]}\n" +
			"  validations: [{expression: \"" + tt.expression + "\"}]\n"
		found, err := evaluation.Lint([]evaluation.File{{Name: "a.yaml", Data: []byte(text)}}, evaluation.LintOptions{})
		if err != nil {
			t.Fatalf("%s: %v", tt.why, err)
		}
		got := ""
		for _, one := range found {
			got += one.Release + ": " + one.What
		}
		if (tt.want == "") != (got == "") || !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: want %q, got %q", tt.why, tt.want, got)
		}
	}
}
