package e2e_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestSoakAfterKills repeatedly kills a soak. Its files stay complete: each case counts once, and each
// difference is there once.
func TestSoakAfterKills(t *testing.T) {
	example, err := filepath.Abs("../examples/webhook/draft.yaml")
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "found")
	for _, lasts := range []time.Duration{3 * time.Second, 4 * time.Second, 3500 * time.Millisecond} {
		cmd := exec.Command(filepath.Join(*binaries, "diffrun"), "soak", "--folder", folder, example)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(lasts)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed
	}
	last := exec.CommandContext(t.Context(), filepath.Join(*binaries, "diffrun"), "soak", "--duration", "5s", "--folder", folder, example)
	out, err := last.CombinedOutput()
	if last.ProcessState.ExitCode() != 1 {
		t.Fatalf("exit status %d, want 1 for differences: %v\n%s", last.ProcessState.ExitCode(), err, out)
	}
	const cases, differences = 7, 3 // of the example: in each pass
	var state struct {
		Cases, Inputs, Passes, Position int
		Verdicts                        map[string]int
		Findings                        map[string]struct{ Count int }
	}
	data, err := os.ReadFile(filepath.Join(folder, "state.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &state); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d cases, %d passes", state.Cases, state.Passes)
	if want := state.Passes*cases + state.Position; state.Cases != want || state.Inputs != want || state.Passes == 0 {
		t.Errorf("%d cases and %d inputs in %d passes and %d more; want %d\n%s", state.Cases, state.Inputs, state.Passes,
			state.Position, want, out)
	}
	counted := 0
	for _, finding := range state.Findings {
		counted += finding.Count
	}
	if counted != state.Verdicts["different"] {
		t.Errorf("findings count %d differences, and verdicts %d", counted, state.Verdicts["different"])
	}
	for _, pattern := range []string{"*.jsonl", "*.txt"} {
		if found, _ := filepath.Glob(filepath.Join(folder, "differences", pattern)); len(found) != differences ||
			len(state.Findings) != differences {
			t.Errorf("%d files %s and %d findings; want %d", len(found), pattern, len(state.Findings), differences)
		}
	}
}
