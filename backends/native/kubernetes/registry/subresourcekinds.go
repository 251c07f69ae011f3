package registry

import (
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/apis/authentication"
	authenticationvalidation "k8s.io/kubernetes/pkg/apis/authentication/validation"
	"k8s.io/kubernetes/pkg/apis/core"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/apis/policy"

	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"

	_ "k8s.io/kubernetes/pkg/apis/authentication/install" // TokenRequest
)

// subresourceKind is a kind that only requests to a subresource carry: an Eviction, or the options of a
// CONNECT. Its strategy is what the handler of the subresource does besides admission.
type subresourceKind struct {
	kind
	subresource string
	operation   admissionv1.Operation
	// keepsSystemMetadata reports whether the handler reads uid and resourceVersion as preconditions.
	keepsSystemMetadata bool
}

// allSubresourceKinds returns all of them. The API server has them under v1.
func allSubresourceKinds() []subresourceKind {
	connected := func(name, resource, subresource string) subresourceKind {
		options := reviewOf(resource != "nodes", func(runtime.Object) field.ErrorList { return nil })
		return subresourceKind{kind: kind{core.Kind(name), resource, strategies{"": options}}, subresource: subresource,
			operation: admissionv1.Connect}
	}
	created := func(of schema.GroupKind, resource, subresource string, handled strategy) subresourceKind {
		return subresourceKind{
			kind:                kind{of, resource, strategies{"": handled}},
			subresource:         subresource,
			operation:           admissionv1.Create,
			keepsSystemMetadata: of != evictionKind,
		}
	}
	return []subresourceKind{
		created(core.Kind("Binding"), "pods", "binding", reviewOf(true, corevalidation.ValidatePodBinding)),
		created(evictionKind, "pods", "eviction", reviewOf(true, validateEviction)),
		created(authentication.Kind("TokenRequest"), "serviceaccounts", "token",
			reviewOf(true, authenticationvalidation.ValidateTokenRequest)),
		connected("NodeProxyOptions", "nodes", "proxy"),
		connected("PodAttachOptions", "pods", "attach"),
		connected("PodExecOptions", "pods", "exec"),
		connected("PodPortForwardOptions", "pods", "portforward"),
		connected("PodProxyOptions", "pods", "proxy"),
		connected("ServiceProxyOptions", "services", "proxy"),
	}
}

var evictionKind = policy.Kind("Eviction")

// validateEviction is the validation of the pods/eviction handler
// (pkg/registry/core/pod/storage/eviction.go).
func validateEviction(eviction *policy.Eviction) field.ErrorList {
	options := eviction.DeleteOptions
	if options == nil || options.IgnoreStoreReadErrorWithClusterBreakingPotential == nil ||
		!*options.IgnoreStoreReadErrorWithClusterBreakingPotential {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("deleteOptions", "ignoreStoreReadErrorWithClusterBreakingPotential"),
		true, "can not be set for pod eviction, try after removing the option")}
}

// SubresourceKinds lists the kinds that Served returns and Kinds does not: only requests to a subresource carry
// them, such as an Eviction.
func SubresourceKinds() []schema.GroupKind {
	var all []schema.GroupKind
	for _, of := range allSubresourceKinds() {
		all = append(all, of.GroupKind)
	}
	return all
}

// findSubresourceKind returns a kind that requests to a subresource carry.
func findSubresourceKind(matches func(subresourceKind) bool) (subresourceKind, bool) {
	for _, of := range allSubresourceKinds() {
		if matches(of) {
			return of, true
		}
	}
	return subresourceKind{}, false
}

// String names the subresource as in "pods/exec".
func (c *subresourceKind) String() string { return c.resource + "/" + c.subresource }

// served returns the kind in the one version in which admission sees it.
func (c *subresourceKind) served() serving.Resource {
	version := c.versions()[0]
	return &served{kind: c.kind, ofSubresource: c,
		described: serving.Description{Kind: c.GroupKind, BuiltIn: true, Namespaced: c.namespaced(),
			Versions: []serving.Version{
				{GroupVersionKind: version, Plural: c.resource, Carrier: corev1.SchemeGroupVersion, Subresources: []string{c.subresource}},
			}}}
}

// has returns why a request does not carry the kind, or nil.
func (c *subresourceKind) has(request harness.Request) error {
	switch {
	case request.Subresource != c.subresource:
		return fmt.Errorf("only requests to %s carry a %s: add \"subresource: %s\" to the case", c, c.Kind, c.subresource)
	case request.Operation == c.operation && c.operation == admissionv1.Connect &&
		(request.Name == "" || c.namespaced() && request.Namespace == ""):
		return fmt.Errorf("a %s has no metadata, so that the path of the request has the name and namespace: add \"request: "+
			"{name: …, namespace: …}\" to the case", c.Kind)
	case request.Operation == c.operation:
		return nil
	case c.operation == admissionv1.Connect:
		return fmt.Errorf("a request to %s is a CONNECT, not a %s: add \"operation: CONNECT\" to the case, without an old object",
			c, request.Operation)
	}
	return fmt.Errorf("a request to %s is a %s, not a %s; the case has an object, and no old object", c, c.operation, request.Operation)
}

// receive completes the object of a request as its handler does before mutating admission.
func (c *subresourceKind) receive(object runtime.Object, request harness.Request) error {
	about, hasMetadata := object.(metav1.ObjectMetaAccessor)
	if !hasMetadata {
		return nil // the options of a CONNECT
	}
	metadata := about.GetObjectMeta()
	if !c.keepsSystemMetadata {
		rest.WipeObjectMetaSystemFields(metadata)
	}
	for _, of := range []struct {
		what, path, own string
		set             func(string)
	}{
		{"name", request.Name, metadata.GetName(), metadata.SetName},
		{"namespace", request.Namespace, metadata.GetNamespace(), metadata.SetNamespace},
	} {
		switch {
		case of.path == "":
		case of.own == "":
			of.set(of.path)
		case of.own != of.path:
			return fmt.Errorf("the %s in the path of the request is %q, and that of the %s %q; the API server requires the same",
				of.what, of.path, c.Kind, of.own)
		}
	}
	setAddress(object, true, metav1.NamespaceDefault)
	if metadata.GetName() == "" {
		return fmt.Errorf("the %s has no name, which is that of the object the request is about: add metadata.name", c.Kind)
	}
	return nil
}

// prepare completes the object as the handler does before it validates.
func (c *subresourceKind) prepare(object runtime.Object) {
	switch object := object.(type) {
	case *policy.Eviction:
		if options := object.DeleteOptions; options != nil && len(options.DryRun) == 0 {
			options.DryRun = []string{metav1.DryRunAll} // propagateDryRun: each request is a dry run
		}
	case *authentication.TokenRequest:
		object.Status = authentication.TokenRequestStatus{}
	}
}

// checkCarriesResource returns an error if requests to a subresource carry an object of a kind of their own.
func checkCarriesResource(request harness.Request, resource string) error {
	of, found := findSubresourceKind(func(of subresourceKind) bool {
		return of.resource == resource &&
			of.subresource == request.Subresource
	})
	if !found {
		return nil
	}
	return fmt.Errorf("a request to %s carries a %s, not a %s: take one as the object of the case", &of,
		apiname.Target(of.versions()[0]), request.Version.Kind)
}
