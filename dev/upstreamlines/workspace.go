package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/diffrun/diffrun/internal/files/outfile"
)

const (
	upstream = "k8s.io/kubernetes"
	ours     = "github.com/diffrun/diffrun"
	// recordFile is the environment variable that the line reads.
	recordFile = "DIFFRUN_LINES"
	// exceptionsFile is the environment variable for the exceptions.
	exceptionsFile = "DIFFRUN_EXCEPTIONS"
)

// The line is a separate test file in each copied package.
//
//go:embed _line
var lineFile embed.FS

// module is the go command's description of a module.
type module struct{ Dir, GoMod, Version string }

// makeModule writes a module with the dependencies of this one, which it replaces by its folder.
func makeModule(folder string, main module) error {
	data, err := os.ReadFile(main.GoMod)
	if err != nil {
		return err
	}
	data = bytes.Replace(data, []byte("module "+ours), []byte("module lines.invalid"), 1)
	data = fmt.Appendf(data, "\nrequire %s v0.0.0\n\nreplace %s => %s\n", ours, ours, main.Dir)
	sums, err := os.ReadFile(strings.TrimSuffix(main.GoMod, ".mod") + ".sum")
	if err != nil {
		return err
	}
	return errors.Join(outfile.Write(filepath.Join(folder, "go.mod"), data), outfile.Write(filepath.Join(folder, "go.sum"), sums))
}

// copyGroup copies the validation of a group with its tests and puts the line into them. It returns
// the calls that it did not change.
func copyGroup(folder, kubernetes, group string) (left []string, err error) {
	from, to := filepath.Join(kubernetes, "pkg", "apis", group, "validation"), filepath.Join(folder, group)
	if err := os.MkdirAll(to, 0o755); err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(from, "*.go"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s has no package pkg/apis/%s/validation; name groups like its folders, for instance batch", upstream,
			group)
	}
	var sources, tests []string
	for _, file := range files {
		copied := filepath.Join(to, filepath.Base(file))
		data, err := os.ReadFile(file)
		if err == nil {
			err = outfile.Write(copied, data)
		}
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(file, "_test.go") {
			tests = append(tests, copied)
		} else {
			sources = append(sources, copied)
		}
	}
	known, err := functions(sources)
	if err != nil {
		return nil, err
	}
	for _, test := range tests {
		alone, err := insert(test, known)
		if err != nil {
			return nil, err
		}
		left = append(left, alone...)
	}
	data, err := fs.ReadFile(lineFile, "_line/zz_line_test.go")
	if err != nil {
		return nil, err
	}
	data = fmt.Appendf(data, "\nconst apiGroup = %q\n", group)
	if err := outfile.Write(filepath.Join(to, "zz_line_test.go"), data); err != nil {
		return nil, err
	}
	return left, useLine(tests)
}

// useLine adds the import that the line needs to the files with the line.
func useLine(tests []string) error {
	for _, test := range tests {
		data, err := os.ReadFile(test)
		if err != nil {
			return err
		}
		if bytes.Contains(data, []byte("harness.Case{")) {
			data = bytes.Replace(data, []byte("\nimport ("), []byte("\nimport (\n\t\""+ours+"/harness\""), 1)
			if err := outfile.Write(test, data); err != nil {
				return err
			}
		}
	}
	return nil
}

// run runs the tests of a group and returns the calls that they made. Accepted differences are
// those of this project's exceptions.
func run(ctx context.Context, folder, group, project string) ([]call, error) {
	record := filepath.Join(folder, group+".jsonl")
	if err := os.Remove(record); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	// -vet=off, because vet is upstream's concern.
	test := exec.CommandContext(ctx, "go", "test", "-mod=mod", "-count=1", "-vet=off", "./"+group)
	test.Dir = folder
	test.Env = append(os.Environ(), recordFile+"="+record, exceptionsFile+"="+filepath.Join(project, "exceptions.yaml"), "GOFLAGS=-mod=mod")
	if out, err := test.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the tests of %s with the line fail (%w):\n%s", group, err, out)
	}
	data, err := os.ReadFile(record)
	if err != nil {
		return nil, fmt.Errorf("the tests of %s made no call: %w", group, err)
	}
	var calls []call
	for decoder := json.NewDecoder(bytes.NewReader(data)); decoder.More(); {
		var made call
		if err := decoder.Decode(&made); err != nil {
			return nil, err
		}
		calls = append(calls, made)
	}
	return calls, nil
}

// list asks the go command about a module.
func list(ctx context.Context, name string) (found module, err error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-json", name).Output()
	if err != nil {
		return module{}, fmt.Errorf("go list -m %s: %w", name, err)
	}
	return found, json.Unmarshal(out, &found)
}
