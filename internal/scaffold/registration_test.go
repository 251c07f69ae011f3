package scaffold_test

import (
	"testing"

	"github.com/diffrun/diffrun/internal/files/kustomization/render"
	"github.com/diffrun/diffrun/internal/scaffold"
)

// TestCommandIsCopied: a command is copied if it calls a registration in a way that the program cannot repeat.
func TestCommandIsCopied(t *testing.T) {
	const imports = "import ctrl \"sigs.k8s.io/controller-runtime\"\n\n"
	for _, row := range []struct{ why, hooks, helper, call string }{
		{"it sets a field of what registers", "type Hook struct{ Most int }\n\n" +
			"func (h *Hook) Setup(mgr ctrl.Manager) error { return ctrl.NewWebhookManagedBy(mgr).For(nil).Complete() }\n",
			"", "(&hooks.Hook{Most: 7}).Setup(mgr)"},
		{"a helper sets it", "type Hook struct{ Most int }\n\n" +
			"func (h *Hook) Setup(mgr ctrl.Manager) error { return ctrl.NewWebhookManagedBy(mgr).For(nil).Complete() }\n",
			"func All(mgr ctrl.Manager) error { return (&hooks.Hook{Most: 7}).Setup(mgr) }\n", "helper.All(mgr)"},
		{"the function is generic", "func Setup[T any](mgr ctrl.Manager) error {\n\t" +
			"return ctrl.NewWebhookManagedBy[T](mgr, nil).Complete()\n}\n", "", "hooks.Setup[int](mgr)"},
		{"the function takes the manager with other values", "type Options struct{ Mgr ctrl.Manager }\n\n" +
			"func Setup(of Options) { of.Mgr.GetWebhookServer().Register(\"/a\", nil) }\n", "", "hooks.Setup(hooks.Options{Mgr: mgr})"},
	} {
		t.Run(row.why, func(t *testing.T) {
			files := map[string]string{
				"go.mod":         "module example.com/operator\n\ngo 1.26\n",
				"hooks/hooks.go": "package hooks\n\n" + imports + row.hooks,
				"cmd/main.go": "package main\n\nimport (\n\t\"example.com/operator/helper\"\n\t\"example.com/operator/hooks\"\n\t" +
					"ctrl \"sigs.k8s.io/controller-runtime\"\n)\n\nfunc main() {\n\tmgr, _ := ctrl.NewManager(ctrl.GetConfigOrDie(), " +
					"ctrl.Options{})\n\t" + row.call + "\n}\n",
				"helper/helper.go": "package helper\n\nimport (\n\t\"example.com/operator/hooks\"\n\t" +
					"ctrl \"sigs.k8s.io/controller-runtime\"\n)\n\n" + row.helper,
			}
			project, err := scaffold.Find(written(t, files), "diffrun", render.Folder)
			if err != nil {
				t.Fatal(err)
			}
			if project.Production == nil || len(project.Open) > 0 {
				t.Errorf("the command %v, left open %q", project.Production, project.Open)
			}
		})
	}
}
