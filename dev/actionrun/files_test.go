package actionrun_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/dev/actionrun"
)

// TestMistakes: what GitHub would refuse, or would run though it must not, is found.
func TestMistakes(t *testing.T) {
	const head = "name: a\ndescription: b\ninputs: {x: {description: c}}\n"
	for _, tt := range []struct{ why, action, want string }{
		{"a key that GitHub does not know", head + "runs: {using: composite, stepz: []}\n", "stepz"},
		{"a key of a step that GitHub does not know", head + "runs: {using: composite, steps: [{run: a, shell: bash, envs: {}}]}\n", "envs"},
		{"no composite action", head + "runs: {using: node20}\n", "composite"},
		{"a step without a shell", head + "runs: {using: composite, steps: [{run: a}]}\n", "shell"},
		{"a command that is no bash", head + "runs: {using: composite, steps: [{run: 'if a', shell: bash}]}\n", "syntax error"},
		{"an input within a command", head + "runs: {using: composite, steps: [{run: 'echo ${{ inputs.x }}', shell: bash}]}\n", "pass it as env"},
		{"neither run nor uses", head + "runs: {using: composite, steps: [{name: a}]}\n", "either run or uses"},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "action.yml"), tt.action, 0o600)
		if _, err := actionrun.ReadAction(dir); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.why, err)
		}
	}
	for _, tt := range []struct{ why, step, want string }{
		{"an input that the action does not declare", "{uses: o/a@v1, with: {y: 1}}", `no input "y"`},
		{"an action that is not known", "{uses: o/b@v1}", "not known"},
		{"an expression that names nothing", "{run: a, env: {A: '${{ matrix.no }}'}}", "names nothing"},
		{"a condition that cannot be decided", "{run: a, if: github.x}", "not understood"},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "action.yml"), head+"runs: {using: composite, steps: []}\n", 0o600)
		write(t, filepath.Join(dir, "w.yaml"), "name: w\non: {push: }\njobs: {j: {runs-on: u, steps: ["+tt.step+"]}}\n", 0o600)
		action, err := actionrun.ReadAction(dir)
		if err != nil {
			t.Fatal(err)
		}
		workflow, err := actionrun.ReadWorkflow(filepath.Join(dir, "w.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		r := actionrun.Runner{Action: action, Name: "o/a", Dir: dir, Temp: dir, Artifacts: dir}
		if _, err := r.Job(t.Context(), workflow.Jobs["j"]); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.why, err)
		}
	}
}
