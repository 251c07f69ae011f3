package policies

import (
	"context"
	"fmt"
	"maps"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/userfile"
)

// Options adds what the files lack. The zero value suits policies that match the version of the
// request and need nothing from a cluster.
type Options struct {
	// Resources are the resources that requests are about. A policy with matchPolicy
	// Equivalent also matches a request in another version of its resource.
	Resources []Resource
	// Authorizer answers the questions of policies that read `authorizer`. If nil, such a policy is
	// a mistake in its file.
	Authorizer authorizer.Authorizer
}

// Resource is a resource that requests are about.
type Resource struct {
	// Description has the versions, including unserved ones: a policy for one of them matches
	// equivalent requests. Subresources have the kind of the resource ("status"), except "scale":
	// its kind is autoscaling/v1 Scale.
	serving.Description
	// Convert converts an object to another version. It must not change the object. Nil:
	// only apiVersion changes, as with the conversion strategy None.
	Convert func(ctx context.Context, object *unstructured.Unstructured, to schema.GroupVersionKind) (*unstructured.Unstructured, error)
	// Schema returns the schema of a served version as the definition has it, for TypeCheck. It
	// returns nil if the schema is unknown; nil: all are.
	Schema func(version string) *spec.Schema
}

// File is a file with policies, in YAML or JSON by its name.
type File struct {
	Name string
	Data []byte
}

// Set is a set of bound policies. It never changes, so several goroutines can use it.
type Set struct {
	hooks      []*hook
	namespaces namespaces
	versions   *versions
	resources  []Resource
	matcher    generic.PolicyMatcher
	dispatcher generic.Dispatcher[validating.PolicyHook]
	authorizer authorizer.Authorizer
}

// newSet returns the Set of the files.
func newSet(content *content, options Options) *Set {
	set := &Set{hooks: content.hooks(), versions: newVersions(options.Resources), resources: options.Resources, authorizer: options.Authorizer}
	return set.within(content.namespaces)
}

// within returns the policies in a cluster with these namespaces.
func (s *Set) within(all namespaces) *Set {
	set := *s
	set.namespaces = all
	set.matcher = generic.NewPolicyMatcher(matching.NewMatcher(all, nil)) // the lister knows every namespace, so no client is asked
	set.dispatcher = validating.NewDispatcher(s.authorizer, set.matcher)
	return &set
}

// Rules returns the matchConstraints rules of all bound policies. A request that matches none of
// them reaches no policy.
func (s *Set) Rules() []admissionregistrationv1.RuleWithOperations {
	var all []admissionregistrationv1.RuleWithOperations
	for _, hook := range s.hooks {
		for _, rule := range hook.policy.Spec.MatchConstraints.ResourceRules {
			all = append(all, rule.RuleWithOperations)
		}
	}
	return all
}

// Unreached returns a mistake for each policy whose matchConstraints no resource matches. why says
// what is missing.
func (s *Set) Unreached(matches func([]admissionregistrationv1.RuleWithOperations) bool, why string) userfile.Mistakes {
	var unreached userfile.Mistakes
	checked := map[*admissionregistrationv1.ValidatingAdmissionPolicy]bool{}
	for _, hook := range s.hooks {
		if checked[hook.policy] {
			continue
		}
		checked[hook.policy] = true
		var rules []admissionregistrationv1.RuleWithOperations
		var named []string
		for _, rule := range hook.policy.Spec.MatchConstraints.ResourceRules {
			rules = append(rules, rule.RuleWithOperations)
			named = append(named, fmt.Sprintf("%q of the groups %q", rule.Resources, rule.APIGroups))
		}
		if !matches(rules) {
			unreached.Addf(hook.at("spec.matchConstraints.resourceRules"), "ValidatingAdmissionPolicy %q is for the resources %s, and no object can be one of these: %s; correct the rule, or take the policy out of the list", hook.policy.Name, strings.Join(named, ", "), why)
		}
	}
	return unreached
}

// unguarded reports whether the API server's plugin skips a resource, so that no policy can lock
// its users out (policy/generic, plugin.go).
func unguarded(resource schema.GroupResource) bool {
	if resource.Group != admissionregistrationv1.GroupName {
		return false
	}
	switch resource.Resource {
	case "validatingadmissionpolicies", "validatingadmissionpolicybindings", "mutatingadmissionpolicies", "mutatingadmissionpolicybindings":
		return true
	}
	return false
}

// Validate returns what the policies say about a request. The error is a fault: a policy needs
// something that neither the files nor the request have, or the context ended.
func (s *Set) Validate(ctx context.Context, request Request) (Outcome, error) {
	if err := request.check(); err != nil {
		return Outcome{}, err
	}
	more, err := namespacesIn(request.Cluster)
	if err != nil {
		return Outcome{}, err
	}
	if len(more) > 0 {
		all := maps.Clone(s.namespaces)
		maps.Copy(all, more)
		s = s.within(all)
	}
	outcome := Outcome{}
	if unguarded(request.Resource.GroupResource()) {
		return outcome, nil
	}
	ctx = warning.WithWarningRecorder(ctx, warnings{&outcome})
	for _, hook := range s.hooks {
		if err := s.ask(ctx, hook, request, &outcome); err != nil {
			return Outcome{}, err
		}
	}
	return outcome, nil
}

// ask evaluates one policy for one of its bindings. The dispatcher reports only the first denial,
// so a keeper collects all results.
func (s *Set) ask(ctx context.Context, hook *hook, request Request, outcome *Outcome) error {
	attributes, objects := request.attributes(), s.versions.objects(ctx)
	if err := s.missesNamespace(hook, request, attributes, objects); err != nil {
		return err
	}
	kept := &keeper{Validator: hook.evaluator}
	err := s.dispatcher.Dispatch(ctx, attributes, objects, []validating.PolicyHook{hook.dispatched(kept)})
	if ended := context.Cause(ctx); ended != nil {
		return fmt.Errorf("%s was not evaluated to the end: %w", hook, ended) // CEL reports this as an error of the expression
	}
	if len(kept.results) > 0 && hook.reads.user && request.User.Username == "" {
		return fmt.Errorf("%s reads request.userInfo, and the request has no user; say who sends it", hook)
	}
	outcome.ask(hook, kept.results, err)
	for key, value := range attributes.annotations {
		outcome.annotate(key, value)
	}
	return outcome.add(hook, kept.results, err)
}

// missesNamespace returns an error if a policy needs a namespace that no file has, and otherwise
// matches the request.
func (s *Set) missesNamespace(hook *hook, request Request, attributes *attributes, objects *objects) error {
	if !hook.reads.namespace || request.Namespace == "" || s.namespaces.has(request.Namespace) {
		return nil
	}
	policy, binding := hook.policy.DeepCopy(), hook.binding.DeepCopy()
	for _, resources := range []*admissionregistrationv1.MatchResources{policy.Spec.MatchConstraints, binding.Spec.MatchResources} {
		if resources != nil {
			resources.NamespaceSelector = &metav1.LabelSelector{}
		}
	}
	matches, _, _, err := s.matcher.DefinitionMatches(attributes, objects, validating.NewValidatingAdmissionPolicyAccessor(policy))
	if err != nil || !matches {
		return nil // the dispatcher reports the error
	}
	bound, err := s.matcher.BindingMatches(attributes, objects, validating.NewValidatingAdmissionPolicyBindingAccessor(binding))
	if err != nil || !bound {
		return nil
	}
	return fmt.Errorf("%s looks at the namespace %q, which is neither among the files of the policies nor in the cluster of the case; add a Namespace of that name", hook, request.Namespace)
}

// keeper keeps the results of an evaluator.
type keeper struct {
	validating.Validator
	results []validating.ValidateResult
}

// Validate calls the evaluator.
func (k *keeper) Validate(ctx context.Context, resource schema.GroupVersionResource, attributes *admission.VersionedAttributes, parameter runtime.Object, namespace *corev1.Namespace, budget int64, authorizer authorizer.Authorizer) validating.ValidateResult {
	result := k.Validator.Validate(ctx, resource, attributes, parameter, namespace, budget, authorizer)
	k.results = append(k.results, result)
	return result
}
