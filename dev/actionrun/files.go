package actionrun

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Action is a composite action.
type Action struct {
	Name, Description, Author string
	Branding                  struct{ Icon, Color string }
	Inputs                    map[string]Input
	Outputs                   map[string]Output
	Runs                      struct {
		Using string
		Steps []Step
	}
	dir string
}

// Input is an input of an action.
type Input struct {
	Description        string
	Required           bool
	Default            string
	DeprecationMessage string `yaml:"deprecationMessage"`
}

// Output is an output of an action.
type Output struct{ Description, Value string }

// Step is a step of an action or a job.
type Step struct {
	Name, ID, If, Uses, Run, Shell string
	WorkingDirectory               string `yaml:"working-directory"`
	ContinueOnError                bool   `yaml:"continue-on-error"`
	TimeoutMinutes                 int    `yaml:"timeout-minutes"`
	With, Env                      map[string]string
}

// Workflow is a workflow of jobs.
type Workflow struct {
	Name        string
	On          map[string]*Event
	Permissions map[string]string
	Env         map[string]string
	Jobs        map[string]Job
}

// Event starts a workflow.
type Event struct {
	Branches, Paths, Tags, Types []string
}

// Job is a job of a workflow.
type Job struct {
	Name, Needs, If string
	RunsOn          string `yaml:"runs-on"`
	TimeoutMinutes  int    `yaml:"timeout-minutes"`
	Permissions     map[string]string
	Strategy        struct {
		FailFast    *bool `yaml:"fail-fast"`
		MaxParallel int   `yaml:"max-parallel"`
		Matrix      map[string][]string
	}
	Env   map[string]string
	Steps []Step
}

// ReadAction reads the action.yml of a directory.
func ReadAction(dir string) (*Action, error) {
	a := &Action{dir: dir}
	if err := read(dir+"/action.yml", a); err != nil {
		return nil, err
	}
	var errs []error
	if a.Name == "" || a.Description == "" || a.Runs.Using != "composite" {
		errs = append(errs, errors.New("action.yml: name, description and \"using: composite\" are required"))
	}
	for _, step := range a.Runs.Steps {
		if step.Run != "" && step.Shell != "bash" {
			errs = append(errs, fmt.Errorf("action.yml: step %q: steps of an action need a shell, and this one must be bash", step.Name))
		}
		errs = append(errs, step.check())
	}
	return a, errors.Join(errs...)
}

// ReadWorkflow reads the file of a workflow.
func ReadWorkflow(file string) (*Workflow, error) {
	w := &Workflow{}
	if err := read(file, w); err != nil {
		return nil, err
	}
	var errs []error
	for name, job := range w.Jobs {
		if _, known := w.Jobs[job.Needs]; job.Needs != "" && !known {
			errs = append(errs, fmt.Errorf("%s: job %s needs %s, which is no job", file, name, job.Needs))
		}
		if job.RunsOn == "" || len(job.Steps) == 0 {
			errs = append(errs, fmt.Errorf("%s: job %s has no runs-on or no steps", file, name))
		}
		for _, step := range job.Steps {
			errs = append(errs, step.check())
		}
	}
	return w, errors.Join(errs...)
}

// read decodes a file and knows all its keys.
func read(file string, into any) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// check says what is wrong with a step.
func (s Step) check() error {
	var errs []error
	if (s.Run == "") == (s.Uses == "") {
		errs = append(errs, fmt.Errorf("step %q: give it either run or uses", s.Name))
	}
	if s.Uses != "" && (s.Shell != "" || s.WorkingDirectory != "") {
		errs = append(errs, fmt.Errorf("step %q: shell and working-directory are for steps that run", s.Name))
	}
	if strings.Contains(s.Run, "${{") {
		errs = append(errs, fmt.Errorf("step %q: an expression within a command is code that others can write; pass it as env", s.Name))
	}
	parse := exec.Command("bash", "-n")
	parse.Stdin = strings.NewReader(s.Run)
	if out, err := parse.CombinedOutput(); err != nil {
		errs = append(errs, fmt.Errorf("step %q: %w: %s", s.Name, err, out))
	}
	return errors.Join(errs...)
}
