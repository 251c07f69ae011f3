package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/gomodule/capture/recorder"
	"github.com/diffrun/diffrun/internal/gomodule/gotool"
)

// module is a copy of the module with recorders.
type module struct {
	version string
	// modfile is a copy of our go.mod that replaces the module by the copy.
	modfile string
	// recorded lists the functions that have recorders.
	recorded []string
}

// copyModule copies the module that the go.mod of the current folder's module requires, and adds the
// recorders. The copy is always in the same folder, so that the go command can reuse what it compiled.
func copyModule(ctx context.Context, temporary string) (*module, error) {
	found, err := gotool.List[struct{ Version, Dir string }](ctx, gotool.Command{Program: "go"}, "list", "-m", "-json", Module)
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(cache, "diffrun", "upstream", strings.ReplaceAll(Module, "/", "-"))
	if err := errors.Join(os.RemoveAll(folder), os.CopyFS(folder, os.DirFS(found[0].Dir))); err != nil {
		return nil, err
	}
	m := &module{version: found[0].Version, modfile: filepath.Join(temporary, "capture.mod")}
	if m.recorded, err = addRecorders(folder); err != nil {
		return nil, err
	}
	return m, m.replace(ctx, folder)
}

// addRecorders adds the recorders to a copy of the module, and renames the functions that they record.
func addRecorders(folder string) (recorded []string, err error) {
	ours, err := fs.Sub(recorders, "_recorders")
	if err != nil {
		return nil, err
	}
	err = fs.WalkDir(ours, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(ours, name)
		if err != nil {
			return err
		}
		if path.Base(name) == recordersFile {
			functions, err := renameOriginals(filepath.Join(folder, path.Dir(name)), path.Join(Module, path.Dir(name)), data)
			if err != nil {
				return err
			}
			recorded = append(recorded, functions...)
		}
		target := filepath.Join(folder, name)
		return errors.Join(os.MkdirAll(filepath.Dir(target), 0o755), outfile.Write(target, data))
	})
	return recorded, err
}

// renameOriginals renames the functions of a package that have recorders.
func renameOriginals(dir, pkg string, recorders []byte) (functions []string, err error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	sources := map[string][]byte{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if sources[name], err = os.ReadFile(name); err != nil {
			return nil, err
		}
	}
	made, err := rename(pkg, sources, recorders)
	if err != nil {
		return nil, err
	}
	for name, source := range made.sources {
		err = errors.Join(err, outfile.Write(name, source))
	}
	return made.functions, err
}

// replace writes a copy of our go.mod that replaces the module by a folder.
func (m *module) replace(ctx context.Context, folder string) error {
	command := gotool.Command{Program: "go"}
	ours, err := command.Output(ctx, "env", "GOMOD")
	if err != nil {
		return err
	}
	for _, suffix := range []string{".mod", ".sum"} {
		data, err := os.ReadFile(strings.TrimSuffix(string(bytes.TrimSpace(ours)), ".mod") + suffix)
		if err == nil {
			err = outfile.Write(strings.TrimSuffix(m.modfile, ".mod")+suffix, data)
		}
		if err != nil {
			return err
		}
	}
	root := filepath.Dir(filepath.Dir(string(bytes.TrimSpace(ours)))) // go.mod names it as ".."
	_, err = command.Output(ctx, "mod", "edit", "-replace="+Module+"="+folder, "-replace=github.com/diffrun/diffrun="+root, m.modfile)
	return err
}

// test runs tests and returns the recorded calls.
func (m *module) test(ctx context.Context, temporary string, arguments []string) (calls []*Call, err error) {
	folder, err := os.MkdirTemp(temporary, "calls-")
	if err != nil {
		return nil, err
	}
	run := exec.CommandContext(ctx, "go",
		slices.Concat([]string{"test", "-modfile=" + m.modfile, "-mod=mod", "-vet=off", "-count=1"}, arguments)...)
	run.Cancel = func() error { return run.Process.Signal(os.Interrupt) }
	run.Env = append(os.Environ(), recorder.Folder+"="+folder)
	if out, err := run.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go test %s: %w\n%s", strings.Join(arguments, " "), err, out)
	}
	return readCalls(folder)
}
