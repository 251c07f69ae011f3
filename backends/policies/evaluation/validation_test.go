package evaluation_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/admissionregistration"
	"k8s.io/kubernetes/pkg/apis/admissionregistration/validation"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/policies/evaluation"
)

const goodPolicy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  failurePolicy: Fail
  matchConstraints:
    matchPolicy: Exact
    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: a}}
    objectSelector: {}
    resourceRules: [{apiGroups: [g], apiVersions: [v1], operations: [CREATE], resources: [things], scope: Namespaced}]
    excludeResourceRules: [{apiGroups: [g], apiVersions: [v1], operations: ['*'], resources: [things], resourceNames: [a]}]
  matchConditions:
  - {name: one, expression: 'true'}
  - {name: two, expression: has(object.a)}
  variables:
  - {name: v, expression: object.b}
  validations:
  - {expression: variables.v == 1, message: must be one, reason: Forbidden}
  - {expression: 'true', messageExpression: "'a'"}
  auditAnnotations:
  - {key: k, valueExpression: "'a'"}
`

const goodBinding = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: b}
spec:
  policyName: p
  validationActions: [Deny, Audit]
  paramRef: {name: a, namespace: rules, parameterNotFoundAction: Allow}
  matchResources:
    objectSelector: {matchLabels: {a: b}}
`

// TestAgainstValidation compares the mistakes with the API server's validation of policies and bindings: Load
// rejects what the API server refuses to store, at the same field, and reads everything else.
func TestAgainstValidation(t *testing.T) {
	for _, tt := range []struct{ why, in, old, new string }{
		{"a good policy", goodPolicy, "Fail", "Ignore"},
		{"failure policy", goodPolicy, "Fail", "Panic"},
		{"match policy", goodPolicy, "Exact", "Fuzzy"},
		{"scope", goodPolicy, "Namespaced", "World"},
		{"operation", goodPolicy, "[CREATE]", "[MAKE]"},
		{"no operations", goodPolicy, "[CREATE]", "[]"},
		{"no groups", goodPolicy, "[{apiGroups: [g]", "[{apiGroups: []"},
		{"no versions", goodPolicy, "apiVersions: [v1], operations: [CREATE]", "apiVersions: [], operations: [CREATE]"},
		{"no resources", goodPolicy, "resources: [things], scope", "resources: [], scope"},
		{"an operation of an exclusion", goodPolicy, "['*']", "[NONE]"},
		{"all operations and one", goodPolicy, "['*']", "['*', CREATE]"},
		{"a group that is all and one", goodPolicy, "[{apiGroups: [g]", "[{apiGroups: ['*', g]"},
		{"a resource that is all and one", goodPolicy, "resources: [things], scope", "resources: ['*', things], scope"},
		{"an empty resource", goodPolicy, "resources: [things], scope", "resources: [''], scope"},
		{"an empty version", goodPolicy, "apiVersions: [v1], operations: [CREATE]", "apiVersions: [''], operations: [CREATE]"},
		{"a resource name twice", goodPolicy, "resourceNames: [a]", "resourceNames: [a, a]"},
		{"a selector", goodPolicy, "objectSelector: {}", "objectSelector: {matchExpressions: [{key: a, operator: Is}]}"},
		{"a label of a selector", goodPolicy, "objectSelector: {}", "objectSelector: {matchLabels: {'a b': c}}"},
		{"no rules", goodPolicy, "[{apiGroups: [g], apiVersions: [v1], operations: [CREATE], resources: [things], scope: Namespaced}]",
			"[]"},
		{"a condition without a name", goodPolicy, "{name: one, ", "{"},
		{"a condition with an invalid name", goodPolicy, "{name: one, ", "{name: 'a b', "},
		{"a condition twice", goodPolicy, "name: two", "name: one"},
		{"a condition without an expression", goodPolicy, ", expression: has(object.a)", ""},
		{"a condition that names variables", goodPolicy, "has(object.a)", "variables.v == 1"},
		{"a variable that is no identifier", goodPolicy, "name: v", "name: v-1"},
		{"a variable without a name", goodPolicy, "name: v,", ""},
		{"a variable without an expression", goodPolicy, ", expression: object.b", ""},
		{"a variable that does not compile", goodPolicy, "object.b", "nobody"},
		{"an expression of a different type", goodPolicy, "variables.v == 1", "object.a.size()"},
		{"an empty expression", goodPolicy, "expression: variables.v == 1", "expression: ' '"},
		{"a variable that is not there", goodPolicy, "variables.v == 1", "variables.w == 1"},
		{"a message with two lines", goodPolicy, "must be one", `"a\nb"`},
		{"an empty message", goodPolicy, "must be one", "' '"},
		{"an empty messageExpression", goodPolicy, `"'a'"}` + "\n  audit", `" "}` + "\n  audit"},
		{"a messageExpression of a different type", goodPolicy, `messageExpression: "'a'"`, `messageExpression: "1"`},
		{"a messageExpression that asks for rights", goodPolicy, `messageExpression: "'a'"`,
			`messageExpression: "authorizer.path('/a').check('get').reason()"`},
		{"a reason", goodPolicy, "reason: Forbidden", "reason: NotFound"},
		{"an annotation without a key", goodPolicy, "key: k, ", ""},
		{"an annotation with an invalid key", goodPolicy, "key: k", "key: 'a/b/c'"},
		{"an annotation of a different type", goodPolicy, `valueExpression: "'a'"`, `valueExpression: "1"`},
		{"an annotation twice", goodPolicy, "  auditAnnotations:\n", "  auditAnnotations:\n  - {key: k, valueExpression: \"'b'\"}\n"},
		{"parameters that no paramKind announces", goodPolicy, "variables.v == 1", "params.a == 1"},
		{"a paramKind without a kind", goodPolicy, "  failurePolicy", "  paramKind: {apiVersion: v1}\n  failurePolicy"},
		{"a paramKind without a version", goodPolicy, "  failurePolicy", "  paramKind: {kind: ConfigMap}\n  failurePolicy"},
		{"a paramKind with an invalid version", goodPolicy, "  failurePolicy",
			"  paramKind: {apiVersion: a/b/c, kind: A}\n  failurePolicy"},
		{"an invalid name", goodPolicy, "{name: p}", "{name: A_B}"},
		{"no name", goodPolicy, "{name: p}", "{}"},
		{"a good binding", goodBinding, "Allow", "Deny"},
		{"no policy name", goodBinding, "policyName: p", "policyName: ''"},
		{"no actions", goodBinding, "[Deny, Audit]", "[]"},
		{"an unknown action", goodBinding, "[Deny, Audit]", "[Deny, Log]"},
		{"an action twice", goodBinding, "[Deny, Audit]", "[Deny, Deny]"},
		{"Deny and Warn", goodBinding, "[Deny, Audit]", "[Deny, Warn]"},
		{"name and selector", goodBinding, "name: a,", "name: a, selector: {},"},
		{"neither name nor selector", goodBinding, "name: a,", ""},
		{"an invalid selector", goodBinding, "name: a,", "selector: {matchExpressions: [{key: a, operator: Is}]},"},
		{"no action for parameters that are not found", goodBinding, ", parameterNotFoundAction: Allow", ""},
		{"an unknown one", goodBinding, "Allow", "Warn"},
		{"match resources", goodBinding, "{matchLabels: {a: b}}", "{matchLabels: {a: b c}}"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			text := strings.Replace(tt.in, tt.old, tt.new, 1)
			if text == tt.in {
				t.Fatalf("%q is not in the text", tt.old)
			}
			upstream := validateUpstream(t, text)
			got := ""
			if _, err := evaluation.Load([]evaluation.File{{Name: "a.yaml", Data: []byte(withTheOther(tt.in, text))}},
				evaluation.Options{}); err != nil {
				got = err.Error()
			}
			if len(upstream) == 0 && got != "" {
				t.Errorf("the API server stores it; got %s", got)
			}
			if len(upstream) > 0 && !strings.Contains(got, upstream[0].Field+": ") { // the others follow from the first
				t.Errorf("the API server says %v; got %q", upstream[0], got)
			}
		})
	}
}

// withTheOther adds a valid binding to a policy, and vice versa.
func withTheOther(in, text string) string {
	if in == goodPolicy {
		return text + "---\n" + strings.Replace(goodBinding, "  paramRef: {name: a, namespace: rules, "+
			"parameterNotFoundAction: Allow}\n", "", 1)
	}
	return text + "---\n" + goodPolicy
}

// validateUpstream decodes, defaults and validates as the API server does.
func validateUpstream(t *testing.T, text string) field.ErrorList {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	object, err := runtime.Decode(legacyscheme.Codecs.UniversalDecoder(), data)
	if err != nil {
		t.Fatal(err)
	}
	internal, err := legacyscheme.Scheme.ConvertToVersion(object, admissionregistration.SchemeGroupVersion)
	if err != nil {
		t.Fatal(err)
	}
	switch object := internal.(type) {
	case *admissionregistration.ValidatingAdmissionPolicy:
		return validation.ValidateValidatingAdmissionPolicy(object)
	case *admissionregistration.ValidatingAdmissionPolicyBinding:
		return validation.ValidateValidatingAdmissionPolicyBinding(object)
	default:
		t.Fatalf("a %T", object)
		return nil
	}
}
