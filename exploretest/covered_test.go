package exploretest

import (
	"os/exec"
	"strings"
	"testing"
)

// TestCovered: with -cover, each input that executes code of the covered package for the first time counts: one that
// is accepted, one at the limit and one above it. Without -cover nothing counts.
func TestCovered(t *testing.T) {
	for flag, want := range map[string]string{
		"-cover":            ": 3 inputs executed new code of the covered packages",
		"-covermode=atomic": ": 3 inputs executed new code of the covered packages",
		"-short":            "which code the inputs execute is unknown",
	} {
		output, err := exec.Command("go", "test", "-v", flag, "./testdata/covered").CombinedOutput() // it finds a difference
		if !strings.Contains(string(output), want) {
			t.Errorf("go test %s: %v; want %q in:\n%s", flag, err, want, output)
		}
	}
}
