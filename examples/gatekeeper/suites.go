package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	celschema "github.com/open-policy-agent/gatekeeper/v3/pkg/drivers/k8scel/schema"
	"sigs.k8s.io/yaml"
)

// gatorSuite is the part of a suite of gator that matters here.
type gatorSuite struct {
	Kind  string
	Tests []gatorTest
}

type gatorTest struct {
	Name, Template, Constraint string
	Cases                      []struct{ Assertions []struct{ Violations any } }
}

// denies reports whether some sample must have violations. Without any, a comparison proves nothing.
func (t gatorTest) denies() bool {
	for _, c := range t.Cases {
		for _, assertion := range c.Assertions {
			switch assertion.Violations {
			case false, "no", 0.0:
			default:
				return true
			}
		}
	}
	return false
}

// suites writes a suite of diffrun for each test of suites of gator whose template has both languages: Rego
// as the native side, the generated policy as the declarative side, and the cases of the test.
func suites(args []string, log io.Writer) error {
	flags := flag.NewFlagSet("suites", flag.ContinueOnError)
	flags.SetOutput(log)
	into := flags.String("o", "suites", "the directory to write")
	cases := flags.String("cases", "", "a directory with files of more cases, SUITE.yaml")
	exceptions := flags.String("exceptions", "", "the file of reviewed exceptions that the suites share")
	if err := flags.Parse(args); err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	written := 0
	for _, file := range flags.Args() {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var suite gatorSuite
		if err := yaml.Unmarshal(text, &suite); err != nil || suite.Kind != "Suite" {
			return errors.Join(fmt.Errorf("%s is not a Suite of gator", file), err)
		}
		for _, test := range suite.Tests {
			name := filepath.Base(filepath.Dir(file)) + "-" + test.Name
			read, err := readFiles([]string{filepath.Join(filepath.Dir(file), test.Template),
				filepath.Join(filepath.Dir(file), test.Constraint)})
			if err != nil {
				return fmt.Errorf("%s: %s: %w", file, test.Name, err)
			}
			switch {
			case !hasCEL(read):
				fmt.Fprintf(log, "%s: left out: its template has no CEL\n", name)
				continue
			case !test.denies():
				fmt.Fprintf(log, "%s: left out: no sample of it must be denied\n", name)
				continue
			}
			files := suiteFiles{dir: filepath.Join(*into, name), program: program, gator: file, cases: *cases, exceptions: *exceptions}
			if err := files.write(read, name, test.Name, test.Template, test.Constraint); err != nil {
				return fmt.Errorf("%s: %s: %w", file, test.Name, err)
			}
			written++
		}
	}
	_, err = fmt.Fprintf(log, "%d suites written to %s\n", written, *into)
	return err
}

// hasCEL reports whether all templates have CEL.
func hasCEL(read content) bool {
	for _, template := range read.templates {
		if _, err := celschema.GetSourceFromTemplate(template); err != nil {
			return false
		}
	}
	return true
}

// suiteFiles are the files of a suite of diffrun.
type suiteFiles struct{ dir, program, gator, cases, exceptions string }

func (f suiteFiles) write(read content, name, test, template, constraint string) error {
	var policies bytes.Buffer
	if err := writePolicies(&policies, read); err != nil {
		return err
	}
	beside := func(file string) string { return f.fromDir(filepath.Join(filepath.Dir(f.gator), file)) }
	suite := map[string]any{
		"name": name,
		"native": map[string]any{"builtin": "kubernetes", "then": map[string]any{
			"exec": map[string]any{"command": []string{f.fromDir(f.program), "serve", beside(template), beside(constraint)}},
		}},
		"declarative": map[string]any{"builtin": "kubernetes", "policies": []string{"policies.yaml"}},
	}
	cases := []string{f.fromDir(f.gator) + "#" + test}
	if own := filepath.Join(f.cases, name+".yaml"); f.cases != "" && exists(own) {
		cases = append(cases, f.fromDir(own))
	}
	suite["cases"] = cases
	if f.exceptions != "" {
		suite["exceptions"] = f.fromDir(f.exceptions)
	}
	text, err := yaml.Marshal(suite)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(f.dir, "policies.yaml"), policies.Bytes(), 0o644),
		os.WriteFile(filepath.Join(f.dir, "suite.yaml"), text, 0o644))
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// fromDir returns the path of a file relative to the suite.
func (f suiteFiles) fromDir(file string) string {
	absolute, err := filepath.Abs(file)
	dir, wrong := filepath.Abs(f.dir)
	relative, other := filepath.Rel(dir, absolute)
	if errors.Join(err, wrong, other) != nil {
		return absolute
	}
	return filepath.ToSlash(relative)
}
