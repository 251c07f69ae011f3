package registry_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/kubernetes/pkg/apis/authorization"

	schemas "github.com/diffrun/diffrun/backends/declarative/kubernetes"
	"github.com/diffrun/diffrun/backends/native/kubernetes/registry"
	"github.com/diffrun/diffrun/harness"
)

const review = `apiVersion: authorization.k8s.io/v1
kind: SubjectAccessReview
spec:
  user: jane
  nonResourceAttributes: {path: /healthz, verb: get}`

// TestReviews: reviews are not stored, so the API server neither sets fields for storage nor checks them. A
// review is answered, so there are no updates.
func TestReviews(t *testing.T) {
	for _, tc := range []struct {
		why, object, old string
		want             []string
	}{
		{why: "no name and no uid", object: review, want: []string{
			"authorization.k8s.io/v1 SubjectAccessReview:",
			"authorization.k8s.io/v1beta1 SubjectAccessReview:",
		}},
		{
			why: "metadata is an error", object: review + "\nmetadata: {generateName: a-}",
			want: repeat("FieldValueInvalid metadata;", "authorization.k8s.io/v1 SubjectAccessReview",
				"authorization.k8s.io/v1beta1 SubjectAccessReview"),
		},
		{
			why: "an update", object: review, old: review,
			want: repeat("fault: the API server does not store a SubjectAccessReview, so there is no update of one: leave out "+
				"the old object",
				"authorization.k8s.io/v1 SubjectAccessReview", "authorization.k8s.io/v1beta1 SubjectAccessReview"),
		},
	} {
		t.Run(tc.why, func(t *testing.T) {
			c := harness.Case{Version: gvk("authorization.k8s.io/v1 SubjectAccessReview"), Object: document(t, tc.object)}
			if tc.old != "" {
				c.Old = document(t, tc.old)
			}
			if diff := cmp.Diff(tc.want, lines(check(t, c))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestTypedReviews: the same for typed objects.
func TestTypedReviews(t *testing.T) {
	both := harness.For(t, target(t, authorization.Kind("SelfSubjectAccessReview"), schemas.NewBackends().Backend))
	review := &authorizationv1.SelfSubjectAccessReview{
		Spec: authorizationv1.SelfSubjectAccessReviewSpec{NonResourceAttributes: &authorizationv1.NonResourceAttributes{Path: "/",
			Verb: "get"}},
	}
	if errs := both.Test(t, harness.Case{Object: review}); len(errs) != 0 {
		t.Errorf("a review without metadata gives %v", errs)
	}
	local, err := registry.Served(authorization.Kind("LocalSubjectAccessReview"))
	if err != nil || !local.Describe().Namespaced {
		t.Errorf("a LocalSubjectAccessReview is in a namespace; got %v", err)
	}
}
