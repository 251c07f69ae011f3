package actionrun

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/diffrun/diffrun/internal/files/outfile"
)

// Runner runs actions and jobs in a directory.
type Runner struct {
	// Action is what "uses" of the repository of Name means.
	Action *Action
	Name   string // for instance diffrun/diffrun
	// Dir is where steps run, Temp the runner's directory for temporary files, and Artifacts
	// where files are passed from job to job.
	Dir, Temp, Artifacts string
	// Env replaces variables of steps, so that a test need not reach the network.
	Env map[string]string
}

// Outcome is what steps did.
type Outcome struct {
	// Log is what they printed, Summary what they wrote for the page of the job.
	Log, Summary string
	// Outputs are those of the last step that has some.
	Outputs map[string]string
	Failed  bool
}

// job is what the steps of a job share.
type job struct {
	*Runner
	paths    []string // that steps added to PATH
	log      bytes.Buffer
	summary  string
	failed   bool
	provides map[string]string // the outputs of the last step
}

// Use runs the action with inputs. The error says that the files are wrong; a command that
// fails makes the outcome failed.
func (r *Runner) Use(ctx context.Context, with map[string]string) (Outcome, error) {
	j := &job{Runner: r}
	err := j.use(ctx, with)
	return j.outcome(), err
}

// Job runs a job of a workflow once for each value of its matrix, which has one name at most.
func (r *Runner) Job(ctx context.Context, of Job) ([]Outcome, error) {
	over := []values{{}}
	if len(of.Strategy.Matrix) > 1 {
		return nil, errors.New("a matrix of several names is not understood")
	}
	for name, each := range of.Strategy.Matrix {
		over = nil
		for _, value := range each {
			over = append(over, values{"matrix." + name: value})
		}
	}
	var all []Outcome
	for _, known := range over {
		j := &job{Runner: r}
		if err := j.steps(ctx, of.Steps, known); err != nil {
			return all, err
		}
		all = append(all, j.outcome())
	}
	return all, nil
}

func (j *job) outcome() Outcome {
	return Outcome{Log: j.log.String(), Summary: j.summary, Outputs: j.provides, Failed: j.failed}
}

// use runs the steps of the action.
func (j *job) use(ctx context.Context, with map[string]string) error {
	known := values{"github.action_path": j.Action.dir, "github.action_ref": "v1.2.3"}
	for name, input := range j.Action.Inputs {
		known["inputs."+name] = input.Default
	}
	for name, value := range with {
		if _, declared := j.Action.Inputs[name]; !declared {
			return fmt.Errorf("the action has no input %q", name)
		}
		known["inputs."+name] = value
	}
	if err := j.steps(ctx, j.Action.Runs.Steps, known); err != nil {
		return err
	}
	if j.failed {
		return nil // a step that did not run has no outputs
	}
	outputs := map[string]string{}
	for name, output := range j.Action.Outputs {
		value, err := known.expand(output.Value)
		if err != nil {
			return fmt.Errorf("output %s: %w", name, err)
		}
		outputs[name] = value
	}
	j.provides = outputs
	return nil
}

// steps runs steps until one fails; those that always run do so after it.
func (j *job) steps(ctx context.Context, steps []Step, known values) error {
	before := j.failed
	failed := false
	for _, step := range steps {
		runs, err := known.holds(step.If, failed)
		if err != nil {
			return err
		}
		if !runs {
			continue
		}
		if err := j.step(ctx, step, known); err != nil {
			return fmt.Errorf("step %q: %w", step.Name+step.Uses, err)
		}
		failed = failed || j.failed
		if step.ID != "" {
			maps.Copy(known, known.with("steps."+step.ID+".outputs.", j.provides))
		}
	}
	j.failed = before || failed
	return nil
}

// step runs one step.
func (j *job) step(ctx context.Context, step Step, known values) error {
	env, err := known.expandAll(step.Env)
	if err != nil {
		return err
	}
	with, err := known.expandAll(step.With)
	if err != nil {
		return err
	}
	dir, err := known.expand(step.WorkingDirectory)
	if err != nil {
		return err
	}
	if step.Uses == "" {
		return j.run(ctx, step.Run, filepath.Join(j.Dir, dir), env)
	}
	name, _, _ := strings.Cut(step.Uses, "@")
	if name == j.Name {
		return j.use(ctx, with)
	}
	simulate, there := others[name]
	if !there {
		return fmt.Errorf("the action %s is not known", name)
	}
	return simulate(j, with)
}

// run runs a command as the runner of GitHub does.
func (j *job) run(ctx context.Context, command, dir string, env map[string]string) error {
	scratch, err := os.MkdirTemp(j.Temp, "step")
	if err != nil {
		return err
	}
	script := filepath.Join(scratch, "script.sh")
	if err := outfile.Write(script, []byte(command)); err != nil {
		return err
	}
	files := map[string]string{}
	for _, name := range []string{"GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"} {
		files[name] = filepath.Join(scratch, name)
	}
	all := map[string]string{"RUNNER_OS": "Linux", "RUNNER_ARCH": "X64", "RUNNER_TEMP": j.Temp}
	maps.Copy(all, files)
	maps.Copy(all, env)
	for name, value := range j.Env {
		if _, used := all[name]; used {
			all[name] = value
		}
	}
	shell := exec.CommandContext(ctx, "bash", "--noprofile", "--norc", "-eo", "pipefail", script)
	shell.Dir = dir
	shell.Env = append(os.Environ(), "PATH="+strings.Join(append(j.paths, os.Getenv("PATH")), string(os.PathListSeparator)))
	for name, value := range all {
		shell.Env = append(shell.Env, name+"="+value)
	}
	shell.Stdout, shell.Stderr = &j.log, &j.log
	failed := shell.Run()
	if exited := (*exec.ExitError)(nil); failed != nil && !errors.As(failed, &exited) {
		return failed
	}
	j.failed = failed != nil
	return j.took(files)
}

// took reads what a command wrote for the runner.
func (j *job) took(files map[string]string) error {
	texts := map[string]string{}
	for name, file := range files {
		data, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		texts[name] = string(data)
	}
	j.summary += texts["GITHUB_STEP_SUMMARY"]
	j.paths = append(strings.Fields(texts["GITHUB_PATH"]), j.paths...)
	j.provides = map[string]string{}
	for line := range strings.Lines(texts["GITHUB_OUTPUT"]) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		j.provides[name] = value
	}
	return nil
}
