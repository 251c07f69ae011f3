package staging

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// ErrNoGo is the error of Go if there is no go command.
var ErrNoGo = errors.New("a release of Kubernetes is built with the go command, which is not in PATH: install Go, see https://go.dev/dl")

// Go runs the go command in a directory and returns its output. The error has what it wrote to stderr.
func Go(ctx context.Context, dir string, arguments ...string) ([]byte, error) {
	return goWith(ctx, dir, nil, arguments...)
}

// Build builds the command of a package. The program needs no libraries of the machine. Flags and environment are those
// of a released diffrun ("make static"), so libraries that both have are in the build cache after one of them.
func Build(ctx context.Context, module, output, packagePath string) error {
	_, err := goWith(ctx, module, []string{"CGO_ENABLED=0"}, "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w",
		"-o", output, packagePath)
	return err
}

func goWith(ctx context.Context, dir string, environment []string, arguments ...string) ([]byte, error) {
	var out, said bytes.Buffer
	command := exec.CommandContext(ctx, "go", arguments...)
	command.Dir, command.Stdout, command.Stderr = dir, &out, &said
	command.Env = append(append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod"), environment...)
	switch err := command.Run(); {
	case errors.Is(err, exec.ErrNotFound):
		return nil, ErrNoGo
	case err != nil:
		return out.Bytes(), fmt.Errorf("go %s: %w\n%s", strings.Join(arguments, " "), err, bytes.TrimSpace(said.Bytes()))
	}
	return out.Bytes(), nil
}

// Module is a downloaded module: its version, its directory, and its go.mod.
type Module struct {
	Version, Dir, GoMod string
}

// Download downloads a version of a module.
func Download(ctx context.Context, path, version string) (Module, error) {
	var found struct {
		Module
		Error string
	}
	err := outside(ctx, &found, "mod", "download", "-json", path+"@"+version)
	if found.Error != "" {
		err = said(found.Error)
	}
	return found.Module, err
}

// Last returns the last published version of a module that a query matches, as in v1.33.
func Last(ctx context.Context, path, query string) (version string, err error) {
	var found struct {
		Version string
		Error   struct{ Err string }
	}
	err = outside(ctx, &found, "list", "-m", "-e", "-json", path+"@"+query)
	if found.Error.Err != "" {
		err = said(found.Error.Err)
	}
	return found.Version, err
}

// said returns an error of the go command as one line.
func said(text string) error {
	return errors.New(strings.TrimSuffix(strings.Join(strings.Fields(text), " "), "."))
}

// outside decodes the output of the go command outside of any module: the go.mod and go.work of the user do not count.
func outside(ctx context.Context, into any, arguments ...string) error {
	dir, err := os.MkdirTemp("", "diffrun-module-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	output, err := Go(ctx, dir, arguments...)
	if decoding := json.Unmarshal(output, into); err == nil {
		err = decoding
	}
	return err
}
