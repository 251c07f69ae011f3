package evaluation

import (
	"context"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// match is the result of a policy's match conditions for a request and a parameter.
type match struct {
	matchconditions.MatchResult
	// failed is the part with the first condition that could not be evaluated. Empty: all could be, or the budget
	// of all conditions together was used up.
	failed string
}

type matchesKey struct{}

// watchMatches returns a context in which results of match conditions are added to a list.
func watchMatches(ctx context.Context, into *[]match) context.Context {
	return context.WithValue(ctx, matchesKey{}, into)
}

// newMatcher returns the matcher of a policy's match conditions; nil: it has none.
func newMatcher(
	compiler *cel.CompositedCompiler, conditions []expression, policy *admissionregistrationv1.FailurePolicyType, name string,
) matchconditions.Matcher {
	if len(conditions) == 0 {
		return nil
	}
	evaluator := watchedConditions{evaluator(compiler, conditions)}
	return matcher{matchconditions.NewMatcher(evaluator, policy, "policy", "validate", name)}
}

// matcher passes the results of a policy's match conditions to the list in the context.
type matcher struct{ matchconditions.Matcher }

// Match calls the matcher.
func (m matcher) Match(
	ctx context.Context, attributes *admission.VersionedAttributes, parameter runtime.Object, authorizer authorizer.UnconditionalAuthorizer,
) matchconditions.MatchResult {
	into, watched := ctx.Value(matchesKey{}).(*[]match)
	if !watched {
		return m.Matcher.Match(ctx, attributes, parameter, authorizer)
	}
	*into = append(*into, match{})
	kept := &(*into)[len(*into)-1]
	kept.MatchResult = m.Matcher.Match(ctx, attributes, parameter, authorizer)
	return kept.MatchResult
}

// watchedConditions names the first condition that could not be evaluated in the last result of the list in the
// context: the error of a MatchResult is only a text.
type watchedConditions struct{ cel.ConditionEvaluator }

// ForInput calls the evaluator.
func (w watchedConditions) ForInput(
	ctx context.Context, attributes *admission.VersionedAttributes, request *admissionv1.AdmissionRequest,
	inputs cel.OptionalVariableBindings, namespace *corev1.Namespace, budget int64,
) ([]cel.EvaluationResult, int64, error) {
	results, left, err := w.ConditionEvaluator.ForInput(ctx, attributes, request, inputs, namespace, budget)
	if into, watched := ctx.Value(matchesKey{}).(*[]match); watched {
		for i, result := range results {
			if result.Error != nil {
				(*into)[len(*into)-1].failed = partName(conditionPart, i)
				break
			}
		}
	}
	return results, left, err
}

// watchedMatcher keeps the results of the matcher of a mutating policy.
type watchedMatcher struct {
	matchconditions.Matcher
	kept *patches
}

// Match calls the matcher.
func (m watchedMatcher) Match(
	ctx context.Context, attributes *admission.VersionedAttributes, parameter runtime.Object, authorizer authorizer.UnconditionalAuthorizer,
) matchconditions.MatchResult {
	return m.Matcher.Match(watchMatches(ctx, &m.kept.matches), attributes, parameter, watchedRights{authorizer, &m.kept.unknown})
}
