package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"sigs.k8s.io/yaml"
)

// languages are the folders of Kyverno's library beside those of patterns: best-practices-cel and so on.
var languages = []string{"cel", "vpol"}

// suites writes suites of diffrun for a clone of Kyverno's library. The native side is a policy as patterns,
// served by Kyverno. The declarative side is the same policy in CEL: as Kyverno evaluates it, and as the
// ValidatingAdmissionPolicy that Kyverno generates of it. The cases are the samples of the policy.
func suites(ctx context.Context, args []string, log io.Writer) error {
	flags := flag.NewFlagSet("suites", flag.ContinueOnError)
	flags.SetOutput(log)
	into := flags.String("o", "suites", "the directory to write")
	exceptions := flags.String("exceptions", "", "the file of reviewed exceptions that the suites share")
	diffrun := flags.String("diffrun", "diffrun", "the program that reads the generated policies")
	if err := flags.Parse(args); err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("suites takes one directory, not %d\n%s", flags.NArg(), usage)
	}
	writer := &suiteWriter{into: *into, program: program, exceptions: *exceptions, log: log}
	for _, language := range languages {
		if err := writer.language(flags.Arg(0), language); err != nil {
			return err
		}
	}
	if err := writer.check(ctx, *diffrun); err != nil {
		return err
	}
	if writer.written == 0 {
		return fmt.Errorf("no policy below %s has a version in CEL beside it", flags.Arg(0))
	}
	_, err = fmt.Fprintf(log, "%d suites written to %s, for %d policies\n", writer.written, *into, writer.pairs)
	return err
}

// suiteWriter writes suites.
type suiteWriter struct {
	into, program, exceptions string
	log                       io.Writer
	pairs, written            int
	made                      []string // suites with generated policies
}

// language writes the suites of the policies in one language.
func (w *suiteWriter) language(library, language string) error {
	folders, err := filepath.Glob(filepath.Join(library, "*-"+language))
	if err != nil {
		return err
	}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
			beside := strings.TrimSuffix(folder, "-"+language) + strings.TrimPrefix(file, folder)
			switch {
			case err != nil:
				return err
			case entry.IsDir() && strings.HasPrefix(entry.Name(), "."):
				return fs.SkipDir
			case entry.IsDir() || filepath.Ext(file) != ".yaml" || !isPolicy(file) || !isPolicy(beside):
				return nil
			}
			w.pair(beside, file, language)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// isPolicy reports whether a file has policies.
func isPolicy(file string) bool {
	_, err := readFiles([]string{file})
	return err == nil
}

// pair writes the suites of a policy. A pair that cannot be compared is logged.
func (w *suiteWriter) pair(pattern, expressions, language string) {
	name := filepath.Base(filepath.Dir(pattern)) + "-" + language
	tests := testsOf(filepath.Dir(pattern))
	if len(tests) == 0 {
		w.leaveOut(name, errors.New("it has no samples"))
		return
	}
	w.pairs++
	if language == "cel" {
		w.suite(name+"-engine", tests, pattern, map[string]any{"then": w.serve(name+"-engine", expressions)}, nil)
	}
	var made bytes.Buffer
	read, err := readFiles([]string{expressions})
	if err == nil && connects(read) {
		err = errors.New("it is about CONNECT requests, which send no object")
	}
	if err == nil && hasParameters(read) {
		err = errors.New("its policy has parameters, which the samples do not have")
	}
	if err == nil {
		err = writePolicies(&made, read)
	}
	if err != nil {
		w.leaveOut(name+"-policy", err)
		return
	}
	w.suite(name+"-policy", tests, pattern, map[string]any{"policies": []string{"policies.yaml"}}, made.Bytes())
}

// hasParameters reports whether the rules of a policy in CEL read parameters.
func hasParameters(read content) bool {
	for _, policy := range read.patterns {
		for _, rule := range policy.GetSpec().Rules {
			if rule.HasValidateCEL() && rule.Validation.CEL.HasParam() {
				return true
			}
		}
	}
	return false
}

// connects reports whether a policy is about pods/exec and the like.
func connects(read content) bool {
	for _, policy := range read.validating {
		for _, rule := range policy.Spec.MatchConstraints.ResourceRules {
			if slices.Contains(rule.Operations, admissionregistrationv1.Connect) {
				return true
			}
		}
	}
	return false
}

func (w *suiteWriter) leaveOut(name string, why error) {
	first, _, _ := strings.Cut(why.Error(), "\n")
	fmt.Fprintf(w.log, "%s: left out: %s\n", name, first)
}

// testsOf returns the tests in a folder of a policy.
func testsOf(folder string) []string {
	var tests []string
	for _, test := range []string{".chainsaw-test/chainsaw-test.yaml", ".kyverno-test/kyverno-test.yaml"} {
		if _, err := os.Stat(filepath.Join(folder, test)); err == nil {
			tests = append(tests, filepath.Join(folder, test))
		}
	}
	return tests
}

// serve returns the key of a suite that asks Kyverno about the policies of a file.
func (w *suiteWriter) serve(suite, file string) map[string]any {
	return map[string]any{"exec": map[string]any{"command": []string{w.from(suite, w.program), "serve", w.from(suite, file)}}}
}

// suite writes a suite and its policies.
func (w *suiteWriter) suite(name string, tests []string, pattern string, side map[string]any, made []byte) {
	side["builtin"] = "kubernetes"
	cases := make([]string, len(tests))
	for i, test := range tests {
		cases[i] = w.from(name, test)
	}
	suite := map[string]any{
		"name": name, "cases": cases, "declarative": side,
		"native": map[string]any{"builtin": "kubernetes", "then": w.serve(name, pattern)},
	}
	if w.exceptions != "" {
		suite["exceptions"] = w.from(name, w.exceptions)
	}
	text, err := yaml.Marshal(suite)
	dir := filepath.Join(w.into, name)
	err = errors.Join(err, os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "suite.yaml"), text, 0o644))
	if made != nil {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, "policies.yaml"), made, 0o644))
	}
	if err != nil {
		w.leaveOut(name, err)
		return
	}
	w.written++
	if made != nil {
		w.made = append(w.made, name)
	}
}

// mistake matches a mistake in a policy that diffrun reports. Other lines belong to the mistake before.
var mistake = regexp.MustCompile(`(?m)^(.+/policies\.yaml):[0-9]+: (.*)$`)

// check removes the suites whose policies an API server refuses, according to diffrun.
func (w *suiteWriter) check(ctx context.Context, diffrun string) error {
	if len(w.made) == 0 {
		return nil
	}
	args := []string{"schema", "lint"}
	suites := map[string]string{} // by the file of policies
	for _, name := range w.made {
		file := filepath.ToSlash(filepath.Join(w.into, name, "policies.yaml"))
		args, suites[file] = append(args, file), name
	}
	lint := exec.CommandContext(ctx, diffrun, args...)
	var stderr bytes.Buffer
	lint.Stderr = &stderr
	err := lint.Run()
	var exit *exec.ExitError
	switch {
	case err == nil || errors.As(err, &exit) && exit.ExitCode() == 1: // no mistakes; findings of lints do not matter
		return nil
	case exit == nil || exit.ExitCode() != 2:
		return fmt.Errorf("diffrun reads the generated policies; install it, or name it with -diffrun: %w\n%s", err, stderr.String())
	}
	found := mistake.FindAllStringSubmatch(stderr.String(), -1)
	if len(found) == 0 {
		return fmt.Errorf("%s %s: %w\n%s", diffrun, args[0], err, stderr.String())
	}
	for _, line := range found {
		name, there := suites[line[1]]
		if !there {
			continue // its first mistake is enough
		}
		delete(suites, line[1])
		w.leaveOut(name, errors.New(line[2]))
		w.written--
		if err := os.RemoveAll(filepath.Join(w.into, name)); err != nil {
			return err
		}
	}
	return nil
}

// from returns the path of a file relative to a suite.
func (w *suiteWriter) from(suite, file string) string {
	absolute, err := filepath.Abs(file)
	dir, wrong := filepath.Abs(filepath.Join(w.into, suite))
	relative, other := filepath.Rel(dir, absolute)
	if errors.Join(err, wrong, other) != nil {
		return absolute
	}
	return filepath.ToSlash(relative)
}
