package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/txtar"

	"github.com/diffrun/diffrun"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/testing/slowtest"
)

const (
	// forged begins a line that no text from outside may begin.
	forged = "FORGED"
	// hostile is everything that a terminal acts on, or that shows as something else.
	hostile = "a\x1b[2J\x1b]0;t\x07\r\n" + forged + "\u0085" + forged + "\u2028" + forged + "\u2029" + forged +
		"\t\u202e\u2066\u200b\u200d\ufeff\u009b31m\x7f\x00\ufe0f\u3164\U000e0041<b>|`b\n::error::" + forged +
		" ##vso[task.setvariable]##[" + forged
	// broken is what is not UTF-8.
	broken = "\xff\xc0\xaf\xe2\x80"
	// placeholder is replaced by text that an encoder cannot write.
	placeholder = "PLACEHOLDER"
)

// long is a text that is too long to read.
var long = strings.Repeat("long text ", 10_000)

// sampled is the distance between replaced texts, unless slow tests run. It shares no factor with the
// strides of mutants, so that each command still gets texts of each kind.
const sampled = 3

// everyCommand makes TestHostileFiles take minutes.
var everyCommand = flag.Bool("every", false, "run every command over every hostile text")

// Every text and every key of every file in testdata/hostile is replaced in turn, except those of scripts
// and of files whose name begins with "fixed". The commands at the top of the files run, and nothing in
// their output may act on a terminal. Without slow tests only some of the texts are replaced.
func TestHostileFiles(t *testing.T) {
	for _, corpus := range corpora(t) {
		t.Run(corpus.name, func(t *testing.T) {
			for _, file := range corpus.files {
				for _, changed := range mutants(t, file) {
					if changed.at%sampled == 0 || slowtest.Enabled() {
						corpus.run(t, changed, file.Name)
					}
				}
			}
		})
	}
}

// corpus is a directory of files, and the commands that read them.
type corpus struct {
	name     string
	commands []string
	files    []txtar.File
}

func corpora(t *testing.T) []corpus {
	t.Helper()
	names, err := filepath.Glob("testdata/hostile/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	var all []corpus
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		commands := strings.Split(strings.TrimSpace(string(archive.Comment)), "\n")
		all = append(all, corpus{strings.TrimSuffix(filepath.Base(name), ".txtar"), commands, archive.Files})
	}
	return all
}

// mutant is a file with a replaced text.
type mutant struct {
	what string
	data []byte
	// at is the number of the text. Each command runs only for every n-th text.
	at, stride int
}

// mutants returns a file with each text and each key replaced by a hostile one, and by a long one; some
// of them also by one that is not encoded correctly.
func mutants(t *testing.T, file txtar.File) []mutant {
	t.Helper()
	if filepath.Ext(file.Name) == ".sh" || strings.HasPrefix(file.Name, "fixed") {
		return nil
	}
	var document any
	if err := yaml.Unmarshal(file.Data, &document); err != nil {
		t.Fatalf("%s: %v", file.Name, err)
	}
	var all []mutant
	places := 0
	replace(document, &places, -1, "")
	for at := range places {
		for _, with := range []struct {
			text, raw string
			stride    int
		}{{text: hostile, stride: 2}, {text: long, stride: 4}, {text: placeholder, raw: hostile + broken, stride: 4}} {
			if with.raw != "" && at%5 != 0 {
				continue
			}
			n := 0
			data, err := json.Marshal(replace(document, &n, at, with.text))
			if err != nil {
				t.Fatal(err)
			}
			if with.raw != "" {
				data = bytes.ReplaceAll(data, []byte(placeholder), []byte(with.raw))
			}
			all = append(all, mutant{fmt.Sprintf("%s: text %d", file.Name, at), append(data, '\n'), at, with.stride})
		}
	}
	return all
}

// replace returns a value with a text or key replaced at a place. n counts the places.
func replace(value any, n *int, at int, text string) any {
	switch value := value.(type) {
	case map[string]any:
		replaced := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			name := key
			if *n++; *n-1 == at {
				name = text
			}
			replaced[name] = replace(value[key], n, at, text)
		}
		return replaced
	case []any:
		var replaced []any
		for _, item := range value {
			replaced = append(replaced, replace(item, n, at, text))
		}
		return replaced
	}
	if *n++; *n-1 == at {
		return text
	}
	return value
}

// run runs the commands over the files, one of which is changed.
func (c corpus) run(t *testing.T, changed mutant, name string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, file := range c.files {
		data := file.Data
		if file.Name == name {
			data = changed.data
		}
		if bytes.Contains(data, []byte("WEBHOOK")) {
			data = bytes.ReplaceAll(data, []byte("WEBHOOK"), []byte(answering(t)))
		}
		if err := os.MkdirAll(filepath.Dir(file.Name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file.Name, sealed(data), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for i, command := range c.commands {
		if (changed.at+i)%min(changed.stride, len(c.commands)) != 0 && !*everyCommand {
			continue
		}
		args := strings.Fields(command)
		stdin := ""
		if i := slices.Index(args, "<"); i > 0 {
			args, stdin = args[:i], args[i+1]
		}
		for from, text := range written(t, args, stdin) {
			if from == "out.xml" { // whose lines a library sets in by tabs
				text = regexp.MustCompile(`(?m)^\t+`).ReplaceAllString(text, "")
			}
			said := fmt.Sprintf("%s; diffrun %s: %s", changed.what, command, from)
			if from == "out.github" { // which is made of commands, that show a text and do nothing else
				text = regexp.MustCompile(`(?m)^::(error|warning|notice) [^:\n]*::`).ReplaceAllString(text, "")
			}
			checkPlain(t, said, text)
			if isForPeople := !slices.Contains(args, "json") && !slices.Contains(args, "jsonl") && !slices.Contains(args, "--jsonl") &&
				!slices.Contains(args, "print") && !slices.Contains(args, "strip") && !strings.HasPrefix(from, "out.") ||
				from == "out.txt"; isForPeople {
				checkShort(t, said, text)
			}
		}
	}
}

// answering is a webhook that answers with response.json.
func answering(t *testing.T) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review struct{ Request struct{ UID string } }
		data, err := os.ReadFile("response.json")
		if err != nil || json.NewDecoder(r.Body).Decode(&review) != nil {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		_, _ = w.Write(bytes.ReplaceAll(data, []byte("UID"), []byte(review.Request.UID)))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// written returns what a command writes: to stdout, to stderr and to files named out.*.
func written(t *testing.T, args []string, stdin string) map[string]string {
	t.Helper()
	out, said, in := create(t, "stdout"), create(t, "stderr"), os.Stdin
	if stdin != "" {
		var err error
		if in, err = os.Open(stdin); err != nil {
			t.Fatal(err)
		}
		defer in.Close()
	}
	stderr := os.Stderr
	os.Stderr = said // libraries write there
	command := program{Environment: run.Environment{
		Console: &terminal.Console{Stdin: in, Stdout: terminal.New(out), Stderr: terminal.New(said)}, Bundle: diffrun.Bundle(),
		Builtins: builtins(),
		Now:      func() time.Time { return time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC) },
	}}
	maps.Copy(command.Builtins, widgetBuiltins())
	command.execute(context.Background(), args)
	os.Stderr = stderr
	all := map[string]string{"stdout": content(t, out), "stderr": content(t, said)}
	names, _ := filepath.Glob("out.*")
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(data)
	}
	return all
}

func create(t *testing.T, name string) *os.File {
	t.Helper()
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// content reads a file that was written, and closes it.
func content(t *testing.T, file *os.File) string {
	t.Helper()
	defer file.Close()
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// commands matches the commands that build systems find in logs.
var commands = regexp.MustCompile(`(?m)^\s*::.*|##[A-Za-z]*\[.*`)

// checkPlain finds text that a terminal would act on, and forged lines.
func checkPlain(t *testing.T, what, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%s is not UTF-8", what)
	}
	for at, r := range text {
		shows := unicode.IsPrint(r) && !unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
		if r != '\n' && !shows {
			t.Errorf("%s has %q, in %q", what, r, text[max(0, at-80):min(len(text), at+40)])
			break
		}
	}
	if command := commands.FindString(text); command != "" {
		t.Errorf("%s has a command for those who read logs: %q", what, command)
	}
	for line := range strings.Lines(text) {
		// Further right is where texts go on that are wrapped.
		if text := strings.TrimLeft(line, " "); len(line)-len(text) < 8 && strings.HasPrefix(text, forged) {
			t.Errorf("%s has a forged line: %q", what, line)
			break
		}
	}
}

// checkShort finds texts that are too long to read. The bundled rules alone take 66,000 bytes in rules list.
func checkShort(t *testing.T, what, text string) {
	t.Helper()
	const most = 80 << 10
	if len(text) > most {
		t.Errorf("%s is %d bytes long: %.200q", what, len(text), text)
	}
}
