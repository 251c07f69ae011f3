package scaffold_test

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/testing/slowtest"
)

// TestServer: the server of a command without controller-runtime gets its own program, and the suite asks that.
func TestServer(t *testing.T) {
	root, project := commandProject(t, "testdata/server.txtar")
	of := project.Production
	if of == nil || of.Command != "cmd/webhook" || !of.Listens || len(project.Open) > 0 {
		t.Fatalf("the command is %+v; left open: %q", of, project.Open)
	}
	draft, err := project.Draft("diffrun", project.Presumed())
	if err != nil {
		t.Fatal(err)
	}
	if len(draft.Suites) != 1 || draft.Suites[0].Then == nil || draft.Suites[0].Then.Path != "/check" || draft.Suites[0].NeedsURL() {
		t.Errorf("%d suites: %+v", len(draft.Suites), draft.Suites)
	}
	const serve = "diffrun/serve/"
	want := []string{"diffrun/cases.yaml", serve + "cluster.go", serve + "command.go", serve + "main.go", serve + "panics.go",
		serve + "production/cmd/webhook/main.go", serve + "production/hooks/config.go", serve + "production/hooks/hooks.go",
		serve + "production/hooks/listen.go", serve + "reviews.go", serve + "rights.go", serve + "starting.go", "diffrun/suite.yaml"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(draft.Files))); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	copied := string(draft.Files[serve+"production/cmd/webhook/main.go"])
	for _, part := range []string{"hooks.Fatal(hooks.Serve(server, \"\", \"\"))", "hooks.Serve(\":8080\", http.NotFoundHandler())",
		"hooks.LoadX509KeyPair(*certificate", "hooks.Config()"} {
		if !strings.Contains(copied, part) {
			t.Errorf("the copy lacks %q:\n%s", part, copied)
		}
	}
	project.Webhooks = nil
	const open = "./cmd/webhook answers AdmissionReviews, but no webhook configuration here names its paths and resources: write the " +
		"one that it creates into a manifest, and run diffrun init again"
	if draft, err := project.Draft("diffrun", nil); err != nil || !slices.Contains(draft.Open, open) {
		t.Errorf("left open without a configuration: %q, %v", draft.Open, err)
	}
	slowtest.Skip(t)
	answersOfServer(t, builtProgram(t, root, project))
}

// answersOfServer asks the program that serves the command of the archive.
func answersOfServer(t *testing.T, program string) {
	t.Helper()
	paths := exec.Command(program, "-paths", "/check", "/healthz/not", "/other")
	if out, err := paths.Output(); err != nil || string(out) != "/check\n" {
		t.Errorf("paths: %q, %v", out, err)
	}
	serve := exec.Command(program, "/check")
	const review = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"a","object":{"size":SIZE}},"cluster":[`
	const pump = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"pump","namespace":"plant"}}`
	serve.Stdin = strings.NewReader(strings.Replace(review, "SIZE", "7", 1) + "]}\n" + strings.Replace(review, "SIZE", "8", 1) + "]}\n" +
		strings.Replace(review, "SIZE", "8", 1) + pump + "]}\n")
	out, err := serve.Output()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(lines) != 3 || !strings.Contains(lines[0], `"allowed":true`) ||
		!strings.Contains(lines[1], `"message":"at most 7"`) || !strings.Contains(lines[2], `"allowed":true`) {
		t.Errorf("the answers: %s, %v", out, err)
	}
	broken := exec.Command(program, "-paths", "/check")
	broken.Env = append(os.Environ(), "BROKEN=yes")
	_, err = broken.Output()
	failed := &exec.ExitError{}
	const why = "diffrun: ./cmd/webhook: it ends before it serves webhooks: BROKEN is set\n"
	if !errors.As(err, &failed) || failed.ExitCode() != 3 || string(failed.Stderr) != why {
		t.Errorf("a command that ends: %v: %s", err, failed.Stderr)
	}
}
