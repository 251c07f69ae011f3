package world

import (
	"context"
	"fmt"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules"

	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/admission"
)

// Validating is a validating webhook, or a program or Go function in its place. The zero value is
// none.
type Validating struct {
	// Backend is asked about the requests that match.
	Backend harness.Backend
	Match
	// Guard identifies it among the guards of its world. Zero: it is not one of them, but the whole
	// world.
	Guard contract.Guard
}

// Mutating is a mutating webhook, or a program or Go function in its place. The zero value is none.
type Mutating struct {
	// Mutator is asked about the requests that match.
	Mutator Mutator
	Match
	// Guard identifies it among the guards of its world. Zero: its calls are not recorded.
	Guard contract.Guard
}

// Mutator changes objects, as a mutating webhook does. It may be called from several
// goroutines at once and must not change the Input.
type Mutator interface {
	// Mutate returns the changed object; nil leaves it as it is. The errors refuse the object. The
	// error is a fault: the mutator could not decide, or its change cannot be applied.
	Mutate(ctx context.Context, in *harness.Input) (map[string]any, field.ErrorList, error)
}

// Match selects the requests that a webhook gets, and their version, like a webhook configuration.
// The zero value selects every request in its own version.
type Match struct {
	// Rules are those of the webhook. A request that no rule matches does not reach it.
	// Nil: all requests do.
	Rules []admissionregistrationv1.RuleWithOperations
	// Policy is Exact or Equivalent; empty: Equivalent. With Equivalent, a request in another
	// version of the resource also matches, and is converted.
	Policy admissionregistrationv1.MatchPolicyType
	// Objects selects requests by the labels of the object, the new or the old one, and Namespaces by those of its
	// namespace, in which a case has it, and of a Namespace itself. Nil: all requests.
	Objects, Namespaces labels.Selector
	// Conditions decide about the requests that all else selects. Nil: the webhook gets them all.
	Conditions contract.MatchConditions
}

// selects reports whether the labels of the objects and of their namespace are selected. It decides as the predicates of
// k8s.io/apiserver/pkg/admission/plugin/webhook.
func (m Match) selects(of *review) bool {
	if m.Objects != nil && !slices.ContainsFunc([]map[string]any{of.object, of.old}, func(object map[string]any) bool {
		return object != nil && m.Objects.Matches(labels.Set((&unstructured.Unstructured{Object: object}).GetLabels()))
	}) {
		return false
	}
	return m.Namespaces == nil || of.namespace() == "" || m.Namespaces.Matches(of.namespaceLabels())
}

// version returns the version in which a webhook gets a request; matches is false if it does not
// get it. It decides as ShouldCallHook of k8s.io/apiserver/pkg/admission/plugin/webhook/generic.
func (m Match) version(of *review) (version serving.Version, matches bool) {
	own := of.version()
	if !m.selects(of) {
		return own, false
	}
	if m.Rules == nil || m.any(of, own.Resource()) {
		return own, true
	}
	if m.Policy == admissionregistrationv1.Exact {
		return serving.Version{}, false
	}
	for _, rule := range m.Rules { // earlier rules before later ones
		for _, other := range of.of.Versions {
			if other.GroupVersionKind != own.GroupVersionKind && other.Has(of.in.Subresource) && matchesRule(rule, of, other.Resource()) {
				return other, true
			}
		}
	}
	return serving.Version{}, false
}

// request returns the request for a webhook; nil: it does not get it. The errors refuse it, the error is a fault.
func (m Match) request(ctx context.Context, of *review) (*harness.Input, field.ErrorList, error) {
	version, matches := m.version(of)
	if !matches {
		return nil, nil, nil
	}
	in, err := of.input(version)
	if err != nil || m.Conditions == nil {
		return in, nil, err
	}
	matches, errs, err := m.Conditions.Match(ctx, in, admission.UserOf(in.Request))
	if !matches || err != nil {
		return nil, errs, err
	}
	return in, nil, nil
}

// Reaches reports whether a rule names a resource, or one of its subresources, in any version: if
// none does, no request reaches the webhook.
func (m Match) Reaches(resource serving.Description) bool {
	reaches := m.Rules == nil
	for _, rule := range m.Rules {
		rule.Operations, rule.Scope = []admissionregistrationv1.OperationType{admissionregistrationv1.OperationAll}, nil
		for _, version := range resource.Versions {
			for _, subresource := range version.Paths() {
				attributes := apiadmission.NewAttributesRecord(nil, nil, version.GroupVersionKind, "", "", version.Resource(),
					subresource, apiadmission.Create, nil, true, nil)
				matcher := rules.Matcher{Rule: rule, Attr: attributes}
				reaches = reaches || matcher.Matches()
			}
		}
	}
	return reaches
}

func (m Match) any(of *review, resource schema.GroupVersionResource) bool {
	for _, rule := range m.Rules {
		if matchesRule(rule, of, resource) {
			return true
		}
	}
	return false
}

func matchesRule(rule admissionregistrationv1.RuleWithOperations, of *review, resource schema.GroupVersionResource) bool {
	matcher := rules.Matcher{Rule: rule, Attr: of.attributes(resource)}
	return matcher.Matches()
}

// validate asks the webhook, if the request matches.
func (v Validating) validate(ctx context.Context, of *review) (field.ErrorList, error) {
	if v.Backend == nil {
		return nil, nil
	}
	in, errs, err := v.request(ctx, of)
	if err != nil {
		return nil, fmt.Errorf("the validating webhook was not asked: %w", err)
	}
	if in == nil {
		addRefused(ctx, v.Guard, errs)
		return errs, nil
	}
	backend := v.Backend
	if strict, ok := backend.(admission.Lenient); ok {
		backend = strict.Lenient() // fields that the definition does not have were pruned
	}
	errs, err = backend.Validate(ctx, in)
	addAsked(ctx, contract.Asked{Guard: v.Guard.Name, Acted: len(errs) > 0})
	return errs, err
}

// addRefused records that a webhook's match conditions refused a request.
func addRefused(ctx context.Context, guard contract.Guard, errs field.ErrorList) {
	if len(errs) > 0 {
		addAsked(ctx, contract.Asked{Guard: guard.Name, Acted: true, Refused: guard.Purpose == words.ToChange})
	}
}

// addAsked records that a webhook was asked.
func addAsked(ctx context.Context, asked contract.Asked) {
	if asked.Guard != "" {
		contract.AddNotes(ctx, contract.Notes{Asked: []contract.Asked{asked}})
	}
}
