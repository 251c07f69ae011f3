package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/diffrun/diffrun/e2e/controlplane"
)

// TestClusterDisappears kills the API server during a run: finished results are reported, each remaining
// input is a fault that names the cluster, and the run ends.
func TestClusterDisappears(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "servers"), 0o755); err != nil {
		t.Fatal(err)
	}
	mortal, err := controlplane.Start(t.Context(), *binaries, filepath.Join(dir, "servers"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(mortal.Stop)
	const inputs = 20_000
	var lines strings.Builder
	for i := range inputs {
		fmt.Fprintf(&lines, `{"id":"%d","object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a%d",`+
			`"namespace":"default"}}}`+"\n",
			i, i)
	}
	write(t, filepath.Join(dir, "cases.jsonl"), lines.String())
	write(t, filepath.Join(dir, "suite.yaml"), fmt.Sprintf(`name: disappears
native: {cluster: {kubeconfig: %q}}
declarative: {builtin: kubernetes}
cases: [cases.jsonl]
`, mortal.Kubeconfig))
	time.AfterFunc(3*time.Second, mortal.KillAPIServer)
	out := diffrun(t, dir, "suite.yaml")
	s := out.report.Summary
	t.Logf("%d inputs: %d equal, %d faults", s.Inputs, s.Equal, s.Fault)
	if out.status != 3 || s.Equal == 0 || s.Fault == 0 || s.Equal+s.Fault != s.Inputs {
		t.Errorf("exit status %d, %d equal and %d faults of %d inputs\n%s", out.status, s.Equal, s.Fault, s.Inputs, out.stdout)
	}
	if shown := strings.Count(out.stdout, "fault of the cluster"); shown == 0 || shown > inputs/100 {
		t.Errorf("the text report shows %d faults of one cause", shown)
	}
	if want := "the cluster " + mortal.Config.Host + " cannot be reached"; !strings.Contains(out.stdout, want) {
		t.Errorf("no line says %q:\n%s", want, out.stdout)
	}
}
