package gotool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"

	"github.com/diffrun/diffrun/internal/process"
)

// Command runs the go command where the user would.
type Command struct {
	// Program is the go command.
	Program string
	// Dir is where it runs. The default is the working directory.
	Dir string
	// Env is its environment. The default is that of the process.
	Env []string
}

// Output returns what a go command prints to stdout. The error is what it prints to stderr.
func (c Command) Output(ctx context.Context, arguments ...string) ([]byte, error) {
	run := exec.CommandContext(ctx, c.Program, arguments...)
	run.Dir, run.Env = c.Dir, c.Env
	return process.Output(run)
}

// List runs a command that prints JSON objects, such as "go list -json", and returns them.
func List[T any](ctx context.Context, c Command, arguments ...string) (all []T, err error) {
	out, err := c.Output(ctx, arguments...)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(out))
	for {
		var one T
		if err := decoder.Decode(&one); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go %s: %w", arguments[0], err)
		}
		all = append(all, one)
	}
}

// Module is a module as the go command describes it.
type Module struct {
	Path, Dir string
	Main      bool
	Replace   *Module
}

// Folder returns the folder with the sources of the module.
func (m *Module) Folder() string {
	if m.Replace != nil && m.Replace.Dir != "" {
		return m.Replace.Dir
	}
	return m.Dir
}

// MainModules returns the main modules of a command; a go.work has several. list has the arguments:
// "list", flags, "-m" and "-json".
func (c Command) MainModules(ctx context.Context, list ...string) ([]*Module, error) {
	found, err := List[*Module](ctx, c, list...)
	return slices.DeleteFunc(found, func(m *Module) bool { return !m.Main || m.Dir == "" }), err
}
