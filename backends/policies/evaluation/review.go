package evaluation

import (
	"cmp"
	"context"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/admission"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// Review is Validate for an input of a comparison that names its resource, sent by a user. It returns the errors
// of the Outcome, and adds to the answer its warnings, the policies that were asked, and the places of its denials.
func (s *Set) Review(ctx context.Context, in *harness.Input, user authenticationv1.UserInfo) (field.ErrorList, error) {
	request, err := requestOf(in, user)
	if err != nil {
		return nil, err
	}
	outcome, err := s.Validate(ctx, request)
	contract.AddNotes(ctx, contract.Notes{Warnings: outcome.Warnings, Asked: outcome.Asked, Located: s.located(outcome.Denials)})
	return outcome.Errors, err
}

// Begin returns the function that mutates the object of one request, see world.Mutations.
func (m *Mutations) Begin() func(ctx context.Context, in *harness.Input, user authenticationv1.UserInfo,
	changed bool) (map[string]any, field.ErrorList, error) {
	mutation, begun := m.Start(), false
	return func(ctx context.Context, in *harness.Input, user authenticationv1.UserInfo,
		changed bool) (map[string]any, field.ErrorList, error) {
		if begun && !mutation.ReinvokesAfter(changed) {
			return nil, nil, nil
		}
		begun = true
		request, err := requestOf(in, user)
		if err != nil || in.Operation == admissionv1.Delete {
			return nil, nil, err
		}
		mutated, err := mutation.Mutate(ctx, request)
		contract.AddNotes(ctx, contract.Notes{Asked: mutated.Asked, Located: m.located(mutated.Denials)})
		if err != nil || len(mutated.Errors) > 0 || mutated.Object == nil {
			return nil, mutated.Errors, err
		}
		return mutated.Object.Object, nil, nil
	}
}

// requestOf returns the Request of an input. It is a dry run, as for webhooks, unless it is a CONNECT. The namespace
// of a Namespace is itself, as in the API server.
func requestOf(in *harness.Input, user authenticationv1.UserInfo) (Request, error) {
	object, old, err := contract.Read(in, (*contract.View).Unstructured)
	if err != nil {
		return Request{}, err
	}
	request := Request{
		Kind: in.Version, Resource: in.Resource, Subresource: in.Subresource,
		Operation: admission.Operation(in.Operation), User: user, DryRun: in.Operation != admissionv1.Connect, Cluster: in.Cluster,
	}
	if old != nil {
		request.OldObject = &unstructured.Unstructured{Object: old}
		request.Name, request.Namespace = request.OldObject.GetName(), request.OldObject.GetNamespace()
	}
	if object != nil {
		request.Object = &unstructured.Unstructured{Object: object}
		request.Name, request.Namespace = request.Object.GetName(), request.Object.GetNamespace()
	}
	request.Name, request.Namespace = cmp.Or(request.Name, in.Name), cmp.Or(request.Namespace, in.Namespace)
	if in.Version.GroupKind() == (schema.GroupKind{Kind: "Namespace"}) {
		request.Namespace = request.Name
	}
	return request, nil
}
