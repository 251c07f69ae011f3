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

// Go runs the go command in a directory and returns its output. The error has what it wrote to stderr.
func Go(ctx context.Context, dir string, arguments ...string) ([]byte, error) {
	var out, said bytes.Buffer
	command := exec.CommandContext(ctx, "go", arguments...)
	command.Dir, command.Stdout, command.Stderr = dir, &out, &said
	command.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	switch err := command.Run(); {
	case errors.Is(err, exec.ErrNotFound):
		return nil, errors.New("a release of Kubernetes is built with the go command, which is not in PATH: install Go, see https://go.dev/dl")
	case err != nil:
		return out.Bytes(), fmt.Errorf("go %s: %w\n%s", strings.Join(arguments, " "), err, bytes.TrimSpace(said.Bytes()))
	}
	return out.Bytes(), nil
}

// Module is a downloaded module: its version, its directory, and its go.mod.
type Module struct {
	Version, Dir, GoMod string
}

// Download downloads a version of a module, outside of any module: the go.mod and go.work of the user do not count.
func Download(ctx context.Context, path, version string) (Module, error) {
	dir, err := os.MkdirTemp("", "diffrun-module-*")
	if err != nil {
		return Module{}, err
	}
	defer os.RemoveAll(dir)
	output, err := Go(ctx, dir, "mod", "download", "-json", path+"@"+version)
	var found struct {
		Module
		Error string
	}
	if decoding := json.Unmarshal(output, &found); decoding == nil && found.Error != "" {
		return Module{}, fmt.Errorf("%s %s cannot be downloaded: %s", path, version, found.Error)
	} else if err == nil {
		err = decoding
	}
	return found.Module, err
}
