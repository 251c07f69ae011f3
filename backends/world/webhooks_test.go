package world_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// rule selects requests as a webhook configuration does.
func rule(version, resource string) []admissionregistrationv1.RuleWithOperations {
	return []admissionregistrationv1.RuleWithOperations{{
		Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.OperationAll},
		Rule: admissionregistrationv1.Rule{
			APIGroups:   []string{"example.com"},
			APIVersions: []string{version},
			Resources:   []string{resource},
		},
	}}
}

// Webhooks get a request in the version that their rules match, as in the API server.
func TestMatch(t *testing.T) {
	object := served.Object(t, `{apiVersion: example.com/v1, kind: Gadget, metadata: {name: a, namespace: b, labels: {tier: front}}}`)
	cluster := []map[string]any{
		served.Object(t, `{apiVersion: v1, kind: Namespace, metadata: {name: b, labels: {team: x}}}`),
		served.Object(t, `{apiVersion: v1, kind: Namespace, metadata: {name: c, labels: {other: x}}}`),
	}
	selector := func(text string) labels.Selector {
		selector, err := labels.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return selector
	}
	sent := []string{"CREATE v1/gadgets  example.com/v1 spec null status null old none"}
	for _, tc := range []struct {
		why   string
		match world.Match
		want  []string
		// refused: the conditions refuse the request.
		refused bool
	}{
		{"no rules: every request", world.Match{}, []string{"CREATE v1/gadgets  example.com/v1 spec null status null old none"}, false},
		{"the version of the request", world.Match{Rules: append(rule("v1beta1", "gadgets"), rule("v1", "gadgets")...)},
			[]string{"CREATE v1/gadgets  example.com/v1 spec null status null old none"}, false},
		{"a different version of the resource is equivalent", world.Match{Rules: rule("v1beta1", "gadgets")},
			[]string{"CREATE v1beta1/gadgets  example.com/v1beta1 spec null status null old none"}, false},
		{"unless the policy is Exact", world.Match{Rules: rule("v1beta1", "gadgets"), Policy: admissionregistrationv1.Exact}, nil, false},
		{"a different resource", world.Match{Rules: rule("*", "others")}, nil, false},
		{"a subresource is no resource", world.Match{Rules: rule("*", "gadgets/status")}, nil, false},
		{"labels of the object", world.Match{Objects: selector("tier=front")}, sent, false},
		{"other labels of the object", world.Match{Objects: selector("tier=back")}, nil, false},
		{"labels of the namespace", world.Match{Namespaces: selector("team=x,!other")}, sent, false},
		{"the name of the namespace", world.Match{Namespaces: selector("kubernetes.io/metadata.name=b")}, sent, false},
		{"other labels of the namespace", world.Match{Namespaces: selector("team=y")}, nil, false},
		{"conditions that hold", world.Match{Conditions: conditions{holds: true}}, sent, false},
		{"conditions that do not", world.Match{Conditions: conditions{}}, nil, false},
		{"conditions that cannot be evaluated refuse the request", world.Match{Conditions: conditions{refuses: "a fault"}}, nil, true},
		{"conditions are asked only about what the rules match", world.Match{Rules: rule("*", "others"), Conditions: conditions{
			refuses: "never asked",
		}}, nil, false},
		{"rules that match nothing", world.Match{Rules: []admissionregistrationv1.RuleWithOperations{}}, nil, false},
	} {
		t.Run(tc.why, func(t *testing.T) {
			mutates, then := &seen{}, &seen{}
			answer := ask(t, world.World{
				Definition: gadget(t, 1, ""), Mutate: world.Mutating{Mutator: mutates, Match: tc.match},
				Then: []world.Validating{{Backend: then, Match: tc.match}},
			}, harness.Case{Object: object, Cluster: cluster})
			if refused := len(answer.Errors) > 0; refused != tc.refused {
				t.Errorf("refused %v, want %v", refused, tc.refused)
			}
			if diff := cmp.Diff(tc.want, then.asked); diff != "" {
				t.Errorf("then: -want +got:\n%s", diff)
			}
			if diff := cmp.Diff(tc.want, mutates.asked); diff != "" {
				t.Errorf("mutate: -want +got:\n%s", diff)
			}
		})
	}
}

// conditions are match conditions with one answer.
type conditions struct {
	holds   bool
	refuses string
}

func (c conditions) Match(context.Context, *harness.Input, authenticationv1.UserInfo) (bool, field.ErrorList, error) {
	if c.refuses != "" {
		return false, field.ErrorList{field.Forbidden(nil, c.refuses)}, nil
	}
	return c.holds, nil, nil
}

// A mutating webhook may see, and patch, the object in another version; the definition
// validates it in that of the request.
func TestMutateInAnotherVersion(t *testing.T) {
	mutates, then := &seen{patch: func(object map[string]any) { object["spec"] = map[string]any{"replicas": int64(2)} }}, &seen{}
	ask(t, world.World{
		Definition: gadget(t, 1, ""), Mutate: world.Mutating{Mutator: mutates, Match: world.Match{Rules: rule("v1beta1", "*")}},
		Then: []world.Validating{{Backend: then}},
	}, harness.Case{Object: served.Object(t, `{apiVersion: example.com/v1, kind: Gadget, spec: {}}`)})
	want := []string{
		`CREATE v1beta1/gadgets  example.com/v1beta1 spec {"replicas":1} status null old none`,
		`CREATE v1/gadgets  example.com/v1 spec {"replicas":2} status null old none`,
	}
	if diff := cmp.Diff(want, append(mutates.asked, then.asked...)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
