package evaluation

import (
	"context"
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness/contract"
)

// Options adds what the files lack. The zero value suits policies that match the version of the
// request and need nothing from a cluster.
type Options struct {
	// Resources are the resources that requests are about. A policy with matchPolicy
	// Equivalent also matches a request in another version of its resource.
	Resources []Resource
	// Authorizer answers the questions of policies that read `authorizer`. If nil, the ClusterRoles, Roles and
	// bindings in the cluster of the request do. A question that they do not answer is a fault: there are
	// none, or a binding of the user is to a role that is not among them.
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
	// Default fills in the defaults of a mutated object in its version. The error says which fields
	// the version does not have. Nil: objects stay as they are.
	Default func(object *unstructured.Unstructured) error
	// TypeConverter returns the converter that applies configurations to objects. Nil: it is made of
	// Schema.
	TypeConverter func() managedfields.TypeConverter
	// Schema returns the schema of a served version as the definition has it, for TypeCheck. It
	// returns nil if the schema is unknown; nil: all are.
	Schema func(version string) *spec.Schema
	// NonStructural is set if Schema is not that of a definition, and may have what a structural schema
	// cannot have.
	NonStructural bool
}

// File is a file with policies, in YAML or JSON by its name.
type File struct {
	Name string
	Data []byte
	// Mixed: policies of the other kind in the file, validating or mutating, are loaded elsewhere.
	Mixed bool
}

// Set is a set of bound policies. It never changes, so several goroutines can use it.
type Set struct {
	bound
	resources  []Resource
	dispatcher generic.Dispatcher[validating.PolicyHook]
	authorizer authorizer.Authorizer
	weaker     func() []*contract.WeakerGuard
}

func setOf(all bound, resources []Resource, authorizer authorizer.Authorizer) *Set {
	return &Set{all, resources, validating.NewDispatcher(authorizer, generic.NewPolicyMatcher(all.matcher)), authorizer,
		all.weakerForms(func(changed bound) any { return setOf(changed, resources, authorizer) })}
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
	own, differs, err := s.within(request)
	if err != nil {
		return Outcome{}, err
	}
	rights, err := s.rightsOf(request, s.authorizer)
	if err != nil {
		return Outcome{}, err
	}
	if differs || rights != nil {
		s = setOf(own, s.resources, rights.or(s.authorizer))
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
	var matches []match
	err := s.dispatcher.Dispatch(watchMatches(ctx, &matches), attributes, objects, []validating.PolicyHook{hook.dispatched(kept)})
	if ended := context.Cause(ctx); ended != nil {
		return fmt.Errorf("%s was not evaluated to the end: %w", hook, ended) // CEL reports this as an error of the expression
	}
	if kept.unknown != nil {
		return hook.asksUnknown(kept.unknown)
	}
	if len(kept.results) > 0 && hook.reads.user && request.User.Username == "" {
		return fmt.Errorf("%s reads request.userInfo, and the request has no user; say who sends it", hook)
	}
	outcome.ask(hook, matches, kept.results, err)
	for key, value := range attributes.annotations {
		outcome.annotate(key, value)
	}
	return outcome.add(hook, matches, kept.results, err)
}

// keeper keeps the results of an evaluator.
type keeper struct {
	validating.Validator
	results []validating.ValidateResult
	unknown error // see watchedRights
}

// Validate calls the evaluator.
func (k *keeper) Validate(ctx context.Context, resource schema.GroupVersionResource, attributes *admission.VersionedAttributes,
	parameter runtime.Object, namespace *corev1.Namespace, budget int64,
	authorizer authorizer.UnconditionalAuthorizer) validating.ValidateResult {
	result := k.Validator.Validate(ctx, resource, attributes, parameter, namespace, budget, watchedRights{authorizer, &k.unknown})
	k.results = append(k.results, result)
	return result
}
