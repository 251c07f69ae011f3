package skipped_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/skipped"
)

func TestWithoutObject(t *testing.T) {
	for _, tt := range []struct {
		why, name, text string
		want            skipped.Reason
	}{
		{"an object", "a.yaml", "apiVersion: v1\nkind: Pod\n", ""},
		{"an object that lost its version", "a.yaml", "kind: Pod\n", ""},
		{"an object that lost both", "a.yaml", "metadata: {name: a}\nspec: {}\n", ""},
		{"an object that is broken", "a.yaml", "kind: Pod\nmetadata: {\n", ""},
		{"an object beside something else", "a.yaml", "a: 1\n---\nkind: Pod\n", ""},
		{"values", "values.yaml", "image: {tag: v1}\n", skipped.NoObject},
		{"the head of a chart, whose apiVersion is of Helm", "chart/Chart.yaml", "apiVersion: v2\nname: a\n", skipped.NoObject},
		{"a manifest with that name", "Chart.yaml", "apiVersion: v1\nkind: Pod\n", ""},
		{"a kustomization", "kustomization.yaml", "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n", skipped.NoObject},
		{"a workflow", "ci.yaml", "on: push\njobs: {}\n", skipped.NoObject},
		{"a list of operations", "ops.yaml", "- {op: add}\n", skipped.NoObject},
		{"nothing", "empty.yaml", "# off\n", skipped.NoObject},
	} {
		all := slices.Collect(documents.Manifest(tt.name, []byte(tt.text)))
		if got := skipped.WithoutObject(tt.name, []byte(tt.text), all); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}

func TestWithoutSchema(t *testing.T) {
	for _, tt := range []struct {
		why, text string
		want      skipped.Reason
	}{
		{"a definition", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n", ""},
		{"a misspelt kind", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinitio\n", ""},
		{"a misspelt group and kind", "apiVersion: apiextension.k8s.io/v1\nkind: CRD\nspec: {versions: [{schema: " +
			"{openAPIV3Schema: {}}}]}\n", ""},
		{"a definition of v1beta1 with a misspelt kind", "apiVersion: x/v1\nkind: CRD\nspec: {validation: {openAPIV3Schema: " +
			"{type: object}}}\n", ""},
		{"a broken definition", "kind: CustomResourceDefinition\nspec: {\n", ""},
		{"a schema", "type: object\n", ""},
		{"a schema without a type", "properties: {a: {type: string}}\n", ""},
		{"the part of a definition", "openAPIV3Schema: {type: object}\n", ""},
		{"a broken schema", "properties: {\n", ""},
		{"values with a type", "type: ClusterIP\n", skipped.NoSchema},
		{"another object", "apiVersion: v1\nkind: Pod\nspec: {containers: []}\n", skipped.NoSchema},
		{"an object with versions", "apiVersion: x/v1\nkind: Release\nspec: {versions: [{name: v1}]}\n", skipped.NoSchema},
		{"something broken", "a: {\n", skipped.NoSchema},
	} {
		if got := skipped.WithoutSchema("a.yaml", []byte(tt.text)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}

func TestUnfinished(t *testing.T) {
	t.Chdir(t.TempDir())
	const object, patch = "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n", "apiVersion: apiextensions.k8s.io/v1\nkind: " +
		"CustomResourceDefinition\nmetadata: {name: a.b}\n"
	for name, text := range map[string]string{
		"base/kustomization.yaml": "patchesStrategicMerge: [merge.yaml]\npatchesJson6902: [{path: json.yaml}]\n",
		"base/overlay/Kustomization": "patches:\n- {path: parts/a.yaml}\n- {path: ../shared.yaml}\n- {patch: \"- op: " +
			"add\"}\nresources: [b.yaml]\n",
		"broken/kustomization.yaml": "patches: {\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		why, name, text string
		want            skipped.Reason
	}{
		{"a template", "chart/templates/a.yaml", "kind: Pod\nmetadata: {name: \"{{ .Release.Name }}\"}\n", skipped.Template},
		{"a template that writes nothing", "chart/templates/a.yaml", object, ""},
		{"braces elsewhere", "deploy/a.yaml", "kind: Pod\nmetadata: {name: \"{{ .Release.Name }}\"}\n", ""},
		{"a strategic patch", "base/merge.yaml", object, skipped.Patch},
		{"a JSON patch", "base/json.yaml", "- op: add\n", skipped.Patch},
		{"a patch of a folder below", "base/overlay/parts/a.yaml", object, skipped.Patch},
		{"a resource", "base/overlay/b.yaml", object, ""},
		{"a kustomization that cannot be read", "broken/a.yaml", object, ""},
		{"a patch of a definition, which no kustomization uses", "a.yaml", patch, skipped.Patch},
		{"a definition", "a.yaml", patch + "spec: {group: b}\n", ""},
		{"a definition whose spec is misspelt", "a.yaml", patch + "spek: {group: b}\n", ""},
		{"a patch and an object", "a.yaml", patch + "---\n" + object, ""},
		{"nothing", "a.yaml", "", ""},
	} {
		all := slices.Collect(documents.Manifest(tt.name, []byte(tt.text)))
		if got := skipped.Unfinished(tt.name, []byte(tt.text), all); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}
