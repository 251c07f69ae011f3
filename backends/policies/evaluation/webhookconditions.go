package evaluation

import (
	"context"
	"encoding/json"
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
)

// Conditions are the match conditions of a webhook. They never change, so several goroutines can use them.
type Conditions struct{ set *Set }

// LoadConditions compiles match conditions of a webhook for requests about resources. The error is a userfile.Mistakes.
//
// A webhook and a policy have the same match conditions, so they are those of a policy that denies each request to which it
// comes.
func LoadConditions(of []admissionregistrationv1.MatchCondition, resources []Resource) (*Conditions, error) {
	all, equivalent := []string{"*"}, admissionregistrationv1.Equivalent
	rule := admissionregistrationv1.NamedRuleWithOperations{RuleWithOperations: admissionregistrationv1.RuleWithOperations{
		Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.OperationAll},
		Rule:       admissionregistrationv1.Rule{APIGroups: all, APIVersions: all, Resources: []string{"*/*"}},
	}}
	policy := &admissionregistrationv1.ValidatingAdmissionPolicy{
		TypeMeta:   metav1.TypeMeta{APIVersion: admissionregistrationv1.SchemeGroupVersion.String(), Kind: "ValidatingAdmissionPolicy"},
		ObjectMeta: metav1.ObjectMeta{Name: "match-conditions"},
		Spec: admissionregistrationv1.ValidatingAdmissionPolicySpec{
			MatchConstraints: &admissionregistrationv1.MatchResources{
				ResourceRules: []admissionregistrationv1.NamedRuleWithOperations{rule}, MatchPolicy: &equivalent,
			},
			MatchConditions: of,
			Validations:     []admissionregistrationv1.Validation{{Expression: "false"}},
		},
	}
	binding := &admissionregistrationv1.ValidatingAdmissionPolicyBinding{
		TypeMeta: metav1.TypeMeta{
			APIVersion: admissionregistrationv1.SchemeGroupVersion.String(), Kind: "ValidatingAdmissionPolicyBinding",
		},
		ObjectMeta: policy.ObjectMeta,
		Spec: admissionregistrationv1.ValidatingAdmissionPolicyBindingSpec{
			PolicyName: policy.Name, ValidationActions: []admissionregistrationv1.ValidationAction{admissionregistrationv1.Deny},
		},
	}
	list, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": []any{policy, binding}})
	if err != nil {
		return nil, err
	}
	set, err := Load([]File{{Name: "matchConditions", Data: list}}, Options{Resources: resources})
	if err != nil {
		return nil, err
	}
	return &Conditions{set}, nil
}

// Match reports whether all conditions hold for a request that a user sent. The errors refuse a request for which one cannot
// be evaluated, as with failurePolicy Fail.
func (c *Conditions) Match(ctx context.Context, in *harness.Input, user authenticationv1.UserInfo) (bool, field.ErrorList, error) {
	request, err := requestOf(in, user)
	if err != nil {
		return false, nil, err
	}
	outcome, err := c.set.Validate(ctx, request)
	if err != nil {
		return false, nil, err
	}
	for _, denial := range outcome.Denials {
		if denial.Failed {
			refusal := denial.Error()
			refusal.Detail = fmt.Sprintf("%s of the webhook: %s", denial.Part, denial.Text)
			return false, field.ErrorList{refusal}, nil
		}
	}
	return len(outcome.Denials) > 0, nil, nil
}
