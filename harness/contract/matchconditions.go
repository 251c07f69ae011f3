package contract

import (
	"context"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// MatchConditions are the match conditions of a webhook.
type MatchConditions interface {
	// Match reports whether they hold for a request that a user sent, in the version for the webhook. The errors refuse a
	// request for which one cannot be evaluated.
	Match(ctx context.Context, in *Input, user authenticationv1.UserInfo) (bool, field.ErrorList, error)
}
