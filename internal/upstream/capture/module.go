package capture

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/diffrun/diffrun/internal/outfile"
)

// Module is what is captured from.
const Module = "k8s.io/apiextensions-apiserver"

// workspace is a copy of the module's sources with recorders, and what the go command
// needs to use it instead of the module.
type workspace struct {
	folder  string // everything below it is temporary
	modfile string
	calls   string // where recordings go to
	// Version is that of the module, Recorded are the functions with recorders.
	Version  string
	Recorded []string
}

// newWorkspace copies and instruments the module that the go.mod of the current
// folder's module requires.
func newWorkspace(ctx context.Context, folder string) (*workspace, error) {
	var module struct{ Dir, Version string }
	var main struct{ GoMod string }
	if err := list(ctx, &module, Module); err != nil {
		return nil, err
	}
	if err := list(ctx, &main, ""); err != nil {
		return nil, err
	}
	w := &workspace{folder: folder, modfile: filepath.Join(folder, "upstream.mod"), calls: filepath.Join(folder, "calls"), Version: module.Version}
	sources := filepath.Join(folder, "module")
	if err := copySources(sources, module.Dir); err != nil {
		return nil, err
	}
	ours, err := fs.Sub(recorders, recordersFolder)
	if err != nil {
		return nil, err
	}
	if w.Recorded, err = Instrument(sources, ours); err != nil {
		return nil, fmt.Errorf("%s %s: %w", Module, module.Version, err)
	}
	for _, name := range []string{".mod", ".sum"} {
		data, err := os.ReadFile(strings.TrimSuffix(main.GoMod, ".mod") + name)
		if err == nil {
			err = outfile.Write(strings.TrimSuffix(w.modfile, ".mod")+name, data)
		}
		if err != nil {
			return nil, err
		}
	}
	if _, err := command(ctx, "go", "mod", "edit", "-replace="+Module+"="+sources, w.modfile); err != nil {
		return nil, err
	}
	return w, os.Mkdir(w.calls, 0o755)
}

// list asks the go command about a module; "" is the main module.
func list(ctx context.Context, into any, module string) error {
	arguments := []string{"list", "-m", "-json"}
	if module != "" {
		arguments = append(arguments, module)
	}
	out, err := command(ctx, "go", arguments...)
	if err != nil {
		return err
	}
	return json.Unmarshal(out, into)
}

// copySources copies a module out of the module cache, where nothing can be written.
func copySources(to, from string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, inside)
		if entry.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return outfile.Write(target, data)
	})
}

// command runs a program and gives what it writes to stdout. The error has what it
// writes to stderr.
func command(ctx context.Context, name string, arguments ...string) ([]byte, error) {
	run := exec.CommandContext(ctx, name, arguments...)
	var problems bytes.Buffer
	run.Stderr = &problems
	out, err := run.Output()
	if err != nil {
		return out, fmt.Errorf("%s %s: %w\n%s%s", name, strings.Join(arguments, " "), err, out, problems.Bytes())
	}
	return out, nil
}
