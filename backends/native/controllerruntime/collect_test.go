package controllerruntime_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/diffrun/diffrun/backends/native/controllerruntime"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	reviews "github.com/diffrun/diffrun/internal/admission"
)

// collected returns the webhooks of a project whose validator reads an object of the cluster.
func collected(t *testing.T, ask func(context.Context, client.Client, *Widget) error) *controllerruntime.Webhooks {
	t.Helper()
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(widgetV1.GroupVersion(), &Widget{})
	metav1.AddToGroupVersion(scheme, widgetV1.GroupVersion())
	if err := clientscheme.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	hooks, err := controllerruntime.Collect(controllerruntime.CollectOptions{Scheme: scheme}, func(mgr manager.Manager) error {
		validator := widgets(func(ctx context.Context, object, _ *Widget) error { return ask(ctx, mgr.GetClient(), object) })
		defaulter := colors(func(w *Widget) error { w.Color = "red"; return nil })
		return builder.WebhookManagedBy(mgr, &Widget{}).WithValidator(validator).WithDefaulter(defaulter).Complete()
	})
	if err != nil {
		t.Fatal(err)
	}
	return hooks
}

const (
	validatePath = "/validate-example-com-v1-widget"
	mutatePath   = "/mutate-example-com-v1-widget"
)

// A webhook that is registered with a manager reads the objects of its case, and nothing else.
func TestCollect(t *testing.T) {
	limits := map[string]any{
		"apiVersion": "v1",
		"kind":       "ConfigMap",
		"metadata":   map[string]any{"name": "limits", "namespace": "shop", "labels": map[string]any{"of": "widgets"}},
		"data":       map[string]any{"max": "5"},
	}
	space := map[string]any{
		"apiVersion": "v1",
		"kind":       "Namespace",
		"metadata":   map[string]any{"name": "shop", "labels": map[string]any{"team": "a"}},
	}
	reader := map[string]any{
		"apiVersion": "rbac.authorization.k8s.io/v1",
		"kind":       "ClusterRole",
		"metadata":   map[string]any{"name": "reader"},
		"rules":      []any{map[string]any{"apiGroups": []any{""}, "resources": []any{"pods"}, "verbs": []any{"get"}}},
	}
	binding := map[string]any{
		"apiVersion": "rbac.authorization.k8s.io/v1",
		"kind":       "RoleBinding",
		"metadata":   map[string]any{"name": "reader", "namespace": "shop"},
		"roleRef":    map[string]any{"kind": "ClusterRole", "name": "reader"},
		"subjects":   []any{map[string]any{"kind": "User", "name": "alice"}},
	}
	get := func(object client.Object, namespace, name string, say func() string) func(context.Context, client.Client, *Widget) error {
		return func(ctx context.Context, c client.Client, _ *Widget) error {
			if err := c.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, object); err != nil {
				return err
			}
			return errors.New(say())
		}
	}
	configMap, namespace, old, list := &corev1.ConfigMap{}, &corev1.Namespace{}, &Widget{}, &corev1.ConfigMapList{}
	listed := func(options ...client.ListOption) func(context.Context, client.Client, *Widget) error {
		return func(ctx context.Context, c client.Client, _ *Widget) error {
			if err := c.List(ctx, list, options...); err != nil {
				return err
			}
			return fmt.Errorf("%d found", len(list.Items))
		}
	}
	for _, tt := range []struct {
		why string
		ask func(context.Context, client.Client, *Widget) error
		// want is the text of the error, and fault that of the fault.
		want, fault string
	}{
		{"an object of the case", get(configMap, "shop", "limits", func() string { return "max " + configMap.Data["max"] }), "max 5", ""},
		{"one without a namespace", get(namespace, "", "shop", func() string { return "team " + namespace.Labels["team"] }), "team a", ""},
		{"the old object", get(old, "shop", "w", func() string { return fmt.Sprintf("was %d", old.Size) }), "was 7", ""},
		{"an object that is not there", get(configMap, "shop", "other", func() string { return "found" }), `configmaps "other" not found`,
			""},
		{"the namespace counts", get(configMap, "other", "limits", func() string { return "found" }), `configmaps "limits" not found`, ""},
		{"a list", listed(client.InNamespace("shop")), "1 found", ""},
		{"a list by labels", listed(client.MatchingLabels{"of": "gadgets"}), "0 found", ""},
		{"listing by an index field is not supported", listed(client.MatchingFields{"data.max": "5"}), "",
			"objects cannot be selected by the field data.max"},
		{"a write", func(ctx context.Context, c client.Client, _ *Widget) error {
			return c.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "new", Namespace: "shop"}})
		}, "", "the webhook asks the cluster for POST /api/v1/namespaces/shop/configmaps"},
		{"the rights of a user", func(ctx context.Context, c client.Client, _ *Widget) error {
			review := &authorizationv1.SubjectAccessReview{
				Spec: authorizationv1.SubjectAccessReviewSpec{
					User:               "alice",
					ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: "get", Resource: "pods", Namespace: "shop"},
				},
			}
			if err := c.Create(ctx, review); err != nil {
				return err
			}
			return fmt.Errorf("allowed %v", review.Status.Allowed)
		}, "allowed true", ""},
		{"a right that she lacks", func(ctx context.Context, c client.Client, _ *Widget) error {
			review := &authorizationv1.LocalSubjectAccessReview{
				ObjectMeta: metav1.ObjectMeta{Namespace: "other"},
				Spec: authorizationv1.SubjectAccessReviewSpec{
					User:               "alice",
					ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: "get", Resource: "pods", Namespace: "other"},
				},
			}
			if err := c.Create(ctx, review); err != nil {
				return err
			}
			return fmt.Errorf("allowed %v", review.Status.Allowed)
		}, "allowed false", ""},
		{"a review of another namespace, which the API server refuses", func(ctx context.Context, c client.Client, _ *Widget) error {
			return c.Create(ctx, &authorizationv1.LocalSubjectAccessReview{
				ObjectMeta: metav1.ObjectMeta{Namespace: "other"},
				Spec: authorizationv1.SubjectAccessReviewSpec{
					User:               "alice",
					ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: "get", Resource: "pods"},
				},
			})
		}, "spec.resourceAttributes.namespace: must match metadata.namespace", ""},
		{"a review of nobody, which the API server refuses", func(ctx context.Context, c client.Client, _ *Widget) error {
			return c.Create(ctx, &authorizationv1.SubjectAccessReview{
				Spec: authorizationv1.SubjectAccessReviewSpec{ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: "get",
					Resource: "pods"}},
			})
		}, "spec.user: at least one of user or group must be specified", ""},
		{"a review with a selector", func(ctx context.Context, c client.Client, _ *Widget) error {
			return c.Create(ctx, &authorizationv1.SubjectAccessReview{
				Spec: authorizationv1.SubjectAccessReviewSpec{
					User: "alice",
					ResourceAttributes: &authorizationv1.ResourceAttributes{
						Verb:          "list",
						Resource:      "pods",
						LabelSelector: &authorizationv1.LabelSelectorAttributes{RawSelector: "a=b"},
					},
				},
			})
		}, "", "only rights to resources, without selectors, are known"},
		{"the rights of the webhook itself are not known", func(ctx context.Context, c client.Client, _ *Widget) error {
			return c.Create(ctx, &authorizationv1.SelfSubjectAccessReview{})
		}, "", "only a SubjectAccessReview and a LocalSubjectAccessReview are answered"},
		{"a panic, which the webhook recovers", func(context.Context, client.Client, *Widget) error { panic("oh") },
			"panic: oh [recovered]", ""},
	} {
		validator, err := collected(t, tt.ask).Validator(validatePath)
		if err != nil {
			t.Fatal(err)
		}
		in := widgetInput(5)
		before := map[string]any{
			"apiVersion": "example.com/v1",
			"kind":       "Widget",
			"metadata":   map[string]any{"name": "w", "namespace": "shop"},
			"size":       int64(7),
		}
		in.Operation, in.Old, in.Cluster = "UPDATE", contract.NewView(before), []map[string]any{limits, space, reader, binding}
		request, err := reviews.NewRequest(in)
		if err != nil {
			t.Fatal(err)
		}
		for name, outcome := range map[string]harness.Outcome{
			"in this process": harness.Ask(t.Context(), validator, in, contract.DefaultTimeout),
			"served":          answered(t, validator, request),
		} {
			switch {
			case tt.fault != "":
				if outcome.Fault == nil || !strings.Contains(outcome.Fault.Error(), tt.fault) {
					t.Errorf("%s, %s: errors %v, fault %v", tt.why, name, outcome.Errors, outcome.Fault)
				}
			case outcome.Fault != nil || len(outcome.Errors) != 1 || !strings.Contains(outcome.Errors[0].Detail, tt.want):
				t.Errorf("%s, %s: errors %v, fault %v", tt.why, name, outcome.Errors, outcome.Fault)
			}
		}
	}
}

// answered sends a review to a backend as a program that serves it would.
func answered(t *testing.T, backend harness.Backend, request reviews.Request) (outcome harness.Outcome) {
	t.Helper()
	response, err := reviews.Respond(t.Context(), backend, request.Body)
	if err != nil {
		outcome.Fault = &contract.Fault{Err: err}
		return outcome
	}
	decision, err := request.Validated(response)
	if err != nil {
		t.Fatal(err)
	}
	outcome.Errors = decision.Errors
	return outcome
}

// The defaulter is collected too, and webhooks that were not registered are named.
func TestCollectMutator(t *testing.T) {
	hooks := collected(t, func(context.Context, client.Client, *Widget) error { return nil })
	mutator, err := hooks.Mutator(mutatePath)
	if err != nil {
		t.Fatal(err)
	}
	mutated, errs, err := mutator.Mutate(t.Context(), widgetInput(1))
	if text, _ := json.Marshal(mutated); err != nil || len(errs) > 0 || mutated["color"] != "red" {
		t.Errorf("%s, %v, %v", text, errs, err)
	}
	if _, err := hooks.Validator("/other"); err == nil || !strings.Contains(err.Error(), mutatePath+", "+validatePath) {
		t.Errorf("an unknown path: %v", err)
	}
	for _, tt := range []struct {
		why      string
		register func(manager.Manager) error
		want     string
	}{
		{"a function fails", func(manager.Manager) error { return errors.New("no certificate") }, "registering webhooks: no certificate"},
		{"none is registered", func(manager.Manager) error { return nil }, "no function registered a webhook"},
	} {
		if _, err := controllerruntime.Collect(controllerruntime.CollectOptions{}, tt.register); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v", tt.why, err)
		}
	}
}
