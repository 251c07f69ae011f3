package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

var manFolder = flag.String("man", "", "the folder that TestManPages writes the man pages to")

// TestManPages makes a man page of each command's help. "make man" and goreleaser write them for the archives of a
// release. SOURCE_DATE_EPOCH is their date. Only a test imports the library that makes them, so that the command
// does not contain it.
func TestManPages(t *testing.T) {
	folder := *manFolder
	if folder == "" {
		folder = t.TempDir()
	} else if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	root := (&program{}).command()
	root.DisableAutoGenTag = true
	prepareManPage(root)
	if err := doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "diffrun", Manual: "diffrun"}, folder); err != nil {
		t.Fatal(err)
	}
	var check func(*cobra.Command)
	check = func(command *cobra.Command) {
		name := strings.ReplaceAll(command.CommandPath(), " ", "-") + ".1"
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Error(err)
			return
		}
		page := strings.ReplaceAll(string(data), `\-`, "-")
		for line := range strings.Lines(command.Long) {
			if block, _, _ := strings.Cut(strings.TrimRight(line, "\n"), "#"); strings.HasPrefix(block, "    ") &&
				!strings.Contains(page, strings.TrimSpace(block)) {
				t.Errorf("%s lacks the line %s", name, line)
			}
		}
		command.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !strings.Contains(page, "--"+f.Name) {
				t.Errorf("%s has no flag --%s", name, f.Name)
			}
		})
		for line := range strings.Lines(command.Example) {
			if line = strings.TrimSpace(line); !strings.Contains(line, `"`) && !strings.Contains(line, `\`) &&
				!strings.Contains(page, line) {
				t.Errorf("%s lacks the example %s", name, line)
			}
		}
		for _, sub := range command.Commands() {
			if sub.IsAvailableCommand() {
				check(sub)
			}
		}
	}
	check(root)
}

// prepareManPage turns the texts of a command and its subcommands into Markdown, which package doc reads: what is
// indented is a block, and nothing else is a mark.
func prepareManPage(command *cobra.Command) {
	command.DisableAutoGenTag = true
	command.Long = asMarkdown(command.Long)
	command.LocalFlags().VisitAll(func(f *pflag.Flag) { _, f.Usage = pflag.UnquoteUsage(f) })
	for _, sub := range command.Commands() {
		prepareManPage(sub)
	}
}

func asMarkdown(text string) string {
	marks := strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "<", `\<`, ">", `\>`, "[", `\[`, "]", `\]`, "#", `\#`, "|",
		`\|`)
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "  ") {
			line = "  " + line // four spaces begin a block
		} else {
			line = marks.Replace(line)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
