package evaluation

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/diffrun/diffrun/internal/casecluster"
)

// rights answers the questions of policies about what the user of a request may do, by the objects in its cluster. Nil answers
// none.
type rights struct{ of *casecluster.Rights }

// unknownRight is the error of a question that rights cannot answer.
type unknownRight struct{ error }

// rightsOf returns the rights in the cluster of a request; nil: another authorizer answers, or no policy asks.
func (b bound) rightsOf(request Request, other authorizer.Authorizer) (*rights, error) {
	if other != nil || !slices.ContainsFunc(b.hooks, func(h *hook) bool { return h.reads.authorizer }) {
		return nil, nil
	}
	of, err := casecluster.RightsOf(request.Cluster)
	return &rights{of}, err
}

// or returns the rights, or an authorizer in their place.
func (r *rights) or(other authorizer.Authorizer) authorizer.Authorizer {
	if r == nil {
		return other
	}
	return authorizer.AuthorizerFunc(r.authorize)
}

func (r *rights) authorize(_ context.Context, asked authorizer.Attributes) (authorizer.Decision, string, error) {
	switch allowed, err := r.allow(asked); {
	case err != nil:
		return authorizer.DecisionNoOpinion, "", unknownRight{err}
	case allowed:
		return authorizer.DecisionAllow, "", nil
	}
	return authorizer.DecisionNoOpinion, "", nil
}

func (r *rights) allow(asked authorizer.Attributes) (bool, error) {
	labels, _ := asked.GetLabelSelector()
	fields, _ := asked.GetFieldSelector()
	switch {
	case !asked.IsResourceRequest() || len(labels)+len(fields) > 0:
		return false, errors.New("only rights to resources, without selectors, are known; ask a cluster (native: {cluster: …})")
	case asked.GetUser().GetName() == "":
		return false, errors.New("the request has no user; say who sends it")
	}
	return r.of.Allow(asked.GetUser().GetName(), asked.GetUser().GetGroups(), casecluster.Right{
		Verb: asked.GetVerb(), Group: asked.GetAPIGroup(), Resource: asked.GetResource(), Subresource: asked.GetSubresource(),
		Namespace: asked.GetNamespace(), Name: asked.GetName(),
	})
}

// watchedRights is the authorizer of one policy. It records the first question that rights cannot answer: the expression may go
// on without an answer, but its result then means nothing.
type watchedRights struct {
	authorizer.UnconditionalAuthorizer
	unknown *error
}

// Authorize asks the authorizer.
func (w watchedRights) Authorize(ctx context.Context, asked authorizer.Attributes) (authorizer.Decision, string, error) {
	decision, reason, err := w.UnconditionalAuthorizer.Authorize(ctx, asked)
	var unknown unknownRight
	if errors.As(err, &unknown) && *w.unknown == nil {
		*w.unknown = unknown
	}
	return decision, reason, err
}

// asksUnknown returns the fault of a policy with a question that rights cannot answer.
func (h *hook) asksUnknown(unknown error) error {
	return fmt.Errorf("%s asks for the rights of the user (authorizer): %w", h, unknown)
}
