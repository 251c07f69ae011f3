package diffrun_test

import (
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/testing/markdown"
	"github.com/diffrun/diffrun/userfile"
)

// unknownKey is a key that no file accepts.
const unknownKey = "no-such-key"

// TestDocumentedKeys compares the tables of keys in the reference with the keys that the loaders accept,
// which the message about an unknown key lists. The heading of a table is the path of the mapping in the
// file.
func TestDocumentedKeys(t *testing.T) {
	for _, kind := range []struct {
		pages   []string // the first has the keys of the file, the others those of its mappings
		heading string   // the heading of the keys of the file
		load    func(text string) error
		entry   bool              // the file is a list of entries with these keys
		same    map[string]string // mappings that share the table of another mapping
	}{
		{pages: []string{"suites.md", "suites-native.md", "suites-declarative.md", "suites-worlds.md", "suites-policies.md"},
			heading: "Keys", load: loadSuite, same: map[string]string{
				"declarative.mutate":    "native.mutate",
				"declarative.then":      "native.then",
				"native.then[]":         "native.then",
				"declarative.then[]":    "native.then",
				"native.mutate.exec":    "native.exec",
				"native.then.exec":      "native.exec",
				"native.mutate.webhook": "native.webhook",
				"native.then.webhook":   "native.webhook",
				"native.mutate.rules[]": "native.then.rules[]",

				"native.mutate.matchConditions[]": "native.then.matchConditions[]",
			}},
		{pages: []string{"cases.md"}, heading: "Keys of a file of cases", load: loadCaseFile},
		{pages: []string{"rules.md"}, heading: "Keys", load: loadRules, entry: true, same: map[string]string{
			"examples.differ[]":               "examples.match[]",
			"examples.differ[][]":             "examples.match[][]",
			"examples.match[].native[]":       "examples.match[][]",
			"examples.match[].declarative[]":  "examples.match[][]",
			"examples.differ[].native[]":      "examples.match[][]",
			"examples.differ[].declarative[]": "examples.match[][]",
		}},
		{pages: []string{"exceptions.md"}, heading: "Keys", load: loadExceptions, entry: true,
			same: map[string]string{"declarative": "native"}},
	} {
		t.Run(kind.pages[0], func(t *testing.T) {
			k := keys{T: t, load: kind.load, same: kind.same}
			for _, name := range kind.pages {
				k.pages = append(k.pages, readPage(t, "docs/reference/"+name))
			}
			file := func(yaml string) string { return yaml }
			if kind.entry {
				file = item
			}
			k.check("", kind.heading, file)
			for _, page := range k.pages {
				for _, table := range page.Tables {
					if table.Columns[0] == "key" && !slices.Contains(k.checked, table.Heading) {
						t.Errorf("%s:%d: the file has no mapping %q", page.File, table.Line, table.Heading)
					}
				}
			}
		})
	}
}

func readPage(t *testing.T, file string) *markdown.Page {
	t.Helper()
	page, err := markdown.Read(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// keys compares the tables of pages with what a loader accepts.
type keys struct {
	*testing.T
	pages   []*markdown.Page
	load    func(text string) error
	same    map[string]string
	checked []string // headings
}

// check compares a mapping, and the mappings inside it, with their tables. The file
// function puts the YAML of the mapping into a file.
func (k *keys) check(path, heading string, file func(yaml string) string) {
	if same, ok := k.same[path]; ok {
		heading = same
	}
	accepted := k.accepted(file(unknownKey + ": 1"))
	if slices.Contains(k.checked, heading) {
		return
	}
	k.checked = append(k.checked, heading)
	page, table := k.table(heading)
	if table == nil {
		k.Errorf("%s and its other pages have no table of keys under the heading %q; the accepted keys are %s",
			k.pages[0].File, heading, strings.Join(accepted, ", "))
		return
	}
	var documented []string
	for _, row := range table.Rows {
		documented = append(documented, markdown.Plain(row.Cells["key"]))
		k.example(page, row, file)
	}
	if diff := cmp.Diff(accepted, documented); diff != "" {
		k.Errorf("%s:%d: the accepted keys of %q are others (-accepted +documented):\n%s", page.File, table.Line, heading, diff)
	}
	for _, key := range accepted {
		for _, form := range []struct { // a mapping comes before the list that shares its table
			suffix string
			inside func(yaml string) string
		}{
			{"", indented},
			{"[]", item},
			{"[][]", func(yaml string) string { return item(item(yaml)) }},
		} {
			nested := func(yaml string) string { return file(key + ":\n" + form.inside(yaml)) }
			if k.accepted(nested(unknownKey+": 1")) != nil {
				inner := strings.TrimPrefix(path+"."+key+form.suffix, ".")
				k.check(inner, inner, nested)
			}
		}
	}
}

// table returns the table of keys under a heading and the page that has it, or nil.
func (k *keys) table(heading string) (*markdown.Page, *markdown.Table) {
	for _, page := range k.pages {
		for i, table := range page.Tables {
			if table.Heading == heading && table.Columns[0] == "key" {
				return page, &page.Tables[i]
			}
		}
	}
	return nil, nil
}

// indented and item put YAML below a key and into a list.
func indented(yaml string) string { return "  " + strings.ReplaceAll(yaml, "\n", "\n  ") }

func item(yaml string) string { return "- " + strings.TrimPrefix(indented(yaml), "  ") }

var acceptedKeys = regexp.MustCompile(`unknown key "` + unknownKey + `"; accepted: (.*)`)

// accepted returns the keys that the message about an unknown key lists, or nil if there is no such message.
func (k *keys) accepted(text string) []string {
	for _, mistake := range k.mistakes(text) {
		if found := acceptedKeys.FindStringSubmatch(mistake.Message); found != nil {
			return strings.Split(found[1], ", ")
		}
	}
	return nil
}

func (k *keys) mistakes(text string) (mistakes userfile.Mistakes) {
	if err := k.load(text); err != nil && !errors.As(err, &mistakes) {
		k.Fatalf("%v for\n%s", err, text)
	}
	return mistakes
}

// unfit matches mistakes in the form of a value. The example of a single key is not a complete file, so there
// are other mistakes.
var unfit = regexp.MustCompile(`^unknown |: unknown |not YAML| must be (a|an|text|true|one) `)

// example checks that a file accepts the example of a key.
func (k *keys) example(page *markdown.Page, row markdown.Row, file func(string) string) {
	example := markdown.Plain(row.Cells["example"])
	if !strings.HasPrefix(example, markdown.Plain(row.Cells["key"])+": ") {
		k.Errorf("%s:%d: the example is no value of %s", page.File, row.Line, row.Cells["key"])
	}
	for _, mistake := range k.mistakes(file(example)) {
		if unfit.MatchString(mistake.Message) {
			k.Errorf("%s:%d: %s: %s", page.File, row.Line, example, mistake.Message)
		}
	}
}

func loadSuite(text string) error {
	return load(fstest.MapFS{"suite.yaml": {Data: []byte(text)}})
}

func loadCaseFile(text string) error {
	return load(fstest.MapFS{
		"suite.yaml": {Data: []byte("name: a\ncases: [cases.yaml]\n")},
		// A file with apiVersion or kind would be a manifest.
		"cases.yaml": {Data: []byte(text)},
	})
}

func load(files fstest.MapFS) error {
	_, err := cases.Load([]cases.Location{{Files: &cases.Files{FS: files}, Name: "suite.yaml"}}, cases.Options{Now: time.Now()})
	return err
}

func loadRules(text string) error {
	_, err := equivalence.LoadRules("rules.yaml", []byte(text))
	return err
}

func loadExceptions(text string) error {
	_, err := equivalence.LoadExceptions("exceptions.yaml", []byte(text), time.Now())
	return err
}
