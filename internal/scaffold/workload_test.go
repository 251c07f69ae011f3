package scaffold_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/files/kustomization/render"
	"github.com/diffrun/diffrun/internal/scaffold"
)

// TestWorkload: a command is started as the nearest workload starts it, with what its manifest says.
func TestWorkload(t *testing.T) {
	const command = `package main

import (
	"example.com/operator/hooks"
	ctrl "sigs.k8s.io/controller-runtime"
)

func main() {
	mgr, _ := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	hooks.Register(mgr, 7)
}
`
	const hooks = "package hooks\n\nimport ctrl \"sigs.k8s.io/controller-runtime\"\n\n" +
		"func Register(mgr ctrl.Manager, most int) { mgr.GetWebhookServer() }\n"
	workload := func(name, replicas, arguments string) string {
		return "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: " + name + "}\nspec:\n  replicas: " + replicas +
			"\n  template: {spec: {containers: [{name: manager, args: " + arguments + "}]}}\n"
	}
	for _, row := range []struct {
		why   string
		files map[string]string
		want  []string
	}{
		{"the defaults of envsubst", map[string]string{
			"config/m.yaml": workload("a", "1", `["--at=${AT:=:8443}", "--of=${OF}", "--on=${ON:-true}"]`),
		},
			[]string{"--at=:8443", "--on=true"}},
		{"variables of the container, each of which may use those before it", map[string]string{
			"config/m.yaml": workload("a", "1", `["--at=$(D)", "--on=$(A)$(B)", "--of=$(E)"], env: [{name: A, value: a}, `+
				`{name: B, value: "$(A)b"}, {name: C, value: "$(B)c"}, `+
				`{name: D, value: "$(C)d"}, {name: E, value: "$(F)"}, {name: F, value: f}]`),
		},
			[]string{"--at=abcd", "--on=aab"}},
		{"a template writes another field, which is no text then", map[string]string{
			"charts/a/templates/m.yaml": workload("a", `"{{ .Values.replicas }}"`, `["--most=7"]`),
		}, []string{"--most=7"}},
		{"the image has the name of the command", map[string]string{
			"config/m.yaml": strings.Replace(workload("a", "1", "[--most=7]"), "name: manager,", "name: a, image: 'b/c-cmd:v1',", 1),
			"config/n.yaml": strings.Replace(workload("b", "1", "[--other]"), "name: manager,", "name: b,", 1),
		}, []string{"--most=7"}},
		{"of two workloads that fit, the one beside the command", map[string]string{
			"boot/config/m.yaml": workload("a", "1", "[--boot]"), "control/config/m.yaml": workload("a", "1", "[--control]"),
		}, []string{"--control"}},
	} {
		t.Run(row.why, func(t *testing.T) {
			files := map[string]string{
				"go.mod": "module example.com/operator\n\ngo 1.26\n", "control/cmd/main.go": command, "hooks/hooks.go": hooks,
			}
			for name, text := range row.files {
				files[name] = text
			}
			project, err := scaffold.Find(written(t, files), "diffrun", render.Folder)
			if err != nil {
				t.Fatal(err)
			}
			if project.Production == nil {
				t.Fatal("the command passes more than a manager to what registers webhooks, and is not copied")
			}
			if diff := cmp.Diff(row.want, project.Production.Arguments); diff != "" {
				t.Errorf("arguments (-want +got):\n%s", diff)
			}
		})
	}
}
