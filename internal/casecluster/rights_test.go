package casecluster_test

import (
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/internal/casecluster"
)

// TestRightsMistakes: an object of RBAC that a cluster would read otherwise is a mistake, not a lack of rights.
func TestRightsMistakes(t *testing.T) {
	const head = "apiVersion: rbac.authorization.k8s.io/v1\n"
	for _, tt := range []struct{ why, object, want string }{
		{"a misspelled field, which would be a right to all names", "kind: Role\nmetadata: {name: a, namespace: b}\nrules: " +
			"[{apiGroups: [''], resources: [pods], verbs: [get], resourceName: [x]}]",
			`the Role "a" in the cluster of the case: strict decoding error: unknown field "rules[0].resourceName"`},
		{"a misspelled kind", "kind: Clusterrole\nmetadata: {name: a}", `the Clusterrole "a" in the cluster of the case: ` +
			`rbac.authorization.k8s.io has no such kind; it has ClusterRole, ClusterRoleBinding, Role and RoleBinding`},
		{"rules that only a cluster fills in", "kind: ClusterRole\nmetadata: {name: a}\naggregationRule: {clusterRoleSelectors: " +
			"[{matchLabels: {of: admins}}]}", `the ClusterRole "a" in the cluster of the case: rules are empty, because only a ` +
			`cluster fills in those of an aggregationRule; write them into the case`},
		{"a Role of no namespace", "kind: Role\nmetadata: {name: a}",
			`the Role "a" in the cluster of the case: metadata.namespace is missing`},
		{"a RoleBinding of no namespace, which would be one of all", "kind: RoleBinding\nmetadata: {name: a}\nroleRef: {kind: " +
			"Role, name: a}", `the RoleBinding "a" in the cluster of the case: metadata.namespace is missing`},
		{"an object of another group", "", ""},
	} {
		object := map[string]any{"apiVersion": "v1", "kind": "Role"}
		if tt.object != "" {
			if err := yaml.Unmarshal([]byte(head+tt.object), &object); err != nil {
				t.Fatal(err)
			}
		}
		_, err := casecluster.RightsOf([]map[string]any{object})
		if got := errorText(err); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.why, got, tt.want)
		}
	}
}

// TestRightsOfMissingRoles: a binding to a role that the case lacks says nothing about the rights of its users.
func TestRightsOfMissingRoles(t *testing.T) {
	object := map[string]any{}
	if err := yaml.Unmarshal([]byte("apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: a, "+
		"namespace: b}\nroleRef: {kind: Role, name: c}\nsubjects: [{kind: User, name: alice}]"), &object); err != nil {
		t.Fatal(err)
	}
	rights, err := casecluster.RightsOf([]map[string]any{object})
	if err != nil {
		t.Fatal(err)
	}
	right := casecluster.Right{Verb: "get", Resource: "pods", Namespace: "b"}
	if allowed, err := rights.Allow("alice", nil, right); allowed ||
		!strings.HasPrefix(errorText(err), `whether "alice" may get pods is not known: a binding is to the Role "c" in the `+
			`namespace "b"; `) {
		t.Errorf("alice: %v, %v", allowed, err)
	}
	if allowed, err := rights.Allow("bob", nil, right); allowed || err != nil {
		t.Errorf("bob, whom no binding names: %v, %v", allowed, err)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
