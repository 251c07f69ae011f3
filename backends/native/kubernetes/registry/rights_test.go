package registry_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/kubernetes/pkg/registry/rbac/validation"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac"

	"github.com/diffrun/diffrun/internal/casecluster"
)

// TestRightsAsRBAC: the rights that a case states are those that Kubernetes' RBAC authorizer grants. Where that finds no role
// for a binding of the user, and so no opinion, the rights are not known.
func TestRightsAsRBAC(t *testing.T) {
	source := rand.New(rand.NewPCG(1, 2))
	one := func(of ...string) string { return of[source.IntN(len(of))] }
	some := func(of ...string) (all []string) {
		for _, text := range of {
			if source.IntN(3) == 0 {
				all = append(all, text)
			}
		}
		return all
	}
	rule := func() rbacv1.PolicyRule {
		return rbacv1.PolicyRule{
			Verbs:         some("approve", "get", "*"),
			APIGroups:     some("", "g", "*"),
			Resources:     some("things", "things/status", "*", "*/status", "others"),
			ResourceNames: some("", "a", "b"),
		}
	}
	subject := func() rbacv1.Subject {
		return rbacv1.Subject{Kind: one("User", "Group", "ServiceAccount"), Name: one("alice", "team", "bot"), Namespace: one("", "x", "y")}
	}
	allowed, unknown := 0, 0
	for range 4_000 {
		var objects []map[string]any
		add := func(kind string, object any) {
			converted, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
			if err != nil {
				t.Fatal(err)
			}
			converted["apiVersion"], converted["kind"] = "rbac.authorization.k8s.io/v1", kind
			objects = append(objects, converted)
		}
		var roles []*rbacv1.Role
		var bindings []*rbacv1.RoleBinding
		var clusterRoles []*rbacv1.ClusterRole
		var clusterBindings []*rbacv1.ClusterRoleBinding
		for n := range 2 {
			meta := metav1.ObjectMeta{Name: fmt.Sprintf("r%d", n), Namespace: one("x", "y")}
			role := &rbacv1.Role{ObjectMeta: meta, Rules: []rbacv1.PolicyRule{rule(), rule()}}
			binding := &rbacv1.RoleBinding{
				ObjectMeta: meta,
				RoleRef: rbacv1.RoleRef{Kind: one("Role", "Role", "ClusterRole", "ClusterRole", "clusterrole"),
					Name: one("r0", "r1", "gone")},
				Subjects: []rbacv1.Subject{subject(), subject()},
			}
			meta.Namespace = ""
			clusterRole := &rbacv1.ClusterRole{ObjectMeta: meta, Rules: []rbacv1.PolicyRule{rule()}}
			clusterBinding := &rbacv1.ClusterRoleBinding{
				ObjectMeta: meta,
				RoleRef:    rbacv1.RoleRef{Kind: one("ClusterRole", "ClusterRole", "Role"), Name: one("r0", "r1", "gone")},
				Subjects:   []rbacv1.Subject{subject()},
			}
			roles, bindings, clusterRoles, clusterBindings = append(roles, role), append(bindings, binding), append(clusterRoles,
				clusterRole), append(clusterBindings, clusterBinding)
			add("Role", role)
			add("RoleBinding", binding)
			add("ClusterRole", clusterRole)
			add("ClusterRoleBinding", clusterBinding)
		}
		_, lists := validation.NewTestRuleResolver(roles, bindings, clusterRoles, clusterBindings)
		trusted := rbac.New(lists, lists, lists, lists)
		rights, err := casecluster.RightsOf(objects)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			right := casecluster.Right{
				Verb:        one("approve", "get", "list"),
				Group:       one("", "g", "h"),
				Resource:    one("things", "others"),
				Subresource: one("", "status", "scale"),
				Namespace:   one("", "x", "y"),
				Name:        one("", "a", "c"),
			}
			name, groups := one("alice", "system:serviceaccount:x:bot", "system:serviceaccount:y:bot"), some("team", "alice")
			decision, reason, _ := trusted.Authorize(t.Context(), authorizer.AttributesRecord{
				User: &user.DefaultInfo{Name: name, Groups: groups}, Verb: right.Verb, APIGroup: right.Group, Resource: right.Resource,
				Subresource: right.Subresource, Namespace: right.Namespace, Name: right.Name, ResourceRequest: true,
			})
			got, err := rights.Allow(name, groups, right)
			want, wantErr := decision == authorizer.DecisionAllow, decision != authorizer.DecisionAllow && reason != ""
			if got != want || (err != nil) != wantErr {
				t.Fatalf("%s %v %+v: got %v, %v; want %v, %q with\n%v", name, groups, right, got, err, want, reason, objects)
			}
			if got {
				allowed++
			}
			if err != nil {
				unknown++
			}
		}
	}
	if allowed < 1_000 || unknown < 1_000 {
		t.Errorf("only %d questions were allowed, and %d not answered", allowed, unknown)
	}
}
