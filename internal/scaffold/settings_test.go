package scaffold_test

import (
	"testing"

	"github.com/diffrun/diffrun/internal/files/kustomization/render"
	"github.com/diffrun/diffrun/internal/scaffold"
)

// TestSettings: what a webhook configuration says of the requests of its webhooks is kept, or it is said that it is not.
func TestSettings(t *testing.T) {
	const head = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: a}\nwebhooks:\n"
	webhook := func(operation, more string) string {
		return "- clientConfig: {service: {path: /v}}\n  rules: [{operations: [" + operation +
			"], apiGroups: [plant.example], apiVersions: [v1], resources: [valves]}]\n" + more
	}
	for _, tt := range []struct {
		why, webhooks, source, namespaces, conditions string
		count                                         int
	}{
		{
			why:      "conditions",
			webhooks: webhook("CREATE", "  matchConditions: [{name: a, expression: \"true\"}]\n"), conditions: "true", count: 1,
		},
		{
			why:      "a selector of names, which each namespace has",
			webhooks: webhook("CREATE", "  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: a}}\n"), count: 1,
			namespaces: "kubernetes.io/metadata.name=a",
		},
		{
			why:      "a selector of labels that no namespace may have",
			webhooks: webhook("CREATE", "  namespaceSelector: {matchExpressions: [{key: b, operator: DoesNotExist}]}\n"), count: 1,
			namespaces: "!b",
		},
		{why: "two webhooks of one path", webhooks: webhook("CREATE", "") + webhook("UPDATE", ""), count: 2},
		{
			why: "a patch of the configuration that controller-gen made of a marker",
			source: "package w\n\n// +kubebuilder:webhook:path=/v,mutating=false,groups=plant.example,resources=valves,verbs=create," +
				"versions=v1,name=v.plant.example\ntype Valve struct{}\n",
			webhooks: webhook("CREATE", "  matchConditions: [{name: a, expression: \"true\"}]\n"), conditions: "true", count: 1,
		},
		{why: "one webhook twice", webhooks: webhook("CREATE", "") + webhook("CREATE", ""), count: 1},
	} {
		t.Run(tt.why, func(t *testing.T) {
			root := written(t, map[string]string{"w.yaml": head + tt.webhooks, "w.go": tt.source})
			project, err := scaffold.Find(root, "diffrun", render.Folder)
			if err != nil {
				t.Fatal(err)
			}
			if len(project.Webhooks) != tt.count {
				t.Fatalf("%d webhooks, want %d", len(project.Webhooks), tt.count)
			}
			of, conditions := project.Webhooks[0], ""
			for _, condition := range of.MatchConditions {
				conditions += condition.Expression
			}
			if of.NamespaceSelector != tt.namespaces || conditions != tt.conditions {
				t.Errorf("namespaceSelector %q, matchConditions %q", of.NamespaceSelector, conditions)
			}
			if len(project.Open) > 0 {
				t.Errorf("left open: %q", project.Open)
			}
		})
	}
}
