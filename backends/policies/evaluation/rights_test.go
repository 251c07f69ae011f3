package evaluation_test

import (
	"cmp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/policies/evaluation"
)

// objects reads YAML documents.
func objects(t *testing.T, text string) (all []map[string]any) {
	t.Helper()
	for _, one := range strings.Split(text, "---\n") {
		object := map[string]any{}
		if err := yaml.Unmarshal([]byte(one), &object); err != nil {
			t.Fatal(err)
		}
		all = append(all, object)
	}
	return all
}

// TestRights: what the user of a request may do is what the Roles and bindings in its cluster state. Without any, it is
// known of administrators only.
func TestRights(t *testing.T) {
	const approves = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: approver, namespace: a}
rules: [{apiGroups: [g], resources: [signers], verbs: [approve], resourceNames: [one]}]
---
`
	const boundTo = `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: approver, namespace: a}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: approver}
subjects: [{kind: User, name: USER}]
`
	const signer = "authorizer.group('g').resource('signers').namespace(object.metadata.namespace).name('one').check('approve').allowed()"
	for _, tt := range []struct {
		why, expression, cluster string
		user                     string // alice; "-": nobody
		groups                   []string
		denied                   bool
		fault                    string
	}{
		{why: "the user has the right", expression: signer, cluster: approves + strings.Replace(boundTo, "USER", "alice", 1)},
		{why: "someone else has it", expression: signer, cluster: approves + strings.Replace(boundTo, "USER", "bob", 1), denied: true},
		{why: "nobody has it", expression: signer, cluster: strings.TrimSuffix(approves, "---\n"), denied: true},
		{why: "another name", expression: strings.Replace(signer, "'one'", "'two'", 1),
			cluster: approves + strings.Replace(boundTo, "USER", "alice", 1), denied: true},
		{why: "another namespace", expression: strings.Replace(signer, "object.metadata.namespace", "'b'", 1),
			cluster: approves + strings.Replace(boundTo, "USER", "alice", 1), denied: true},
		{why: "an administrator", expression: signer, groups: []string{"system:masters"}},
		{why: "the case states no rights", expression: signer, fault: `asks for the rights of the user (authorizer): ` +
			`whether "alice" may approve signers is not known`},
		{why: "a binding to a role that the case lacks", expression: signer, cluster: strings.Replace(boundTo, "USER", "alice", 1),
			fault: `whether "alice" may approve signers is not known: a binding is to the Role "approver" in the namespace "a"`},
		{why: "an expression that goes on without an answer", expression: signer + " || true",
			fault: `Policy "p" with binding "b" asks for the rights of the user`},
		{why: "nobody sends the request", expression: signer, user: "-", cluster: approves + strings.Replace(boundTo, "USER", "alice", 1),
			fault: "the request has no user; say who sends it"},
		{why: "a role that cannot be read", expression: signer,
			cluster: strings.Replace(approves, "resourceNames", "resourceName", 1) + strings.Replace(boundTo, "USER", "alice", 1),
			fault:   `unknown field "rules[0].resourceName"`},
		{why: "an expression that asks nothing", expression: "authorizer != null || true"},
		{why: "a path", expression: "authorizer.path('/healthz').check('get').allowed()",
			cluster: approves + strings.Replace(boundTo, "USER", "alice", 1), fault: "only rights to resources"},
	} {
		set, err := evaluation.Load([]evaluation.File{
			{Name: "a.yaml", Data: []byte(policyHead + "  validations:\n  - expression: " + `"` + tt.expression + "\"\n" + bound)},
		}, evaluation.Options{})
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		request := create("g/v1", "Thing", "a", "{}")
		if request.User.Username, request.User.Groups = strings.TrimSuffix(cmp.Or(tt.user, "alice"), "-"), tt.groups; tt.cluster != "" {
			request.Cluster = objects(t, tt.cluster)
		}
		outcome, err := set.Validate(t.Context(), request)
		switch {
		case tt.fault != "":
			if err == nil || !strings.Contains(err.Error(), tt.fault) {
				t.Errorf("%s: %v, %v; want the fault %q", tt.why, outcome.Errors, err, tt.fault)
			}
		case err != nil || tt.denied != (len(outcome.Errors) > 0):
			t.Errorf("%s: %v, %v; want denied: %v", tt.why, outcome.Errors, err, tt.denied)
		}
	}
}

// TestRightsInMutations: mutating policies ask for the same rights. A fault names the policy that asks, not one before it.
func TestRightsInMutations(t *testing.T) {
	text := mutation("another", `reinvocationPolicy: Never
  matchConditions: [{name: may, expression: "false && authorizer.group('g').resource('sizes').check('set').allowed()"}]
  mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/spec/size', value: 8}]"}}]`) + "---\n" +
		mutation("resize", `reinvocationPolicy: Never
  matchConditions: [{name: may, expression: "authorizer.group('g').resource('sizes').check('set').allowed()"}]
  mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/spec/size', value: 7}]"}}]`)
	set, err := evaluation.LoadMutations([]evaluation.File{{Name: "a.yaml", Data: []byte(text)}},
		evaluation.Options{Resources: []evaluation.Resource{widgets(t)}})
	if err != nil {
		t.Fatal(err)
	}
	const rights = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: sizer}
rules: [{apiGroups: [g], resources: [sizes], verbs: ['*']}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: sizer}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: sizer}
subjects: [{kind: Group, name: developers}]
`
	for _, tt := range []struct {
		why, cluster string
		groups       []string
		changed      bool
		fault        string
	}{
		{"the group has the right", rights, []string{"developers"}, true, ""},
		{"another group", rights, []string{"others"}, false, ""},
		{"no rights are stated", "", []string{"developers"}, false, `Policy "resize" with binding "resize" asks for the rights ` +
			`of the user (authorizer): whether "alice" may set sizes is not known`},
	} {
		request := widget()
		if request.User.Username, request.User.Groups = "alice", tt.groups; tt.cluster != "" {
			request.Cluster = objects(t, tt.cluster)
		}
		mutated, err := set.Start().Mutate(t.Context(), request)
		if tt.fault != "" {
			if err == nil || !strings.Contains(err.Error(), tt.fault) {
				t.Errorf("%s: %v, %v", tt.why, mutated, err)
			}
		} else if err != nil || (mutated.Object != nil) != tt.changed {
			t.Errorf("%s: %v, %v", tt.why, mutated, err)
		}
	}
}
