package scaffold_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/internal/files/kustomization/render"
	"github.com/diffrun/diffrun/internal/scaffold"
)

// crdText returns a definition of valves with one served version for each argument, such as "v1: size kind": the fields of
// its spec.
func crdText(versions ...string) string {
	var out strings.Builder
	out.WriteString("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: " +
		"valves.plant.example\nspec:\n  group: plant.example\n" +
		"  scope: Namespaced\n  names: {kind: Valve, listKind: ValveList, plural: valves, singular: valve}\n  versions:\n")
	for i, version := range versions {
		name, fields, _ := strings.Cut(version, ":")
		fmt.Fprintf(&out, "  - name: %s\n    served: true\n    storage: %t\n    schema:\n      openAPIV3Schema:\n        type: "+
			"object\n        properties:\n", name, i == 0)
		for _, field := range strings.Fields(fields) {
			fmt.Fprintf(&out, "          %s: {type: string}\n", field)
		}
	}
	return out.String()
}

const (
	workloadText = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: manager}\n"
	listText     = "resources: [%s]\n"
)

func written(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		at := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// One of several definitions is used: what the repository deploys, and then the newest. The others are named, unless
// they are copies.
func TestChooseDefinition(t *testing.T) {
	resources := func(names string) string { return fmt.Sprintf(listText, names) }
	generated := func(version, text string) string {
		return strings.Replace(text, "metadata:\n", "metadata:\n  annotations: {controller-gen.kubebuilder.io/version: "+version+"}\n", 1)
	}
	described := strings.Replace(crdText("v1: size"), "size: {", "size: {description: how wide, ", 1)
	for _, tt := range []struct {
		why   string
		files map[string]string
		want  string // the file that is used
		over  string // the file that is passed over, and why
		open  string // a part of what is left open
	}{
		{"config/default deploys it, although the path is longer and the other is newer", map[string]string{
			"install/crd.yaml": crdText("v2: size"), "config/crd/bases/valves.yaml": crdText("v1: size"),
			"config/default/kustomization.yaml": resources("../crd"), "config/crd/kustomization.yaml": resources("bases/valves.yaml"),
		}, "config/crd/bases/valves.yaml", "install/crd.yaml: config/default/kustomization.yaml deploys config/crd/bases/valves.yaml", ""},
		{"an overlay deploys it through a base", map[string]string{
			"crd.yaml": crdText("v1: size kind"), "base/valves.yaml": crdText("v1: size"), "base/manager.yaml": workloadText,
			"base/kustomization.yml": resources("valves.yaml, manager.yaml"), "overlays/production/Kustomization": "bases: [../../base]\n",
		}, "base/valves.yaml", "crd.yaml: overlays/production/Kustomization deploys base/valves.yaml", ""},
		{"of two kustomizations, the one with a workload deploys", map[string]string{
			"a/kustomization.yaml": resources("valves.yaml"), "a/valves.yaml": crdText("v1: size kind"),
			"deploy/kustomization.yaml": resources("valves.yaml, manager.yaml"), "deploy/valves.yaml": crdText("v1: size"),
			"deploy/manager.yaml": workloadText,
		}, "deploy/valves.yaml", "a/valves.yaml: deploy/kustomization.yaml deploys deploy/valves.yaml", ""},
		{"a component of a kustomization", map[string]string{
			"crd.yaml": crdText("v1: size"), "parts/crd/valves.yaml": crdText("v1: size kind"),
			"parts/crd/kustomization.yaml": "kind: Component\n" + resources("valves.yaml"),
			"deploy/kustomization.yaml":    "components: [../parts/crd]\n",
		}, "parts/crd/valves.yaml", "crd.yaml: deploy/kustomization.yaml lists parts/crd/valves.yaml", ""},
		{"config/default changes it, so the file is not what is served", map[string]string{
			"config/crd/bases/valves.yaml": crdText("v1: size kind"), "config/crd/kustomization.yaml": resources("bases/valves.yaml"),
			"config/default/kustomization.yaml": resources("../crd") + "patches:\n- target: {kind: CustomResourceDefinition}\n  patch: '" +
				`[{"op": "remove", "path": "/spec/versions/0/schema/openAPIV3Schema/properties/kind"}]` + "'\n",
		}, "config/default", "config/crd/bases/valves.yaml: config/default/kustomization.yaml changes it before it is deployed", ""},
		{"a bundle that is deployed as it is: the suite picks the kind of the folder", map[string]string{
			"config/manager.yaml":               workloadText + "---\n" + crdText("v1: size"),
			"config/default/kustomization.yaml": resources("../manager.yaml"),
		}, "config/default", "", ""},
		{"an overlay that names an address is not rendered, since nothing is asked over the network", map[string]string{
			"config/default/kustomization.yaml": resources("valves.yaml, 'https://example.com/more.yaml'"),
			"config/default/valves.yaml":        crdText("v1: size"),
		}, "config/default/valves.yaml", "", "config/default/kustomization.yaml cannot be rendered, so its files are used as they are: " +
			"config/default/kustomization.yaml names https://example.com/more.yaml, which is not on this disk"},
		{"an overlay that kustomize refuses", map[string]string{
			"config/default/kustomization.yaml": resources("valves.yaml") + "patches: [{path: gone.yaml}]\n",
			"config/default/valves.yaml":        crdText("v1: size"),
		}, "config/default/valves.yaml", "", "config/default/kustomization.yaml cannot be rendered"},
		{"a kustomization that lists itself", map[string]string{
			"crd.yaml": crdText("v1: size"), "deploy/kustomization.yaml": resources("., valves.yaml"),
			"deploy/valves.yaml": crdText("v1: size kind"),
		}, "deploy/valves.yaml", "crd.yaml: deploy/kustomization.yaml lists deploy/valves.yaml", ""},
		{"the crds of a chart", map[string]string{
			"crd.yaml": crdText("v1: size"), "charts/valves/Chart.yaml": "name: valves\n",
			"charts/valves/crds/valves.yaml": crdText("v1: size kind"),
		}, "charts/valves/crds/valves.yaml", "crd.yaml: charts/valves/Chart.yaml deploys charts/valves/crds/valves.yaml", ""},
		{"a chart in the root, with a template", map[string]string{
			"a.yaml": crdText("v1: size"), "Chart.yaml": "name: valves\n",
			"templates/valves.yaml": "{{- if .Values.crds }}\n" + crdText("v1: size kind") + "{{- end }}\n",
		}, "templates/valves.yaml", "a.yaml: Chart.yaml deploys templates/valves.yaml", ""},
		{"the kustomization of a former release deploys nothing", map[string]string{
			"old/kustomization.yaml": resources("valves.yaml, manager.yaml"), "old/valves.yaml": crdText("v1: size"),
			"old/manager.yaml": workloadText, "manifests/valves.yaml": crdText("v1: kind"),
		}, "manifests/valves.yaml", `old/valves.yaml: old/valves.yaml is a former release, as the name "old" says`, ""},
		{"what is deployed is not there", map[string]string{
			"old/crd.yaml": crdText("v1: size"), "config/default/kustomization.yaml": resources("../crd"),
			"config/crd/kustomization.yaml": resources("bases/valves.yaml"),
		}, "old/crd.yaml", "", "config/crd/kustomization.yaml lists what is not there: bases/valves.yaml; if a tool makes it, " +
			"run the tool first"},
		{"a kustomization that cannot be read", map[string]string{
			"crd.yaml": crdText("v1: size"), "config/default/kustomization.yaml": "resources: {\n",
		}, "crd.yaml", "", "config/default/kustomization.yaml: what it deploys is not known"},
		{"the folder of a release",
			map[string]string{"v0.9/crd.yaml": crdText("v1: size kind"), "manifests/crds/crd.yaml": crdText("v1: size")},
			"manifests/crds/crd.yaml", `v0.9/crd.yaml: v0.9/crd.yaml is a former release, as the name "v0.9" says`, ""},
		{"the name of a release", map[string]string{
			"install-1.4.0.yaml":         crdText("v1: size kind"),
			"manifests/crds/valves.yaml": crdText("v1: size"),
		},
			"manifests/crds/valves.yaml", `install-1.4.0.yaml: install-1.4.0.yaml is a former release, as the name ` +
				`"install-1.4.0.yaml" says`, ""},
		{"the later of two releases", map[string]string{
			"releases/v1.10/crd.yaml": crdText("v1: size"),
			"releases/v1.9/crd.yaml":  crdText("v1: kind"),
		},
			"releases/v1.10/crd.yaml", "releases/v1.9/crd.yaml: releases/v1.10/crd.yaml is of release v1.10, and releases/v1.9/" +
				"crd.yaml of v1.9", ""},
		{"the bundle of OLM", map[string]string{
			"bundle/manifests/v.yaml":      crdText("v2: size"),
			"config/crd/bases/valves.yaml": crdText("v1: size"),
		},
			"config/crd/bases/valves.yaml", `bundle/manifests/v.yaml: bundle/manifests/v.yaml is a copy or an example, ` +
				`as the name "bundle" says`, ""},
		{"what a tool made", map[string]string{
			"dist/install.yaml":            workloadText + "---\n" + crdText("v1: size kind"),
			"config/crd/bases/valves.yaml": crdText("v1: size"),
		},
			"config/crd/bases/valves.yaml", `dist/install.yaml: dist/install.yaml is a copy or an example, as the name "dist" says`, ""},
		{"what a tool made is all that there is", map[string]string{"dist/install.yaml": workloadText + "---\n" + crdText("v1: size")},
			"dist/install.yaml", "", ""},
		{"tests", map[string]string{"test/crd.yaml": crdText("v2: size"), "docs/crds/valves.yaml": crdText("v1: size")},
			"docs/crds/valves.yaml", `test/crd.yaml: test/crd.yaml is for tests, as the name "test" says`, ""},
		{"the newer served version", map[string]string{
			"a.yaml":             crdText("v1beta1: size kind"),
			"deploy/valves.yaml": crdText("v1: size", "v1beta1: size"),
		},
			"deploy/valves.yaml", "a.yaml: deploy/valves.yaml serves v1, and a.yaml only v1beta1", ""},
		{"the newer stored version", map[string]string{
			"a.yaml":             crdText("v1beta1: size", "v1: size"),
			"deploy/valves.yaml": crdText("v1: size", "v1beta1: size"),
		},
			"deploy/valves.yaml", "a.yaml: deploy/valves.yaml stores v1, and a.yaml only v1beta1", ""},
		{"the newer generator", map[string]string{
			"a.yaml":             generated("v0.9.2", crdText("v1: size kind")),
			"deploy/valves.yaml": generated("v0.16.1", crdText("v1: size")),
		},
			"deploy/valves.yaml", "a.yaml: controller-gen v0.16.1 wrote deploy/valves.yaml, and v0.9.2 wrote a.yaml", ""},
		{"more fields", map[string]string{"a.yaml": crdText("v1: size"), "deploy/valves.yaml": crdText("v1: size kind")},
			"deploy/valves.yaml", "a.yaml: deploy/valves.yaml also has the field kind", ""},
		{"a field that the Go types lost", map[string]string{
			"a.yaml": crdText("v1: size kind"), "deploy/valves.yaml": crdText("v1: size"),
			"api/v1/types.go":      "package v1\ntype Valve struct {\n\tSize string `json:\"size\"`\n}\n",
			"api/v1beta1/types.go": "package v1beta1\ntype Valve struct {\n\tKind string `json:\"kind\"`\n}\n",
		}, "deploy/valves.yaml", "a.yaml: the Go types have no field kind, which a.yaml has", ""},
		{"a file of its own, beside a bundle", map[string]string{
			"install.yaml":          workloadText + "---\n" + crdText("v1: size"),
			"manifests/valves.yaml": crdText("v1: kind"),
		},
			"manifests/valves.yaml", "install.yaml: install.yaml has several objects, as files do that tools put together", ""},
		{"a list", map[string]string{
			"all.yaml":              "apiVersion: v1\nkind: List\nitems:\n- " + indented(crdText("v1: size")),
			"manifests/valves.yaml": crdText("v1: size kind"),
		},
			"manifests/valves.yaml", "all.yaml: manifests/valves.yaml also has the field kind", ""},
		{"a list of definitions, whose items have no kind", map[string]string{
			"all.yaml": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinitionList\nitems:\n- " +
				indented(strings.SplitAfterN(crdText("v1: size kind"), "\n", 3)[2]),
			"manifests/valves.yaml": crdText("v1: size"),
		}, "all.yaml", "manifests/valves.yaml: all.yaml also has the field kind", ""},
		{"nothing shows it", map[string]string{"a.yaml": crdText("v1: size"), "deploy/valves.yaml": crdText("v1: kind")},
			"a.yaml", "deploy/valves.yaml: nothing shows which one is newer", "nothing shows which one is newer; the suite uses a.yaml"},
		{"a copy, with other descriptions", map[string]string{"a.yaml": crdText("v1: size"), "deploy/valves.yaml": described}, "a.yaml", "",
			""},
		{"a template that writes fields is not used", map[string]string{
			"a.yaml": crdText("v1: size"), "chart/Chart.yaml": "name: valves\n",
			"chart/templates/crd.yaml": strings.Replace(crdText("v1: size"), "type: string", "type: {{ .Values.type }}", 1),
		}, "a.yaml", "", "chart/templates/crd.yaml:1: CustomResourceDefinition: " +
			"spec.versions[0].schema.openAPIV3Schema.properties.size.type: the template writes this"},
		{"broken YAML is named, whatever the form of its kind", map[string]string{
			"a.yaml":             crdText("v1: size"),
			"deploy/valves.yaml": "apiVersion: apiextensions.k8s.io/v1\nkind: \"CustomResourceDefinition\"\nspec: {\n",
		},
			"a.yaml", "", "deploy/valves.yaml:"},
		{"no schema", map[string]string{
			"a.yaml":             crdText("v1: size"),
			"deploy/valves.yaml": strings.Split(crdText("v1: size"), "    schema:")[0],
		},
			"a.yaml", "", "deploy/valves.yaml:9: no version of this CustomResourceDefinition has a schema"},
		{"too large", map[string]string{"a.yaml": crdText("v1: size"),
			"deploy/valves.yaml": crdText("v1: size") + strings.Repeat("#\n", 5<<20)},
			"a.yaml", "", "deploy/valves.yaml is not read: it is larger than 8 MiB"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			project, err := scaffold.Find(written(t, tt.files), "diffrun", render.Folder)
			if err != nil || len(project.Definitions) != 1 {
				t.Fatalf("%d definitions, error %v, left open: %q", len(project.Definitions), err, project.Open)
			}
			if got := project.Definitions[0].Source; got != tt.want {
				t.Errorf("%s is used, want %s", got, tt.want)
			}
			var over []string
			for _, each := range project.PassedOver {
				over = append(over, each.Source+": "+each.Why)
			}
			if got := strings.Join(over, "\n"); got != tt.over {
				t.Errorf("passed over %q, want %q", got, tt.over)
			}
			if open := strings.Join(project.Open, "\n"); !strings.Contains(open, tt.open) || tt.open == "" && open != "" {
				t.Errorf("left open %q, want %q", open, tt.open)
			}
		})
	}
}

func indented(text string) string {
	return strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") + "\n"
}

// Policies and webhook configurations of one name are one object, and so is what a chart has of it.
func TestChooseGuards(t *testing.T) {
	policy := func(version, expression string) string {
		return "apiVersion: admissionregistration.k8s.io/" + version +
			"\nkind: ValidatingAdmissionPolicy\nmetadata: {name: sizes}\nspec:\n" +
			"  matchConstraints: {resourceRules: [{apiGroups: [plant.example], apiVersions: [v1], operations: [CREATE], resources: " +
			"[valves]}]}\n  validations: [{expression: \"" + expression + "\"}]\n"
	}
	webhook := func(name, path, operation string, resources string) string {
		return "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: " + name +
			"}\nwebhooks:\n- name: a.plant.example\n  clientConfig: {service: {path: " + path +
			"}}\n  rules: [{apiGroups: [plant.example], apiVersions: [v1], operations: [" + operation + "], resources: [" + resources +
			"]}]\n"
	}
	for _, tt := range []struct {
		why   string
		files map[string]string
		want  string // the policies and webhooks that are used
		over  string
	}{
		{"a policy of a former release",
			map[string]string{"old/p.yaml": policy("v1", "false"), "deploy/policies/p.yaml": policy("v1", "true")},
			"deploy/policies/p.yaml", "ValidatingAdmissionPolicy sizes of old/p.yaml"},
		{"a policy in an older version of its API", map[string]string{
			"p.yaml":                 policy("v1beta1", "false"),
			"deploy/policies/p.yaml": policy("v1", "true"),
		},
			"deploy/policies/p.yaml", "ValidatingAdmissionPolicy sizes of p.yaml"},
		{"a copy of a policy", map[string]string{"a.yaml": policy("v1", "true"), "deploy/policies/p.yaml": policy("v1", "true")}, "a.yaml",
			""},
		{"a policy that a chart deploys", map[string]string{
			"p.yaml":                 policy("v1", "false"),
			"chart/Chart.yaml":       "name: c\n",
			"chart/templates/p.yaml": policy("v1", "true"),
		},
			"chart/templates/p.yaml", "ValidatingAdmissionPolicy sizes of p.yaml"},
		{"a webhook of a former release, with a resource that is gone", map[string]string{
			"old/w.yaml":            webhook("valves", "/v", "CREATE", "valves, pipes"),
			"config/webhook/w.yaml": webhook("valves", "/v", "CREATE", "valves"),
		},
			"config/webhook/w.yaml", "ValidatingWebhookConfiguration valves of old/w.yaml"},
		{"different configurations of the name that kubebuilder gives to all",
			map[string]string{
				"a/w.yaml": webhook("validating-webhook-configuration", "/a", "CREATE", "valves"),
				"b/w.yaml": webhook("validating-webhook-configuration", "/b", "CREATE", "pipes"),
			},
			"a/w.yaml b/w.yaml", ""},
		{"a chart with a different name, and operations", map[string]string{
			"chart/w.yaml":          webhook("chart", "/v", "UPDATE", "valves"),
			"config/webhook/w.yaml": webhook("valves", "/v", "CREATE", "valves"),
		},
			"chart/w.yaml", "webhook /v of config/webhook/w.yaml"},
		{"a patch of kustomize", map[string]string{
			"a.yaml": "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: " +
				"{name: valves}\nwebhooks:\n- {name: a.plant.example, failurePolicy: Ignore}\n",
			"config/webhook/w.yaml": webhook("valves", "/v", "CREATE", "valves"),
		},
			"config/webhook/w.yaml", ""},
	} {
		t.Run(tt.why, func(t *testing.T) {
			project, err := scaffold.Find(written(t, tt.files), "diffrun", render.Folder)
			if err != nil {
				t.Fatal(err)
			}
			var used, over []string
			for _, policy := range project.Policies {
				used = append(used, policy.Source)
			}
			for _, webhook := range project.Webhooks {
				used = append(used, webhook.Source)
			}
			for _, each := range project.PassedOver {
				over = append(over, each.Kind+" "+each.Name+" of "+each.Source)
			}
			if got := strings.Join(used, " "); got != tt.want {
				t.Errorf("used %q, want %q", got, tt.want)
			}
			if got := strings.Join(over, "\n"); got != tt.over {
				t.Errorf("passed over %q, want %q", got, tt.over)
			}
		})
	}
}
