package evaluation_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"

	"github.com/diffrun/diffrun/backends/policies/evaluation"
	"github.com/diffrun/diffrun/userfile"
)

const policyHead = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [g], apiVersions: [v1], operations: [CREATE], resources: [things]}]
`

const bound = `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: b}
spec:
  policyName: p
  validationActions: [Deny]
`

// TestLoadMistakes: all mistakes in the files are reported at once, each with its line.
func TestLoadMistakes(t *testing.T) {
	for _, tt := range []struct{ why, text, want string }{
		{"a good one", policyHead + "  validations: [{expression: 'true'}]\n" + bound, ""},
		{"older versions are accepted", strings.ReplaceAll(policyHead+"  validations: [{expression: 'true'}]\n"+bound,
			"/v1\n", "/v1alpha1\n"), ""},
		{"a version that never was", strings.ReplaceAll(policyHead+"  validations: [{expression: 'true'}]\n", "k8s.io/v1\n", "k8s.io/v2\n"),
			`a.yaml:1: there is no ValidatingAdmissionPolicy in version "v2"; accepted: ["v1" "v1beta1" "v1alpha1"]`},
		{"nothing", "# nothing\n", "a.yaml: there is no ValidatingAdmissionPolicy in these files"},
		{"no policy", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
			"a.yaml: there is no ValidatingAdmissionPolicy in these files"},
		{"no object", "a: b\n", "a.yaml:1: expected an object with apiVersion and kind: a ValidatingAdmissionPolicy, " +
			"a ValidatingAdmissionPolicyBinding, a parameter or a Namespace"},
		{"no YAML", "a: [\n", "a.yaml:1: not YAML: did not find expected node content"},
		{"the policy is not valid YAML, so nothing is known about it", policyHead + "  validations: [\n---" +
			strings.SplitN(bound, "---", 2)[1], "a.yaml:7: not YAML: did not find expected node content"},
		{"no YAML in the binding", policyHead + "  validations: [{expression: 'true'}]\n---\na: [\n",
			"a.yaml:9: not YAML: did not find expected node content"},
		{"unknown keys, deep inside too", policyHead + "  validation: []\n  validations:\n  - expression: 'true'\n    mesage: a\n" + bound,
			"a.yaml:7: a ValidatingAdmissionPolicy has no field spec.validation\na.yaml:10: a ValidatingAdmissionPolicy has no " +
				"field spec.validations[0].mesage"},
		{"a value of the wrong type", policyHead + "  validations: yes please\n", "a.yaml:7: no ValidatingAdmissionPolicy: " +
			"spec.validations must be a list, not text"},
		{"expressions that do not compile, each with its line and its place inside", policyHead + `  variables:
  - {name: a, expression: object.}
  matchConditions:
  - {name: m, expression: variables.a == 1}
  validations:
  - expression: |-
      true &&
      nobody == 1
  - expression: '1'
  - expression: "true"
    messageExpression: "1 + 1"
  - expression: "params == null"
  auditAnnotations:
  - {key: k, valueExpression: 'true'}
` + bound,
			"a.yaml:8: spec.variables[0].expression: line 1, column 8: Syntax error: no viable alternative at input '.'\n" +
				"a.yaml:10: spec.matchConditions[0].expression: line 1, column 1: undeclared reference to 'variables' (in container '')\n" +
				"a.yaml:12: spec.validations[0].expression: line 2, column 1: undeclared reference to 'nobody' (in container '')\n" +
				"a.yaml:15: spec.validations[1].expression: must evaluate to bool but got int\n" +
				"a.yaml:17: spec.validations[2].messageExpression: must evaluate to string but got int\n" +
				"a.yaml:18: spec.validations[3].expression: line 1, column 1: undeclared reference to 'params' (in container '')\n" +
				"a.yaml:20: spec.auditAnnotations[0].valueExpression: must evaluate to one of [string null_type] but got bool"},
		{"a policy that asks for rights, which the requests state",
			policyHead + "  validations:\n  - expression: authorizer.group('').resource('pods').check('get').allowed()\n" + bound, ""},
		{"no binding", policyHead + "  validations: [{expression: 'true'}]\n",
			`a.yaml:3: ValidatingAdmissionPolicy "p" has no binding, so it does nothing; add a ValidatingAdmissionPolicyBinding ` +
				`with spec.policyName: p`},
		{"a binding of a missing policy", policyHead + "  validations: [{expression: 'true'}]\n" + bound +
			strings.NewReplacer("name: b", "name: c", "policyName: p", "policyName: q").Replace(bound),
			`a.yaml:20: there is no ValidatingAdmissionPolicy "q" in these files; there are "p"`},
		{"twice the same", policyHead + "  validations: [{expression: 'true'}]\n" + bound + bound + "---\n" + policyHead,
			`a.yaml:18: a second ValidatingAdmissionPolicyBinding "b"; the first is in a.yaml:11: remove one of them` + "\n" +
				`a.yaml:25: a second ValidatingAdmissionPolicy "p"; the first is in a.yaml:3: remove one of them`},
		{"a mutating policy", strings.Replace(policyHead, "kind: Validating", "kind: Mutating", 1),
			"a.yaml:2: a MutatingAdmissionPolicy changes objects, and policies are those that refuse them; name the file under " +
				"mutate: {policies: […]} of the same side"},
		{"no parameters",
			strings.Replace(policyHead, "spec:\n", "spec:\n  paramKind: {apiVersion: g/v1, kind: Limit}\n", 1) +
				"  validations: [{expression: 'params.max > 1'}]\n" + bound + "  paramRef: {name: a, parameterNotFoundAction: Deny}\n",
			`a.yaml:5: no file has a parameter of g/v1, kind Limit, which ValidatingAdmissionPolicyBinding "b" refers to; ` +
				`add the parameters, or the CustomResourceDefinition of the kind if there are none on purpose`},
		{"none on purpose",
			strings.Replace(policyHead, "spec:\n", "spec:\n  paramKind: {apiVersion: g/v1, kind: Limit}\n", 1) +
				"  validations: [{expression: 'params.max > 1'}]\n" + bound +
				"  paramRef: {name: a, parameterNotFoundAction: Deny}\n---\n" +
				"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: limits.g}\nspec: {group: g, " +
				"scope: Cluster, names: {kind: Limit}}\n", ""},
		{"parameters in a different version, without a name, and a cluster-scoped one",
			strings.Replace(policyHead, "spec:\n", "spec:\n  paramKind: {apiVersion: g/v1, kind: Limit}\n", 1) +
				"  validations: [{expression: 'params.max > 1'}]\n" + bound + "  paramRef: {name: a, parameterNotFoundAction: Deny}\n" +
				"---\napiVersion: g/v2\nkind: Limit\nmetadata: {name: a}\n---\napiVersion: g/v1\nkind: Limit\n---\napiVersion: " +
				"g/v1\nkind: Limit\nmetadata: {name: a}\n---\napiVersion: g/v1\nkind: Limit\nmetadata: {name: a, namespace: a}\n",
			`a.yaml:18: this Limit is in version v2, and ValidatingAdmissionPolicy "p" wants its parameters in version v1` + "\n" +
				"a.yaml:22: metadata.name: a value is missing\n" +
				`a.yaml:27: the parameter Limit "a" is in no namespace; add metadata.namespace`},
		{"namespaces without a name and twice", "apiVersion: v1\nkind: Namespace\nmetadata: {}\n---\napiVersion: v1\nkind: " +
			"Namespace\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n",
			"a.yaml:3: metadata.name: a value is missing\n" + `a.yaml:11: a second Namespace "a"`},
	} {
		t.Run(tt.why, func(t *testing.T) {
			_, err := evaluation.Load([]evaluation.File{{Name: "a.yaml", Data: []byte(tt.text)}}, evaluation.Options{})
			got := ""
			if mistakes := (userfile.Mistakes)(nil); errors.As(err, &mistakes) {
				got = mistakes.Error()
			} else if err != nil {
				t.Errorf("the error is a %T", err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestAuthorizer: with an authorizer, a policy may check permissions.
func TestAuthorizer(t *testing.T) {
	text := policyHead + "  validations:\n  - expression: authorizer.group('').resource('pods').check('get').allowed()\n " +
		"   message: no right to read pods\n" + bound
	for want, options := range map[int]evaluation.Options{
		0: {Authorizer: authorizerfactory.NewAlwaysAllowAuthorizer()},
		1: {Authorizer: authorizerfactory.NewAlwaysDenyAuthorizer()},
	} {
		set, err := evaluation.Load([]evaluation.File{{Name: "a.yaml", Data: []byte(text)}}, options)
		if err != nil {
			t.Fatal(err)
		}
		outcome, err := set.Validate(t.Context(), create("g/v1", "Thing", "a", "{}"))
		if err != nil || len(outcome.Errors) != want {
			t.Errorf("got %v, %v; want %d errors", outcome.Errors, err, want)
		}
	}
}

// TestMissing: an object that neither the files nor the request have is a fault, but only if the policy
// matches.
func TestMissing(t *testing.T) {
	for _, tt := range []struct{ why, expression, namespaces, namespace, user, fault string }{
		{"the namespace object is read", "namespaceObject.metadata.labels.a == 'b'", "", "space", "u",
			`ValidatingAdmissionPolicy "p" with binding "b" looks at the namespace "space", which is neither among the files of ` +
				`the policies nor in the cluster of the case; add a Namespace of that name`},
		{"it is there", "namespaceObject.metadata.labels.a == 'b'", "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: " +
			"space, labels: {a: b}}\n", "space", "u", ""},
		{"a cluster-scoped object has none", "namespaceObject == null", "", "", "u", ""},
		{"the label that every namespace has", "true", "", "space", "u", ""},
		{"the user is read", "request.userInfo.username == 'u'", "", "space", "",
			`ValidatingAdmissionPolicy "p" with binding "b" reads request.userInfo, and the request has no user; say who sends it`},
		{"it is there", "request.userInfo.username == 'u'", "", "space", "u", ""},
	} {
		t.Run(tt.why, func(t *testing.T) {
			text := policyHead + "    namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, " +
				"values: [space]}]}\n  validations: [{expression: \"" + tt.expression + "\"}]\n" + bound + tt.namespaces
			set, err := evaluation.Load([]evaluation.File{{Name: "a.yaml", Data: []byte(text)}}, evaluation.Options{})
			if err != nil {
				t.Fatal(err)
			}
			request := create("g/v1", "Thing", tt.namespace, "{}")
			request.User.Username = tt.user
			outcome, err := set.Validate(t.Context(), request)
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != tt.fault || len(outcome.Errors) != 0 {
				t.Errorf("got %q and %v, want %q", got, outcome.Errors, tt.fault)
			}
			request.Resource.Resource = "others"
			if outcome, err := set.Validate(t.Context(), request); err != nil || len(outcome.Errors) != 0 {
				t.Errorf("a request that does not match: %v, %v", outcome.Errors, err)
			}
		})
	}
}

// TestMissingParameters: the API server denies, or skips the policy, if a binding names a parameter that is not there.
func TestMissingParameters(t *testing.T) {
	text := strings.Replace(policyHead, "spec:\n", "spec:\n  paramKind: {apiVersion: v1, kind: ConfigMap}\n", 1) +
		"  validations: [{expression: 'has(params.data)'}]\n" + bound +
		"  paramRef: {name: NAME, namespace: a, parameterNotFoundAction: ACTION}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: " +
		"{name: here, namespace: a}\n"
	for _, tt := range []struct{ why, name, action, want string }{
		{"it is there", "here", "Deny", ""},
		{"all requests are denied", "gone", "Deny", `a.yaml:16: no file has the ConfigMap "a/gone" that the binding names, ` +
			`so each request only gets parameterNotFoundAction: Deny; there are "a/here"; correct the name, or add the parameter ` +
			`to the files under policies`},
		{"no request is looked at", "gone", "Allow", `a.yaml:16: no file has the ConfigMap "a/gone" that the binding names, ` +
			`so each request only gets parameterNotFoundAction: Allow; there are "a/here"; correct the name, or add the parameter ` +
			`to the files under policies`},
	} {
		set, err := evaluation.Load([]evaluation.File{
			{Name: "a.yaml", Data: []byte(strings.NewReplacer("NAME", tt.name, "ACTION", tt.action).Replace(text))},
		}, evaluation.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := set.MissingParameters().Error(); got != tt.want {
			t.Errorf("%s:\n%s, want\n%s", tt.why, got, tt.want)
		}
	}
}
