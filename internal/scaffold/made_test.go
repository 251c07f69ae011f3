package scaffold_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/internal/scaffold"
)

// TestMadeObjects: a kind of which no file has an object begins with objects of its schema that the definition accepts.
func TestMadeObjects(t *testing.T) {
	for _, row := range []struct{ reason, schema, want, open string }{
		{
			"all fields are optional: the larger object has each of them",
			`{type: object, properties: {spec: {type: object, properties: {size: {type: integer, minimum: 3, maximum: 3}}}}}`,
			"least: null\nfull: size: 3\n", "begin with objects that were made from its schema",
		},
		{
			"required fields and a rule",
			`{type: object, required: [spec], properties: {spec: {type: object, required: [a, b], properties: {a: {type: integer}, ` +
				`b: {type: integer}}, x-kubernetes-validations: [{rule: "self.a == self.b"}]}}}`,
			"least: a: 0\nb: 0\n", "begin with objects that were made from its schema",
		},
		{
			"no object is accepted: the least one stays, and why is said",
			`{type: object, required: [spec], properties: {spec: {type: object, ` +
				`x-kubernetes-validations: [{rule: "false", message: never}]}}}`,
			"least: {}\n", "refuses the object that was made from its schema: spec: Invalid value: never (1 error)",
		},
	} {
		var schema any
		if err := yaml.Unmarshal([]byte(row.schema), &schema); err != nil {
			t.Fatal(err)
		}
		project := scaffold.FromObjects([]map[string]any{
			{
				"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
				"metadata": map[string]any{"name": "cogs.example.com"},
				"spec": map[string]any{
					"group": "example.com", "scope": "Namespaced", "names": map[string]any{"kind": "Cog", "plural": "cogs"},
					"versions": []any{map[string]any{"name": "v1", "served": true, "storage": true,
						"schema": map[string]any{"openAPIV3Schema": schema}}},
				},
			},
			{
				"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
				"metadata": map[string]any{"name": "cogs"},
				"webhooks": []any{map[string]any{"name": "cogs.example.com",
					"clientConfig": map[string]any{"service": map[string]any{"path": "/validate"}},
					"rules": []any{map[string]any{"operations": []any{"*"}, "apiGroups": []any{"example.com"}, "apiVersions": []any{"*"},
						"resources": []any{"cogs"}}}}},
			},
		}, scaffold.Access{})
		plan := scaffold.NewPlan(project, "diffrun", nil)
		if len(plan.Suites) != 1 {
			t.Fatalf("%s: %d suites", row.reason, len(plan.Suites))
		}
		var got strings.Builder
		for _, o := range plan.Suites[0].Objects {
			text, err := yaml.Marshal(o.Sample.Object["spec"])
			if err != nil {
				t.Fatal(err)
			}
			got.WriteString(o.Name + ": " + strings.TrimSpace(string(text)) + "\n")
		}
		if diff := cmp.Diff(row.want, got.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.reason, diff)
		}
		if open := strings.Join(plan.Open, "\n"); !strings.Contains(open, row.open) {
			t.Errorf("%s: left open: %s", row.reason, open)
		}
	}
}
