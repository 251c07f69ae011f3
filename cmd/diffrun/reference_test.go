package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/testing/markdown"
)

// TestDocumentedFlags compares the flags of each command with the table of its page. It reads them
// from --help.
func TestDocumentedFlags(t *testing.T) {
	commands := leafCommands(t, nil)
	if len(commands) < 10 {
		t.Fatalf("only the commands %q were found", commands)
	}
	pages := map[string]bool{}
	for _, command := range commands {
		name := strings.Join(command, "-") + ".md"
		pages[name] = true
		page := referencePage(t, "commands/"+name)
		heading := "diffrun " + strings.Join(command, " ")
		if len(page.Headings) == 0 || page.Headings[0].Text != heading {
			t.Errorf("%s does not begin with the heading %q", page.File, heading)
			continue
		}
		documented := map[string]string{}
		if table := tableUnder(page, heading, "flag"); table != nil {
			for _, row := range table.Rows {
				documented[flagNames(row.Cells["flag"])] = row.Cells["default"]
			}
		}
		defaults := flagsOf(help(t, command))
		for flag, value := range documented {
			if code := strings.Contains(value, "`"); code && markdown.Plain(value) == defaults[flag] {
				documented[flag] = defaults[flag]
			} else if !code {
				documented[flag] = "" // in words: the flag has no value of its own
			}
		}
		if diff := cmp.Diff(defaults, documented); diff != "" {
			t.Errorf("%s: flags and defaults are others (-help +documented):\n%s", page.File, diff)
		}
	}
	files, err := filepath.Glob(filepath.Join(root, "docs", "reference", "commands", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !pages[filepath.Base(file)] {
			t.Errorf("%s: there is no such command", file)
		}
	}
}

func referencePage(t *testing.T, name string) *markdown.Page {
	t.Helper()
	page, err := markdown.Read(filepath.Join(root, "docs", "reference", name))
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// tableUnder returns the table under a heading whose first column has this name, or nil.
func tableUnder(page *markdown.Page, heading, column string) *markdown.Table {
	for i, table := range page.Tables {
		if table.Heading == heading && table.Columns[0] == column {
			return &page.Tables[i]
		}
	}
	return nil
}

func help(t *testing.T, command []string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "diffrun", append(slices.Clone(command), "--help")...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// subcommands finds the subcommands in a help text.
var subcommands = regexp.MustCompile(`(?m)^  ([a-z]+) {2,}[A-Z]`)

// leafCommands returns the commands that have no subcommands.
func leafCommands(t *testing.T, of []string) [][]string {
	text, _, _ := strings.Cut(help(t, of), "lags:\n")
	found := subcommands.FindAllStringSubmatch(text, -1)
	if found == nil {
		return [][]string{of}
	}
	var leaves [][]string
	for _, command := range found {
		if name := command[1]; name != "help" && name != "completion" {
			leaves = append(leaves, leafCommands(t, append(slices.Clone(of), name))...)
		}
	}
	return leaves
}

// flagLine is a flag in a help text, with its default, if it has one.
var flagLine = regexp.MustCompile(`(?m)^ +((?:-\w, )?--[a-z-]+).*?(?:\(default "?([^"\n]*?)"?\))?$`)

// flagsOf returns the flags of a help text with their defaults.
func flagsOf(help string) map[string]string {
	_, flags, _ := strings.Cut(help, "lags:\n")
	flags, _, _ = strings.Cut(flags, "\nGlobal flags:\n")
	defaults := map[string]string{}
	for _, found := range flagLine.FindAllStringSubmatch(flags, -1) {
		if found[1] != "-h, --help" {
			defaults[found[1]] = found[2]
		}
	}
	return defaults
}

// flagNames returns the names in a cell such as "`-o`, `--output FORMAT`".
func flagNames(cell string) string {
	var names []string
	for part := range strings.SplitSeq(markdown.Plain(cell), ", ") {
		name, _, _ := strings.Cut(part, " ")
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// TestDocumentedStatuses compares the table of exit statuses with the constants.
func TestDocumentedStatuses(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "internal/terminal/status.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var declared []string
	ast.Inspect(file, func(node ast.Node) bool {
		if spec, ok := node.(*ast.ValueSpec); ok {
			if of, ok := spec.Type.(*ast.Ident); ok && of.Name == "Status" {
				declared = append(declared, spec.Values[0].(*ast.BasicLit).Value)
			}
		}
		return true
	})
	page := referencePage(t, "exit-status.md")
	var documented []string
	for _, row := range page.Tables[0].Rows {
		documented = append(documented, row.Cells["status"])
	}
	if diff := cmp.Diff(declared, documented); diff != "" || len(declared) == 0 {
		t.Errorf("%s (-status.go +documented):\n%s", page.File, diff)
	}
}

// TestDocumentedLineKeys compares the keys of the lines of "validate --jsonl" with those
// that the message about an unknown key lists.
func TestDocumentedLineKeys(t *testing.T) {
	validate := exec.CommandContext(t.Context(), "diffrun", "validate", "--jsonl")
	validate.Stdin = strings.NewReader(`{"no-such-key":1}` + "\n")
	answer, _ := validate.Output() // the status is that of a fault
	found := regexp.MustCompile(`accepted keys: ([a-zA-Z, ]+)`).FindStringSubmatch(string(answer))
	if found == nil {
		t.Fatalf("the answer lists no keys: %s", answer)
	}
	page := referencePage(t, "commands/validate.md")
	var documented []string
	for _, row := range tableUnder(page, "JSON lines of validate", "key").Rows {
		documented = append(documented, markdown.Plain(row.Cells["key"]))
	}
	accepted := strings.Split(found[1], ", ")
	slices.Sort(accepted)
	slices.Sort(documented)
	if diff := cmp.Diff(accepted, documented); diff != "" {
		t.Errorf("%s (-accepted +documented):\n%s", page.File, diff)
	}
}

// backendsOf returns the backends of a kind besides the native one: those that at least one of its
// versions has.
func backendsOf(target *harness.Target) []string {
	builtin := builtins()["kubernetes"]
	makers := builtin.Backends(idl.Reading{Stage: idl.StageAlpha})
	makers[contract.DeclarativeName] = builtin.Declaratives
	var names []string
	for _, name := range slices.Sorted(maps.Keys(makers)) {
		if slices.ContainsFunc(target.Versions, func(version harness.Version) bool {
			_, err := makers[name](version.GroupVersionKind)
			return err == nil
		}) {
			names = append(names, name)
		}
	}
	return names
}

// TestDocumentedKinds compares the table of built-in kinds with those that the command has.
func TestDocumentedKinds(t *testing.T) {
	natives := kubernetesNatives{}
	var has []string
	for _, kind := range natives.Kinds() {
		target, err := natives.Target(kind)
		if err != nil {
			t.Fatal(err)
		}
		var versions []string
		for _, version := range target.Versions {
			versions = append(versions, version.GroupVersion().String())
		}
		has = append(has, kind.Kind+" "+strings.Join(versions, ", ")+" "+strings.Join(backendsOf(target), ", "))
	}
	page := referencePage(t, "kinds.md")
	var documented []string
	for _, row := range tableUnder(page, "Built-in kinds", "kind").Rows {
		documented = append(documented,
			row.Cells["kind"]+" "+markdown.Plain(row.Cells["versions"])+" "+markdown.Plain(row.Cells["backends"]))
	}
	if diff := cmp.Diff(has, documented); diff != "" {
		t.Errorf("%s (-has +documented):\n%s", page.File, diff)
	}
}
