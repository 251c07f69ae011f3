package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/testing/markdown"
	"github.com/diffrun/diffrun/internal/testing/slowtest"
)

// documentedCommand is set for commands of the documentation: they use the bundled suites and validators,
// not those of the scripts.
const documentedCommand = "DIFFRUN_DOCUMENTED"

// TestDocumentation runs the code blocks of each page in their order, in a directory
// that looks like a clone of the repository:
//
//   - yaml, json: written to the file that the comment in the first line, or "name=NAME",
//     names; with "file=NAME" an excerpt of that file of the repository;
//   - go: an excerpt of the file that "file=NAME" names;
//   - sh, or indented: commands. The last one ends with the status of "exit=N";
//   - text: the output of the commands above it. With "numbers=vary" the numbers may differ;
//   - diagram, mermaid: not checked.
//
// A line "…" matches any number of lines.
func TestDocumentation(t *testing.T) {
	t.Parallel()
	pages := documentation(t)
	for command := range notRun {
		if !slices.ContainsFunc(pages, func(page *markdown.Page) bool { return shows(page, command) }) {
			t.Errorf("no page shows %q: remove it from notRun", command)
		}
	}
	clones := clones{in: t.TempDir()}
	for _, page := range pages {
		t.Run(page.File, func(t *testing.T) {
			t.Parallel()
			if slices.Contains(slowPages, page.File) {
				slowtest.Skip(t)
			}
			d := documented{T: t, page: page, dir: clones.take(t)}
			d.buildExample()
			for _, block := range page.Blocks {
				d.check(block)
			}
			d.update()
		})
	}
}

// shows reports whether a page tells its reader to run a command.
func shows(page *markdown.Page, command string) bool {
	for _, block := range page.Blocks {
		if slices.ContainsFunc(block.Lines(), func(line string) bool { return bare(line) == command }) {
			return true
		}
	}
	return false
}

// root is the root of the repository.
const root = "../.."

// documentation reads the Markdown files of the repository.
func documentation(t *testing.T) []*markdown.Page {
	t.Helper()
	var pages []*markdown.Page
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "docs/*/*/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range found {
			page, err := markdown.Read(file)
			if err != nil {
				t.Fatal(err)
			}
			page.File = filepath.ToSlash(strings.TrimPrefix(file, filepath.FromSlash(root+"/")))
			pages = append(pages, page)
		}
	}
	return pages
}

// clones are directories that look like clones of the repository. Pages use them one after the other,
// because Go builds the packages of each directory anew.
type clones struct {
	in   string
	mu   sync.Mutex
	made int
	free []string
}

// take returns a clone for a test: the files in the root of the repository, and links to its directories.
func (c *clones) take(t *testing.T) string {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.free) == 0 {
		c.made++
		c.free = append(c.free, filepath.Join(c.in, strconv.Itoa(c.made)))
	}
	last := len(c.free) - 1
	dir := c.free[last]
	c.free = c.free[:last]
	t.Cleanup(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.free = append(c.free, dir)
	})
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	fillClone(t, dir)
	return dir
}

func fillClone(t *testing.T, dir string) {
	t.Helper()
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		from, to := filepath.Join(root, entry.Name()), filepath.Join(dir, entry.Name())
		if entry.IsDir() {
			from, err = filepath.Abs(from)
			if err == nil {
				err = os.Symlink(from, to)
			}
		} else {
			var data []byte
			if data, err = os.ReadFile(from); err == nil {
				err = os.WriteFile(to, data, 0o600)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// documented runs the blocks of a page.
type documented struct {
	*testing.T
	page *markdown.Page
	dir  string
	// printed is what the last commands printed; nil if they were not run.
	printed *string
	// updated are the texts to write, by the line of their blocks.
	updated map[int]string
}

// buildExample builds the program of the example suite. Otherwise the first case would wait
// for it, on a busy machine longer than its time-out.
func (d *documented) buildExample() {
	const example = "examples/webhook"
	if !slices.ContainsFunc(d.page.Blocks, func(block markdown.Block) bool { return strings.Contains(block.Text, example) }) {
		return
	}
	if printed, status := d.sh("go run ./" + example + " </dev/null"); status != 0 {
		d.Fatalf("%s does not run: %s", example, printed)
	}
}

func (d *documented) check(block markdown.Block) {
	at := fmt.Sprintf("%s:%d", d.page.File, block.Line)
	switch language := block.Language(); {
	case block.Attribute("file") != "":
		d.excerpt(at, block)
	case language == "sh" || language == "":
		d.run(at, block)
	case language == "text":
		d.shown(at, block)
	case language == "yaml" || language == "json":
		d.write(at, block)
	case language == "diagram" || language == "mermaid":
	default:
		d.Errorf("%s: a block of %q: say with file=NAME which file it is an excerpt of", at, block.Info)
	}
}

// write writes a file that the page shows.
func (d *documented) write(at string, block markdown.Block) {
	name, named := strings.CutPrefix(block.Lines()[0], "# ")
	if given := block.Attribute("name"); given != "" {
		name, named = given, true // JSON has no comments
	}
	if !named || strings.Contains(name, " ") {
		d.Errorf("%s: name the file in the first line, as \"# suite.yaml\", or say with file=NAME which file it is an excerpt of", at)
		return
	}
	if !d.uses(name, block) {
		d.Errorf("%s: no command or file of the page uses %s", at, name)
	}
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(name))); err == nil {
		d.Errorf("%s: readers who copy this overwrite %s of the repository: give the file another name", at, name)
		return
	}
	path := filepath.Join(d.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		d.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(block.Text), 0o600); err != nil {
		d.Fatal(err)
	}
}

// uses reports whether another block of the page names a file or its directory.
func (d *documented) uses(name string, written markdown.Block) bool {
	return slices.ContainsFunc(d.page.Blocks, func(block markdown.Block) bool {
		dir, _, inside := strings.Cut(name, "/")
		return block.Line != written.Line && (strings.Contains(block.Text, name) || inside && strings.Contains(block.Text, dir+"/"))
	})
}

// excerpt checks that a file has the lines of a block, in this order.
func (d *documented) excerpt(at string, block markdown.Block) {
	name := block.Attribute("file")
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		d.Errorf("%s: %v", at, err)
		return
	}
	rest := strings.Split(string(data), "\n")
	for _, line := range block.Lines() {
		if strings.TrimSpace(line) == gap || strings.TrimSpace(line) == "" {
			continue
		}
		found := slices.IndexFunc(rest, func(other string) bool { return strings.TrimSpace(other) == strings.TrimSpace(line) })
		if found < 0 {
			d.Errorf("%s: %s has no such line, or not behind the one before it: %s", at, name, line)
			return
		}
		rest = rest[found+1:]
	}
}

// run runs the commands of a block, one line each. All but the last must succeed.
func (d *documented) run(at string, block markdown.Block) {
	want, commands := 0, strings.Split(strings.ReplaceAll(strings.TrimSpace(block.Text), "\\\n", " "), "\n")
	if exit := block.Attribute("exit"); exit != "" {
		if _, err := fmt.Sscan(exit, &want); err != nil {
			d.Fatalf("%s: exit=%s: %v", at, exit, err)
		}
	}
	d.printed = nil
	for i, command := range commands {
		if notRun[bare(command)] != "" {
			continue
		}
		if program, _, _ := strings.Cut(command, " "); !slices.Contains(mayRun, program) {
			d.Errorf("%s: no command, or none of %q: %s", at, mayRun, command)
			return
		}
		printed, got := d.sh(command)
		if d.printed == nil {
			d.printed = new(string)
		}
		*d.printed += printed
		if i < len(commands)-1 && got != 0 || i == len(commands)-1 && got != want {
			d.Errorf("%s: exit status %d of: %s\n%s", at, got, command, printed)
		}
	}
}

// bare returns a command without its comment.
func bare(command string) string {
	command, _, _ = strings.Cut(command, " #")
	return strings.TrimSpace(command)
}

// sh runs a command. It joins stdout and stderr, as a terminal does.
func (d *documented) sh(command string) (printed string, status int) {
	d.Helper()
	command = strings.NewReplacer("go run ./cmd/diffrun", "diffrun", "--metrics-addr :9090", "--metrics-addr 127.0.0.1:0").Replace(command)
	run := exec.CommandContext(d.Context(), "sh", "-c", command)
	run.Dir = d.dir
	run.Env = append(os.Environ(), documentedCommand+"=1")
	out, err := run.CombinedOutput()
	if exited := (*exec.ExitError)(nil); errors.As(err, &exited) {
		return string(out), exited.ExitCode()
	} else if err != nil {
		d.Fatal(err)
	}
	return string(out), 0
}

// gap is a line that matches any number of lines.
const gap = "…"

// shown checks that commands print the output that the page shows.
func (d *documented) shown(at string, block markdown.Block) {
	if d.printed == nil {
		d.Errorf("%s: a block of text shows what the commands above it print; here are none that were run", at)
		return
	}
	vary := block.Attribute("numbers") == "vary"
	want, got := stable(block.Text, vary), stable(*d.printed, vary)
	if fits(want, got) {
		return
	}
	if *update && !slices.Contains(want, gap) {
		if d.updated == nil {
			d.updated = map[int]string{}
		}
		d.updated[block.Line] = *d.printed
		return
	}
	d.Errorf("%s: the commands print something else, after \"…\" for any lines (-page +printed):\n%s", at, cmp.Diff(want, got))
}

// elapsed is a time that a report shows.
var elapsed = regexp.MustCompile(`\b[0-9.]+(?:µs|ms|s)\b`)

var number, blanks = regexp.MustCompile(`[0-9]+`), regexp.MustCompile(` +`)

// building matches the lines that say how long a program is being built: it depends on the machine.
var building = regexp.MustCompile(`(?m)^diffrun: building the validator .*\n`)

// stable returns lines without the parts that differ from run to run.
func stable(text string, vary bool) []string {
	text = elapsed.ReplaceAllString(strings.TrimSpace(building.ReplaceAllString(text, "")), "TIME")
	if vary {
		text = blanks.ReplaceAllString(number.ReplaceAllString(text, "N"), " ")
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return lines
}

// fits reports whether lines match the wanted ones, which may have gaps.
func fits(want, got []string) bool {
	if len(want) == 0 {
		return len(got) == 0
	}
	if want[0] != gap {
		return len(got) > 0 && want[0] == got[0] && fits(want[1:], got[1:])
	}
	for i := range len(got) + 1 {
		if fits(want[1:], got[i:]) {
			return true
		}
	}
	return false
}

// update writes the output of commands to the page.
func (d *documented) update() {
	if len(d.updated) == 0 {
		return
	}
	name := filepath.Join(root, d.page.File)
	data, err := os.ReadFile(name)
	if err != nil {
		d.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	for _, at := range slices.Backward(slices.Sorted(maps.Keys(d.updated))) {
		end := at - 1
		for !strings.HasPrefix(strings.TrimSpace(lines[end]), "```") {
			end++
		}
		printed := strings.Split(strings.TrimRight(d.updated[at], "\n"), "\n")
		lines = slices.Concat(lines[:at-1], printed, lines[end:])
	}
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		d.Fatal(err)
	}
}
