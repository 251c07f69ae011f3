package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The suite that the README shows runs as it is pasted.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, file := range []string{"suite.yaml", "replicas.yaml"} {
		block := regexp.MustCompile("(?s)```yaml\n# " + regexp.QuoteMeta(file) + "\n(.*?)```").FindSubmatch(readme)
		if block == nil {
			t.Fatalf("the README shows no %s", file)
		}
		if err := os.WriteFile(filepath.Join(dir, file), block[1], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	stdout, err := os.Create(filepath.Join(dir, "stdout"))
	if err != nil {
		t.Fatal(err)
	}
	defer stdout.Close()
	command := program{stdout: stdout, stderr: os.Stderr, builtins: kubernetesBuiltins(), now: time.Now}
	if status := command.execute(t.Context(), []string{"run", filepath.Join(dir, "suite.yaml")}); status != 0 {
		t.Errorf("exit status %d", status)
	}
	report, err := os.ReadFile(stdout.Name())
	if err != nil {
		t.Fatal(err)
	}
	if want := "8 inputs of 2 cases"; !strings.Contains(string(report), want) {
		t.Errorf("the report lacks %q:\n%s", want, report)
	}
}
