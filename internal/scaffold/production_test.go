package scaffold_test

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/files/kustomization/render"
	"github.com/diffrun/diffrun/internal/scaffold"
	"github.com/diffrun/diffrun/internal/testing/slowtest"
)

// commandProject returns the project of an archive, with the versions of the libraries of this module.
func commandProject(t *testing.T, archive string) (root string, project *scaffold.Project) {
	t.Helper()
	root = unpack(t, archive)
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		text = []byte(strings.Replace(string(text), "module github.com/diffrun/diffrun", "module example.com/operator", 1))
		if err := os.WriteFile(filepath.Join(root, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	project, err := scaffold.Find(root, "diffrun", render.Folder)
	if err != nil {
		t.Fatal(err)
	}
	return root, project
}

// TestProductionFiles: the packages between the command and the manager are copied, with hooks; others are not.
func TestProductionFiles(t *testing.T) {
	_, project := commandProject(t, "testdata/command.txtar")
	if project.Production == nil || project.Production.Command != "cmd/operator" {
		t.Fatalf("the command is %+v", project.Production)
	}
	if diff := cmp.Diff([]string{"--most=7"}, project.Production.Arguments); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
	if len(project.Open) > 0 {
		t.Errorf("left open: %q", project.Open)
	}
	files, err := project.Program("diffrun")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"cluster.go", "command.go", "main.go", "manager.go", "panics.go", "production/cmd/operator/main.go",
		"production/hooks/config.go", "production/hooks/hooks.go", "production/hooks/manager.go",
		"production/internal/setup/manager.go", "reviews.go", "rights.go", "starting.go"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(files))); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	for name, parts := range map[string][]string{
		"production/cmd/operator/main.go": {
			"package production", `setup "example.com/operator/diffrun/serve/production/internal/setup"`, `"example.com/operator/limits"`,
			"func Main() {",
		},
		"production/internal/setup/manager.go": {
			`import hooks "example.com/operator/diffrun/serve/production/hooks"`, "hooks.NewManager(hooks.ConfigOrDie(), ctrl.Options{})",
			"hooks.Exit(2)", "var _ = os.Exit",
		},
	} {
		for _, part := range parts {
			if !strings.Contains(string(files[name]), part) {
				t.Errorf("%s lacks %q:\n%s", name, part, files[name])
			}
		}
	}
}

// TestNoProduction: a command whose webhooks an exported function registers is not copied, if it sets nothing.
func TestNoProduction(t *testing.T) {
	project, err := scaffold.Find(unpack(t, "testdata/operator.txtar"), "diffrun", render.Folder)
	if err != nil || project.Production != nil {
		t.Errorf("%+v, %v", project.Production, err)
	}
}

// TestUncopied: of several reasons why a command cannot be copied, the first one is said.
func TestUncopied(t *testing.T) {
	files := map[string]string{"go.mod": "module example.com/operator\n"}
	imports := ""
	for _, name := range strings.Split("d c b a h g f e", " ") {
		files["cmd/internal/"+name+"/"+name+".go"] = "package " + name + "\n"
		imports += "\t_ \"example.com/operator/cmd/internal/" + name + "\"\n"
	}
	files["cmd/operator/main.go"] = "package main\n\nimport (\n\tctrl \"sigs.k8s.io/controller-runtime\"\n" + imports + ")\n\n" +
		"func main() {\n\tmgr, _ := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})\n\tmgr.GetWebhookServer()\n}\n"
	project, err := scaffold.Find(written(t, files), "diffrun", render.Folder)
	if err != nil {
		t.Fatal(err)
	}
	const want = "./cmd/operator registers webhooks, but cannot be copied: cmd/operator imports example.com/operator/cmd/internal/a, " +
		"which a copy cannot"
	if len(project.Open) == 0 || project.Open[0] != want {
		t.Errorf("left open: %q, want %q", project.Open, want)
	}
}

// TestProduction: the program serves what the command registers, after what it sets. If the command starts no manager, the
// program says why.
func TestProduction(t *testing.T) {
	slowtest.Skip(t)
	root, project := commandProject(t, "testdata/command.txtar")
	program := builtProgram(t, root, project)
	paths := exec.Command(program, "-paths", "/validate-valve", "/other", "/validate-pump")
	if out, err := paths.Output(); err != nil || string(out) != "/validate-valve\n/validate-pump\n" {
		t.Errorf("paths: %q, %v", out, err)
	}
	serve := exec.Command(program, "/validate-pump")
	serve.Stdin = strings.NewReader(
		`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"a","object":{}}}` + "\n")
	if out, err := serve.Output(); err != nil || strings.Count(string(out), "\n") != 1 ||
		!strings.Contains(string(out), `"message":"at most 7"`) {
		t.Errorf("the answer: %s, %v", out, err)
	}
	for variable, why := range map[string]string{
		"BROKEN": "it ends with status 1 before it serves webhooks; it says: BROKEN is set",
		"READS": "it ends with status 6 before it serves webhooks, after it read /api/v1/namespaces/plant/pods/operator, which the " +
			"empty cluster here does not have; it says: no pod",
	} {
		broken := exec.Command(program, "-paths", "/validate-valve")
		broken.Env = append(os.Environ(), variable+"=yes")
		_, err := broken.Output()
		failed := &exec.ExitError{}
		if !errors.As(err, &failed) || failed.ExitCode() != 3 || string(failed.Stderr) != "diffrun: ./cmd/operator: "+why+"\n" {
			t.Errorf("a command that ends: %v: %s", err, failed.Stderr)
		}
	}
}

// builtProgram writes the program of a project and builds it.
func builtProgram(t *testing.T, root string, project *scaffold.Project) string {
	t.Helper()
	files, err := project.Program("diffrun")
	if err != nil {
		t.Fatal(err)
	}
	writeProgram(t, project, "diffrun/serve/", files)
	program := filepath.Join(t.TempDir(), "serve")
	build := exec.Command("go", "build", "-mod=mod", "-o", program, "./diffrun/serve")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// writeProgram writes the files of a program below a folder.
func writeProgram(t *testing.T, project *scaffold.Project, folder string, files map[string][]byte) {
	t.Helper()
	written := map[string][]byte{}
	for name, text := range files {
		written[folder+name] = text
	}
	if _, _, err := project.Write(written); err != nil {
		t.Fatal(err)
	}
}
