package casecluster

import (
	"encoding/json"
	"errors"
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
// Its code (plugin/pkg/auth/authorizer/rbac) is in k8s.io/kubernetes, which the modules that copy this file do not require.
// TestRightsAsRBAC compares both.
type Rights struct {
	roles    map[role][]rbacv1.PolicyRule
	bindings []binding
	stated   bool
}

// role is the key of a Role or a ClusterRole.
type role struct{ kind, namespace, name string }

func (r role) String() string {
	if r.namespace == "" {
		return fmt.Sprintf("%s %q", r.kind, r.name)
	}
	return fmt.Sprintf("%s %q in the namespace %q", r.kind, r.name, r.namespace)
}

// binding is a RoleBinding or, without a namespace, a ClusterRoleBinding.
type binding struct {
	namespace string
	subjects  []rbacv1.Subject
	role      role
}

// masters is the group whose users may do everything (user.SystemPrivilegedGroup of k8s.io/apiserver).
const masters = "system:masters"

// RightsOf returns the rights that the objects of RBAC among some objects state.
func RightsOf(objects []map[string]any) (*Rights, error) {
	r := &Rights{roles: map[role][]rbacv1.PolicyRule{}}
	for _, object := range objects {
		if !strings.HasPrefix(text(object, "apiVersion"), rbacv1.GroupName+"/") {
			continue
		}
		if err := r.add(object); err != nil {
			metadata, _ := object["metadata"].(map[string]any)
			return nil, fmt.Errorf("the %s %q in the cluster of the case: %w", text(object, "kind"), text(metadata, "name"), err)
		}
		r.stated = true
	}
	return r, nil
}

// add adds an object of RBAC. An unknown field is an error: a misspelled resourceNames would be a right to all names.
func (r *Rights) add(object map[string]any) error {
	read := func(into any) error {
		return runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(object, into, true)
	}
	switch kind := text(object, "kind"); kind {
	case "ClusterRole":
		var from rbacv1.ClusterRole
		if err := read(&from); err != nil {
			return err
		}
		if from.AggregationRule != nil && len(from.Rules) == 0 {
			return errors.New("rules are empty, because only a cluster fills in those of an aggregationRule; write them into the case")
		}
		r.roles[role{kind, "", from.Name}] = from.Rules
	case "Role":
		var from rbacv1.Role
		if err := read(&from); err != nil {
			return err
		}
		r.roles[role{kind, from.Namespace, from.Name}] = from.Rules
		return needsNamespace(from.Namespace)
	case "ClusterRoleBinding":
		var from rbacv1.ClusterRoleBinding
		if err := read(&from); err != nil {
			return err
		}
		r.bindings = append(r.bindings, binding{"", from.Subjects, role{from.RoleRef.Kind, "", from.RoleRef.Name}})
	case "RoleBinding":
		var from rbacv1.RoleBinding
		if err := read(&from); err != nil {
			return err
		}
		to := role{from.RoleRef.Kind, "", from.RoleRef.Name}
		if to.kind == "Role" {
			to.namespace = from.Namespace
		}
		r.bindings = append(r.bindings, binding{from.Namespace, from.Subjects, to})
		return needsNamespace(from.Namespace)
	default:
		return fmt.Errorf("%s has no such kind; it has ClusterRole, ClusterRoleBinding, Role and RoleBinding", rbacv1.GroupName)
	}
	return nil
}

func needsNamespace(namespace string) error {
	if namespace == "" {
		return errors.New("metadata.namespace is missing")
	}
	return nil
}

// Allow reports whether a user may do something. It returns an error if the objects do not say: there are none of RBAC, or a
// binding of the user is to a role that is not among them.
func (r *Rights) Allow(user string, groups []string, right Right) (bool, error) {
	if slices.Contains(groups, masters) {
		return true, nil
	}
	if !r.stated {
		return false, fmt.Errorf("whether %q may %s %s is not known; write ClusterRoles, Roles and their bindings into the key "+
			"cluster of the case", user, right.Verb, right.Resource)
	}
	var unknown error
	for _, b := range r.bindings {
		if b.namespace != "" && b.namespace != right.Namespace || !applies(b.subjects, user, groups, b.namespace) {
			continue
		}
		rules, stated := r.roles[b.role]
		if allow(rules, right) {
			return true, nil
		}
		if !stated && unknown == nil {
			unknown = fmt.Errorf("whether %q may %s %s is not known: a binding is to the %s; write that into the key cluster of "+
				"the case as well", user, right.Verb, right.Resource, b.role)
		}
	}
	return false, unknown
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
	local := false
	switch asked := object.(type) {
	case *authorizationv1.SubjectAccessReview:
		spec, status = &asked.Spec, &asked.Status
	case *authorizationv1.LocalSubjectAccessReview:
		spec, status, local = &asked.Spec, &asked.Status, true
	default:
		return failure(http.StatusNotImplemented, "only a SubjectAccessReview and a LocalSubjectAccessReview are answered")
	}
	attributes := spec.ResourceAttributes
	switch { // the API server refuses the last two (pkg/apis/authorization/validation)
	case attributes == nil || hasSelectors(attributes):
		return failure(http.StatusNotImplemented, "only rights to resources, without selectors, are known")
	case spec.User == "" && len(spec.Groups) == 0:
		return failure(http.StatusUnprocessableEntity, "spec.user: at least one of user or group must be specified")
	case local && attributes.Namespace != of.namespace:
		return failure(http.StatusUnprocessableEntity, "spec.resourceAttributes.namespace: must match metadata.namespace")
	}
	right := Right{
		Verb:        attributes.Verb,
		Group:       attributes.Group,
		Resource:    attributes.Resource,
		Subresource: attributes.Subresource,
		Namespace:   attributes.Namespace,
		Name:        attributes.Name,
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

// hasSelectors reports whether a question is about selected objects. It reads the fields as JSON, because k8s.io/api before
// v0.31 does not have them, and another module may copy this file.
func hasSelectors(attributes *authorizationv1.ResourceAttributes) bool {
	var selectors struct{ FieldSelector, LabelSelector any }
	written, err := json.Marshal(attributes)
	return err != nil || json.Unmarshal(written, &selectors) != nil || selectors.FieldSelector != nil || selectors.LabelSelector != nil
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
