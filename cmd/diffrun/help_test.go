package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestExamples holds that each command has two examples, and that their commands and flags exist.
func TestExamples(t *testing.T) {
	root := (&program{}).command()
	var visit func(*cobra.Command)
	visit = func(command *cobra.Command) {
		for _, sub := range command.Commands() {
			visit(sub)
		}
		if command.HasSubCommands() || command.Name() == "help" {
			return
		}
		count := 0
		for line := range strings.SplitSeq(command.Example, "\n") {
			_, line, found := strings.Cut(line, "diffrun ")
			if !found || strings.HasPrefix(strings.TrimSpace(line), "#") {
				continue
			}
			words := strings.Fields(line)
			named, _, err := root.Find(words)
			if err != nil {
				t.Errorf("%s: there is no such command: %s", command.CommandPath(), line)
				continue
			}
			if named == command || words[0] == "--version" {
				count++
			}
			for _, word := range words {
				name, isFlag := strings.CutPrefix(word, "--")
				if word == "--" {
					break
				}
				if name, _, _ = strings.Cut(name, "="); isFlag && named.Flags().Lookup(name) == nil &&
					named.InheritedFlags().Lookup(name) == nil && name != "version" {
					t.Errorf("%s: there is no flag %s: %s", command.CommandPath(), word, line)
				}
			}
		}
		if count < 2 {
			t.Errorf("%s has %d examples, want 2", command.CommandPath(), count)
		}
		for _, name := range commonFlags(strings.TrimPrefix(command.CommandPath(), "diffrun ")) {
			if command.LocalFlags().Lookup(name) == nil {
				t.Errorf("%s has no flag --%s, which is a common one", command.CommandPath(), name)
			}
		}
	}
	visit(root)
	var listed []string
	for _, group := range groups() {
		listed = append(listed, group.commands...)
	}
	for _, command := range root.Commands() {
		if !slices.Contains(listed, command.Name()) && !slices.Contains([]string{"version", "help", "completion"}, command.Name()) {
			t.Errorf("diffrun %s is in no group", command.Name())
		}
	}
}

// TestHelpFitsTheTerminal: no line of the help is wider than the terminal but examples, which are to be copied.
func TestHelpFitsTheTerminal(t *testing.T) {
	for _, text := range []string{"a b", strings.Repeat("word ", 50), "first\n\n  verbatim " + strings.Repeat("x", 90) + "\nlast"} {
		for line := range strings.SplitSeq(wrap(text, 40), "\n") {
			if len(line) > 40 && !strings.HasPrefix(line, "  ") {
				t.Errorf("a line of %d columns: %s", len(line), line)
			}
		}
	}
	for line := range strings.SplitSeq(strings.Join(commandLists((&program{}).command(), 60), "\n"), "\n") {
		if len(line) > 60 {
			t.Errorf("a line of %d columns: %s", len(line), line)
		}
	}
	if got, want := wrap("one two\nthree\n\n  four\n  five\nsix", 9), "one two\nthree\n\n  four\n  five\nsix"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestCompletions: shells complete the names of bundled suites, and the values of flags.
func TestCompletions(t *testing.T) {
	for line, want := range map[string]string{
		"run wid":                      "widgets\n",
		"run --fail-on ad":             "admits\n",
		"run -o ht":                    "html\n",
		"validate --backend ref":       "reference\n",
		"run --color al":               "always\n",
		"soak wid":                     "widgets\n",
		"completion ba":                "bash",
		"run --fail-on admits,refu":    "admits,refuses\n",
		"run --compare verdict,na":     "verdict,native\n",
		"run --stage al":               "alpha\n",
		"explore wid":                  "widgets\n",
		"compare -o mark":              "markdown\n",
		"coverage -o ht":               "html\n",
		"schema lint --only unbound":   "unbounded-",
		"schema compare --fail-on un":  "unproven\n",
		"exceptions add --class too-l": "too-loose\n",
	} {
		out, err := exec.CommandContext(t.Context(), "diffrun", append([]string{"__complete"}, strings.Fields(line)...)...).Output()
		if err != nil || !strings.Contains("\n"+string(out), "\n"+want) {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
}
