package scaffold_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/internal/testing/slowtest"
)

// TestValidatorClient: a validator that nothing registers gets a client that reads the cluster of the case. What the client cannot
// do, and what other fields would do, is no verdict.
func TestValidatorClient(t *testing.T) {
	root, project := commandProject(t, "testdata/client.txtar")
	draft, err := project.Draft("diffrun", nil)
	const open = "checks/crane.go:21: nothing here registers CraneValidator, so diffrun/validators/main.go calls it with zero fields " +
		"(Limits): set those that it needs there"
	if err != nil || !slices.Contains(draft.Open, open) {
		t.Fatalf("left open: %q, %v", draft.Open, err)
	}
	slowtest.Skip(t)
	files, err := project.FunctionProgram("diffrun", project.Validators())
	if err != nil {
		t.Fatal(err)
	}
	writeProgram(t, project, "diffrun/validators/", files)
	program := filepath.Join(t.TempDir(), "validators")
	build := exec.Command("go", "build", "-mod=mod", "-o", program, "./diffrun/validators")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	serve := exec.Command(program, "Crane")
	const review = `{"apiVersion":"admission.k8s.io/v1","request":{"uid":"a","object":{"load":LOAD}},"cluster":[OBJECTS]}` + "\n"
	const pump = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"pump","namespace":"plant"}}`
	var sent strings.Builder
	for _, row := range [][2]string{{"1", pump}, {"1", ""}, {"-1", pump}, {"101", pump}} {
		sent.WriteString(strings.NewReplacer("LOAD", row[0], "OBJECTS", row[1]).Replace(review))
	}
	serve.Stdin = strings.NewReader(sent.String())
	out, err := serve.Output()
	lines := strings.Split(string(out), "\n")
	want := []string{
		`"allowed":true`,
		`"message":"configmaps \"pump\" not found"`,
		`the webhook asks the cluster for POST /api/v1/namespaces/plant/configmaps`,
		`"message":"panic: runtime error: invalid memory address or nil pointer dereference at example.com/operator/checks.` +
			`(*CraneValidator).ValidateCreate (`, "",
	}
	if err != nil || len(lines) != len(want) {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, part := range want {
		if !strings.Contains(lines[i], part) {
			t.Errorf("answer %d lacks %q: %s", i, part, lines[i])
		}
	}
}
