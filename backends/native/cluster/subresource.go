package cluster

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/admission"
)

// carries reports whether a request to a subresource carries the object of an input, as those to
// pods/eviction and pods/exec do. Such an object is not stored.
func carries(in *harness.Input) bool {
	return in.Operation == admissionv1.Connect || in.Operation == admissionv1.Create && in.Subresource != ""
}

// carry sends a request to a subresource. For most of them, admission decides before the API server looks
// for the object that the request is about, so that this object may be missing.
func (b *Backend) carry(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	resource, err := b.carrier(in)
	if err != nil {
		return nil, err
	}
	object, err := admission.Document(in.Object, in.Version)
	if err != nil {
		return nil, err
	}
	sent := (&unstructured.Unstructured{Object: object}).DeepCopy()
	name, namespace := cmp.Or(sent.GetName(), in.Name, "unnamed"), ""
	if resource.Namespaced {
		namespace = cmp.Or(b.scratch, sent.GetNamespace(), in.Namespace, b.config.namespace)
	}
	if in.Operation == admissionv1.Connect {
		err = b.connect(ctx, in, resource, sent.Object, namespace, name)
	} else {
		sent.SetName(name)
		sent.SetNamespace(namespace)
		err = b.createIn(ctx, in, resource, sent)
	}
	if (missing(err, resource, name) || unserved(err, in, name)) && admitsFirst(in) {
		return nil, nil
	}
	if errs, are := unwrapped(err); are {
		return errs, nil
	}
	return verdict(err)
}

// admitsFirst reports whether admission decides about a request before the API server looks for the object
// that the request is about: ConnectResource of k8s.io/apiserver/pkg/endpoints/handlers, BindingREST and
// EvictionREST of k8s.io/kubernetes/pkg/registry/core/pod/storage. The handler of serviceaccounts/token, for
// example, needs the ServiceAccount.
func admitsFirst(in *harness.Input) bool {
	return in.Operation == admissionv1.Connect || slices.Contains([]string{"pods/binding", "pods/eviction"},
		in.Resource.Resource+"/"+in.Subresource)
}

// unwrapped returns the errors of validation that a handler returned without a status. The API server then
// answers with an internal error: BindingREST does so.
func unwrapped(err error) (field.ErrorList, bool) {
	answer, ok := statusOf(err)
	if !ok || answer.Code != http.StatusInternalServerError || answer.Reason != "" &&
		answer.Reason != metav1.StatusReasonUnknown && answer.Reason != metav1.StatusReasonInternalError {
		return nil, false
	}
	return admission.ParseAggregate(answer.Message)
}

// carrier returns the resource of a request to a subresource.
func (b *Backend) carrier(in *harness.Input) (*resource, error) {
	if in.Resource.Empty() {
		return nil, fmt.Errorf("requests to %s of a resource that is not known cannot be sent", in.Subresource)
	}
	list, err := b.discovery.ServerResourcesForGroupVersion(in.Resource.GroupVersion().String())
	if err != nil {
		return nil, fmt.Errorf("asking for the resources of %s: %w", in.Resource.GroupVersion(), fault(err))
	}
	wanted := in.Resource.Resource + "/" + in.Subresource
	at := slices.IndexFunc(list.APIResources, func(served metav1.APIResource) bool { return served.Name == wanted })
	if at < 0 {
		return nil, fmt.Errorf("the cluster serves no %s", wanted)
	}
	return &resource{GroupVersionResource: in.Resource, Namespaced: list.APIResources[at].Namespaced}, nil
}

func (b *Backend) createIn(ctx context.Context, in *harness.Input, resource *resource, object *unstructured.Unstructured) error {
	client, err := b.as(in.User)
	if err != nil {
		return err
	}
	_, err = at(client, resource, object.GetNamespace()).Create(ctx, object,
		metav1.CreateOptions{
			DryRun:          []string{metav1.DryRunAll},
			FieldValidation: metav1.FieldValidationIgnore,
			FieldManager:    fieldManager,
		}, in.Subresource)
	return err
}

// connect sends a CONNECT to an object that does not exist: there are no dry runs of it, and a Service
// that exists would get the request.
func (b *Backend) connect(ctx context.Context, in *harness.Input, resource *resource, options map[string]any,
	namespace, name string) error {
	switch _, err := at(b.client, resource, namespace).Get(ctx, name, metav1.GetOptions{}); {
	case err == nil:
		return fmt.Errorf("a CONNECT has no dry run, and %s %q is in the cluster, so that the request would reach it; "+
			"name one that is not there: request: {name: …}", resource.Resource, name)
	case !missing(err, resource, name):
		return fmt.Errorf("looking for %s %q: %w", resource.Resource, name, fault(err))
	}
	client, has := b.discovery.(interface{ RESTClient() rest.Interface })
	if !has {
		return fmt.Errorf("a CONNECT cannot be sent by a %T", b.discovery)
	}
	path := []string{"apis", resource.Group, resource.Version}
	if resource.Group == "" {
		path = []string{"api", resource.Version}
	}
	if namespace != "" {
		path = append(path, "namespaces", namespace)
	}
	path = append(path, resource.Resource, name, in.Subresource)
	if below, _ := options["path"].(string); in.Subresource == "proxy" {
		if slices.Contains(strings.Split(below, "/"), "..") {
			return fmt.Errorf("the path %q is not sent: .. leaves the subresource; write a path without it", below)
		}
		path = append(path, below) // as getRequestOptions of the API server reads it
		delete(options, "path")
	}
	request := client.RESTClient().Post().AbsPath(path...)
	for key, values := range parameters(options) {
		for _, value := range values {
			request.Param(key, value)
		}
	}
	if in.User != nil {
		request.SetHeader(transport.ImpersonateUserHeader, in.User.Name)
		request.SetHeader(transport.ImpersonateGroupHeader, in.User.Groups...)
	}
	return request.Do(ctx).Error()
}

// parameters returns the query parameters of the options of a CONNECT.
func parameters(options map[string]any) url.Values {
	values := url.Values{}
	for key, value := range options {
		if key == "apiVersion" || key == "kind" {
			continue
		}
		list, isList := value.([]any)
		if !isList {
			list = []any{value}
		}
		for _, value := range list {
			values.Add(key, fmt.Sprint(value))
		}
	}
	return values
}

// missing reports whether an answer is that the object a request is about does not exist.
func missing(err error, resource *resource, name string) bool {
	answer, ok := statusOf(err)
	return ok && apierrors.IsNotFound(err) && answer.Details != nil && answer.Details.Name == name &&
		answer.Details.Kind == resource.Resource && !deniedBy.MatchString(answer.Message)
}

// unserved reports whether an answer is that a Service that a request is proxied to has no endpoints. From
// 1.37 on, the API server looks for its EndpointSlices, and not for the Service (ResourceLocation of
// k8s.io/kubernetes/pkg/registry/core/service/storage).
func unserved(err error, in *harness.Input, name string) bool {
	answer, ok := statusOf(err)
	return ok && in.Resource.Group == "" && in.Resource.Resource == "services" && in.Subresource == "proxy" &&
		answer.Reason == metav1.StatusReasonServiceUnavailable &&
		answer.Message == fmt.Sprintf("no endpoints available for service %q", name)
}
