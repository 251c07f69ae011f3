package policies

import (
	"context"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/admission"

	"github.com/diffrun/diffrun/harness"
)

// Review is Validate for an input of a comparison that names its resource, sent by a user. It returns the errors
// of the Outcome, and adds its warnings and the policies that were asked to the answer.
func (s *Set) Review(ctx context.Context, in *harness.Input, user authenticationv1.UserInfo) (field.ErrorList, error) {
	object, old, err := harness.Read(in, (*harness.View).Unstructured)
	if err != nil {
		return nil, err
	}
	request := Request{
		Kind: in.Version, Resource: in.Resource, Subresource: in.Subresource,
		Operation: admission.Operation(in.Operation), User: user, Cluster: in.Cluster,
	}
	if old != nil {
		request.OldObject = &unstructured.Unstructured{Object: old}
		request.Name, request.Namespace = request.OldObject.GetName(), request.OldObject.GetNamespace()
	}
	if object != nil {
		request.Object = &unstructured.Unstructured{Object: object}
		request.Name, request.Namespace = request.Object.GetName(), request.Object.GetNamespace()
	}
	outcome, err := s.Validate(ctx, request)
	harness.AddNotes(ctx, harness.Notes{Warnings: outcome.Warnings, Asked: outcome.Asked})
	return outcome.Errors, err
}
