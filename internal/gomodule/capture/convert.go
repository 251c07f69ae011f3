package capture

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/gomodule/capture/converter"
	"github.com/diffrun/diffrun/internal/gomodule/gotool"
)

// Folders of the converting program in a main module. They exist only in the overlay.
const (
	converterFolder = "testdata/diffrunconverter"
	programFolder   = "testdata/diffrunconvert"
)

// convert converts the recorded objects with the schemes of the user.
func (w *workspace) convert(ctx context.Context) error {
	if len(w.options.Schemes) == 0 {
		return nil
	}
	program, err := w.program(ctx)
	if err == nil {
		err = errors.Join(
			w.placePackage("converter", converterFolder),
			w.overlay.Put(filepath.Join(w.mains[0].Dir, programFolder, "main.go"), program),
		)
	}
	if err != nil {
		return err
	}
	overlay, err := w.overlay.Write()
	if err != nil {
		return err
	}
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	for _, line := range w.recording.Lines {
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	arguments := append([]string{"run"}, w.tests.build...)
	if w.modfile != "" {
		arguments = append(arguments, "-modfile="+w.modfile)
	}
	run := exec.CommandContext(ctx, w.tests.program, append(arguments, "-overlay="+overlay, path.Join(w.mains[0].Path, programFolder))...)
	run.Cancel = func() error { return run.Process.Signal(os.Interrupt) }
	run.Dir, run.Env, run.Stdin = w.options.Dir, w.command.Env, &lines
	var out, problems bytes.Buffer
	run.Stdout, run.Stderr = &out, &problems
	if err := run.Run(); err != nil {
		return fmt.Errorf("--scheme %s: the program that converts objects with it fails: %w\n%s",
			strings.Join(w.options.Schemes, ","), err, problems.Bytes())
	}
	return w.takeAnswers(&out)
}

func (w *workspace) takeAnswers(in io.Reader) error {
	decoder := json.NewDecoder(in)
	for {
		var answer converter.Answer
		if err := decoder.Decode(&answer); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fmt.Errorf("--scheme: the program that converts objects did not write an answer: %w", err)
		}
		w.recording.Answers = append(w.recording.Answers, answer)
	}
	if len(w.recording.Answers) != len(w.recording.Lines) {
		return fmt.Errorf("--scheme: the program that converts objects answers %d of %d calls", len(w.recording.Answers),
			len(w.recording.Lines))
	}
	return nil
}

// program returns the source of a program that converts objects and calls validators again.
func (w *workspace) program(ctx context.Context) ([]byte, error) {
	var body strings.Builder
	imports := map[string]string{}
	named := func(name string) string {
		dot := strings.LastIndex(name, ".")
		pkg := name[:dot]
		if imports[pkg] == "" {
			imports[pkg] = fmt.Sprintf("p%d", len(imports))
		}
		return imports[pkg] + name[dot:]
	}
	fmt.Fprintf(&body, "\tp := converter.Program{\n\t\tVersions: %#v,\n\t\tSchemes: []any{", w.options.InternalVersions)
	for _, scheme := range w.options.Schemes {
		body.WriteString(named(scheme) + ", ")
	}
	body.WriteString("},\n\t\tFunctions: map[string]converter.Function{\n")
	for _, f := range w.recording.Functions {
		pkg := f.Name[:strings.LastIndex(f.Name, ".")]
		if !f.Callable || !w.called(f.Name) || !w.importable(pkg) {
			continue
		}
		fmt.Fprintf(&body, "\t\t\t%q: {Call: %s, Parameters: %#v, Old: %t},\n", f.Name, named(f.Name), f.Parameters, f.Old)
	}
	body.WriteString("\t\t},\n\t}\n")
	var head strings.Builder
	head.WriteString("package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\n")
	for _, pkg := range slices.Sorted(maps.Keys(imports)) {
		fmt.Fprintf(&head, "\t%s %q\n", imports[pkg], pkg)
	}
	installs, err := w.installs(ctx)
	if err != nil {
		return nil, err
	}
	for _, pkg := range installs {
		fmt.Fprintf(&head, "\t_ %q\n", pkg)
	}
	fmt.Fprintf(&head, "\tconverter %q\n", path.Join(w.mains[0].Path, converterFolder))
	if w.gates() {
		fmt.Fprintf(&head, "\tfeature %q\n", featurePackage)
		body.WriteString(setGates)
	}
	return []byte(head.String() + ")\n\nfunc main() {\n" + body.String() +
		"\tif err := p.Run(os.Stdin, os.Stdout); err != nil {\n\t\tfmt.Fprintln(os.Stderr, err)\n\t\tos.Exit(1)\n\t}\n}\n"), nil
}

// setGates is the part of the program that sets the feature gates of an API server. A gate that is
// locked in this version can only have had another value if a test emulates another version.
const setGates = `	p.Gates = func(gates map[string]bool) (restore func(), locked []string) {
		before, wanted := map[string]bool{}, map[string]bool{}
		for gate, spec := range feature.DefaultMutableFeatureGate.GetAll() {
			on, set := gates[string(gate)]
			switch {
			case !set:
			case spec.LockToDefault && on != spec.Default:
				locked = append(locked, fmt.Sprintf("%s=%t", gate, on))
			default:
				before[string(gate)], wanted[string(gate)] = feature.DefaultFeatureGate.Enabled(gate), on
			}
		}
		restore = func() { _ = feature.DefaultMutableFeatureGate.SetFromMap(before) }
		if err := feature.DefaultMutableFeatureGate.SetFromMap(wanted); err != nil {
			locked = append(locked, "those that depend on others")
		}
		return restore, locked
	}
`

// gates reports whether a test has set feature gates.
func (w *workspace) gates() bool {
	for _, line := range w.recording.Lines {
		if line.Gates != nil {
			return true
		}
	}
	return false
}

func (w *workspace) called(function string) bool {
	for _, line := range w.recording.Lines {
		if line.Function == function {
			return true
		}
	}
	return false
}

// importable reports whether the program may import a package: it is not internal to another tree
// and not a program.
func (w *workspace) importable(pkg string) bool {
	if w.programs[pkg] {
		return false
	}
	before, _, internal := strings.Cut("/"+pkg+"/", "/internal/")
	before = strings.TrimPrefix(before, "/")
	return !internal || before == w.mains[0].Path
}

// installs returns the packages import/path/install of the packages of recorded types. By convention
// they add the types to a scheme.
func (w *workspace) installs(ctx context.Context) ([]string, error) {
	candidates := map[string]bool{}
	for _, line := range w.recording.Lines {
		if dot := strings.LastIndex(line.Type, "."); dot > 0 && line.Untagged {
			candidates[line.Type[:dot]+"/install"] = true
		}
	}
	if len(candidates) == 0 {
		return nil, nil
	}
	flags := append([]string{"-e", "-find", "-json=ImportPath,Dir,GoFiles", "--"}, slices.Sorted(maps.Keys(candidates))...)
	packages, err := gotool.List[listed](ctx, w.command, w.tests.list(w.modfile, flags...)...)
	if err != nil {
		return nil, fmt.Errorf("--scheme: %w", err)
	}
	var found []string
	for _, p := range packages {
		if len(p.GoFiles) > 0 && w.importable(p.ImportPath) {
			found = append(found, p.ImportPath)
		}
	}
	return found, nil
}
