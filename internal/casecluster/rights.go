package casecluster

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
)

// Right is what a user may do, as a SubjectAccessReview asks for it. Without a name it is about all names, without a
// namespace about all namespaces.
type Right struct {
	Verb        string `json:"verb"`
	Group       string `json:"group"`
	Resource    string `json:"resource"`
	Subresource string `json:"subresource,omitempty"`
	Namespace   string `json:"namespace,omitempty"`
	Name        string `json:"name,omitempty"`
}

// AccessReview is a question about the rights of a user, with its answer.
type AccessReview struct {
	User   string   `json:"user"`
	Groups []string `json:"groups,omitempty"`
	Right
	Allowed bool `json:"allowed"`
}

// AccessReviewsAnnotation is the audit annotation with which the answer of a webhook says what it asked: a list of
// AccessReview.
const AccessReviewsAnnotation = "diffrun/access-reviews"

// Rights are the rights that Roles, ClusterRoles and their bindings state, as the RBAC authorizer of Kubernetes reads them.
type Rights struct {
	clusterRoles    map[string][]rbacv1.PolicyRule
	roles           map[[2]string][]rbacv1.PolicyRule // by namespace and name
	clusterBindings []rbacv1.ClusterRoleBinding
	bindings        []rbacv1.RoleBinding
	stated          bool
}

// masters is the group whose users may do everything.
const masters = "system:masters"

// RightsOf returns the rights that the objects of RBAC among some objects state.
func RightsOf(objects []map[string]any) (*Rights, error) {
	r := &Rights{clusterRoles: map[string][]rbacv1.PolicyRule{}, roles: map[[2]string][]rbacv1.PolicyRule{}}
	for _, object := range objects {
		if !strings.HasPrefix(text(object, "apiVersion"), rbacv1.GroupName+"/") {
			continue
		}
		var err error
		read := func(into any) { err = runtime.DefaultUnstructuredConverter.FromUnstructured(object, into) }
		switch text(object, "kind") {
		case "ClusterRole":
			var role rbacv1.ClusterRole
			read(&role)
			r.clusterRoles[role.Name] = role.Rules
		case "Role":
			var role rbacv1.Role
			read(&role)
			r.roles[[2]string{role.Namespace, role.Name}] = role.Rules
		case "ClusterRoleBinding":
			var binding rbacv1.ClusterRoleBinding
			read(&binding)
			r.clusterBindings = append(r.clusterBindings, binding)
		case "RoleBinding":
			var binding rbacv1.RoleBinding
			read(&binding)
			r.bindings = append(r.bindings, binding)
		}
		if err != nil {
			return nil, fmt.Errorf("the %s in the cluster cannot be read: %w", text(object, "kind"), err)
		}
		r.stated = true
	}
	return r, nil
}

// Allow reports whether a user may do something. It returns an error if nobody stated the rights of anybody.
func (r *Rights) Allow(user string, groups []string, right Right) (bool, error) {
	if slices.Contains(groups, masters) {
		return true, nil
	}
	if !r.stated {
		return false, fmt.Errorf("whether %q may %s %s is not known; write ClusterRoles, Roles and their bindings into the key cluster of the case", user, right.Verb, right.Resource)
	}
	for _, binding := range r.clusterBindings {
		if applies(binding.Subjects, user, groups, "") && allow(r.clusterRoles[binding.RoleRef.Name], right) {
			return true, nil
		}
	}
	for _, binding := range r.bindings {
		if right.Namespace == "" || binding.Namespace != right.Namespace || !applies(binding.Subjects, user, groups, binding.Namespace) {
			continue
		}
		rules := r.clusterRoles[binding.RoleRef.Name]
		if binding.RoleRef.Kind == "Role" {
			rules = r.roles[[2]string{binding.Namespace, binding.RoleRef.Name}]
		}
		if allow(rules, right) {
			return true, nil
		}
	}
	return false, nil
}

// applies reports whether one of the subjects of a binding in a namespace is a user, or one of the groups.
func applies(subjects []rbacv1.Subject, user string, groups []string, namespace string) bool {
	return slices.ContainsFunc(subjects, func(s rbacv1.Subject) bool {
		switch s.Kind {
		case rbacv1.UserKind:
			return s.Name == user
		case rbacv1.GroupKind:
			return slices.Contains(groups, s.Name)
		case rbacv1.ServiceAccountKind:
			of := s.Namespace
			if of == "" {
				of = namespace
			}
			return of != "" && user == "system:serviceaccount:"+of+":"+s.Name
		}
		return false
	})
}

// allow reports whether one of the rules allows something.
func allow(rules []rbacv1.PolicyRule, right Right) bool {
	resource := right.Resource
	if right.Subresource != "" {
		resource += "/" + right.Subresource
	}
	has := func(all []string, one string) bool { return slices.Contains(all, "*") || slices.Contains(all, one) }
	return slices.ContainsFunc(rules, func(rule rbacv1.PolicyRule) bool {
		resources := has(rule.Resources, resource) || right.Subresource != "" && slices.Contains(rule.Resources, "*/"+right.Subresource)
		return has(rule.Verbs, right.Verb) && has(rule.APIGroups, right.Group) && resources &&
			(len(rule.ResourceNames) == 0 || slices.Contains(rule.ResourceNames, right.Name))
	})
}

// reviews decode what clients send, as JSON or protobuf.
var reviews = func() runtime.Decoder {
	scheme := runtime.NewScheme()
	if err := authorizationv1.AddToScheme(scheme); err != nil {
		panic(err) // the types are not those of their package
	}
	return serializer.NewCodecFactory(scheme).UniversalDeserializer()
}()

// review answers a SubjectAccessReview, or one of a namespace, by the rights that the objects state.
func (c *Cluster) review(request *http.Request, of wanted) (int, map[string]any) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return failure(http.StatusNotImplemented, err.Error())
	}
	object, _, err := reviews.Decode(body, nil, nil)
	if err != nil {
		return failure(http.StatusNotImplemented, err.Error())
	}
	var spec *authorizationv1.SubjectAccessReviewSpec
	var status *authorizationv1.SubjectAccessReviewStatus
	switch asked := object.(type) {
	case *authorizationv1.SubjectAccessReview:
		spec, status = &asked.Spec, &asked.Status
	case *authorizationv1.LocalSubjectAccessReview:
		spec, status = &asked.Spec, &asked.Status
	default:
		return failure(http.StatusNotImplemented, "only a SubjectAccessReview and a LocalSubjectAccessReview are answered")
	}
	if written, _ := json.Marshal(spec); spec.ResourceAttributes == nil || strings.Contains(string(written), `Selector":{`) {
		return failure(http.StatusNotImplemented, "only rights to resources, without selectors, are known")
	}
	wanted := spec.ResourceAttributes
	right := Right{Verb: wanted.Verb, Group: wanted.Group, Resource: wanted.Resource, Subresource: wanted.Subresource, Namespace: wanted.Namespace, Name: wanted.Name}
	if right.Namespace == "" {
		right.Namespace = of.namespace
	}
	rights, err := RightsOf(c.objects)
	if err != nil {
		return failure(http.StatusNotImplemented, err.Error())
	}
	if status.Allowed, err = rights.Allow(spec.User, spec.Groups, right); err != nil {
		return failure(http.StatusNotImplemented, err.Error())
	}
	c.asked = append(c.asked, AccessReview{User: spec.User, Groups: spec.Groups, Right: right, Allowed: status.Allowed})
	answer, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return failure(http.StatusNotImplemented, err.Error())
	}
	return http.StatusCreated, answer
}

// AccessReviews returns the value of AccessReviewsAnnotation for the current review; empty: there is none.
func (c *Cluster) AccessReviews() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.asked) == 0 {
		return ""
	}
	written, _ := json.Marshal(c.asked) // texts
	return string(written)
}
