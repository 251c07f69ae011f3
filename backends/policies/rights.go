package policies

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/diffrun/diffrun/internal/casecluster"
)

// rights answers the questions of policies about what the user of a request may do, by the objects in its cluster. Nil answers
// none.
type rights struct {
	of *casecluster.Rights

	mu sync.Mutex
	// missing says that a question could not be answered.
	missing error
}

// rightsOf returns the rights in the cluster of a request; nil: another authorizer is there, or no policy asks.
func (b bound) rightsOf(request Request, other authorizer.Authorizer) (*rights, error) {
	if other != nil || !slices.ContainsFunc(b.hooks, func(h *hook) bool { return h.reads.authorizer }) {
		return nil, nil
	}
	of, err := casecluster.RightsOf(request.Cluster)
	return &rights{of: of}, err
}

// or returns the rights, or an authorizer in their place.
func (r *rights) or(other authorizer.Authorizer) authorizer.Authorizer {
	if r == nil {
		return other
	}
	return authorizer.AuthorizerFunc(r.authorize)
}

func (r *rights) authorize(_ context.Context, asked authorizer.Attributes) (authorizer.Decision, string, error) {
	allowed, err := r.allow(asked)
	switch {
	case err != nil:
		r.mu.Lock()
		defer r.mu.Unlock()
		r.missing = err
		return authorizer.DecisionNoOpinion, "", err
	case allowed:
		return authorizer.DecisionAllow, "", nil
	}
	return authorizer.DecisionNoOpinion, "", nil
}

func (r *rights) allow(asked authorizer.Attributes) (bool, error) {
	labels, _ := asked.GetLabelSelector()
	fields, _ := asked.GetFieldSelector()
	if !asked.IsResourceRequest() || len(labels)+len(fields) > 0 {
		return false, errors.New("only rights to resources, without selectors, are known; ask a cluster (native: {cluster: …})")
	}
	return r.of.Allow(asked.GetUser().GetName(), asked.GetUser().GetGroups(), casecluster.Right{
		Verb: asked.GetVerb(), Group: asked.GetAPIGroup(), Resource: asked.GetResource(), Subresource: asked.GetSubresource(),
		Namespace: asked.GetNamespace(), Name: asked.GetName(),
	})
}

// unknown returns an error if a policy asked what is not known.
func (r *rights) unknown(hook *hook) error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.missing == nil {
		return nil
	}
	return fmt.Errorf("%s asks for the rights of the user (authorizer): %w", hook, r.missing)
}
