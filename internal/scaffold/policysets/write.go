package policysets

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/diffrun/diffrun/backends/native/engine"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// SuiteFile returns the file of a pair's suite, relative to the root. folder is where the suites are written.
func (p Pair) SuiteFile(folder string) string { return path.Join(folder, p.Name, "suite.yaml") }

// Suite returns the text of a pair's suite.
func (p Pair) Suite(folder string) []byte {
	var out strings.Builder
	at := path.Dir(p.SuiteFile(folder))
	fmt.Fprintf(&out, "%s# diffrun init wrote this suite. It compares %s.\nname: %s\n", strictyaml.SchemaComment("suite"), p.What,
		plaintext.FlowText(p.Name))
	for _, side := range []struct {
		key string
		of  Side
	}{{"native", p.Policy}, {"declarative", p.Successor}} {
		fmt.Fprintf(&out, "%s:\n  builtin: kubernetes\n", side.key)
		if of, is := engine.Named(side.of.Engine); is {
			fmt.Fprintf(&out, "  %s: %s\n", of.Name, of.Example)
		}
		if side.of.Generated {
			out.WriteString("  generated: true\n")
		}
		fmt.Fprintf(&out, "  policies: %s\n", list(at, side.of.Files))
	}
	fmt.Fprintf(&out, "cases: %s\nexceptions: ../%s\n", list(at, p.Cases), ExceptionsFile)
	return []byte(out.String())
}

// list returns files, relative to a folder, as a list of YAML.
func list(from string, files []string) string {
	names := make([]string, len(files))
	for i, file := range files {
		relative, err := filepath.Rel(filepath.FromSlash(from), filepath.FromSlash(file))
		if err != nil { // they are all relative to the root
			relative = file
		}
		names[i] = plaintext.FlowText(filepath.ToSlash(relative))
	}
	return "[" + strings.Join(names, ", ") + "]"
}

// ExceptionsFile is the file of exceptions that all suites share, in the folder that is written.
const ExceptionsFile = "exceptions.yaml"

// NoExceptions is its text before the first exception is reviewed.
const NoExceptions = "# Reviewed differences between the policies and their successors, which all suites of this folder share.\n[]\n"
