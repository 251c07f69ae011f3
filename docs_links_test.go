package diffrun_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/testing/markdown"
)

// TestDocumentationLinks checks that each relative link in a Markdown file leads to a file and to one of its
// headings, and that each path in backticks exists.
func TestDocumentationLinks(t *testing.T) {
	pages := map[string]*markdown.Page{}
	for _, file := range markdownFiles(t) {
		pages[file] = readPage(t, file)
	}
	if len(pages) < 10 {
		t.Fatalf("only %d Markdown files found", len(pages))
	}
	for file, page := range pages {
		for _, link := range page.Links {
			if strings.Contains(link.Target, "://") {
				continue
			}
			target, anchor, _ := strings.Cut(link.Target, "#")
			to := file
			if target != "" {
				to = path.Join(path.Dir(file), target)
			}
			if !exists(to) {
				t.Errorf("%s:%d: there is no file %s", file, link.Line, to)
			} else if other := pages[to]; anchor != "" && (other == nil || !slices.Contains(anchors(other), anchor)) {
				t.Errorf("%s:%d: %s has no heading #%s", file, link.Line, to, anchor)
			}
		}
		for _, code := range page.Code {
			if isPath(code.Text) && !exists(code.Text) {
				t.Errorf("%s:%d: there is no file %s; paths are those from the root of the repository", file, code.Line, code.Text)
			}
		}
	}
}

// TestPagesAreLinked checks that every page can be reached from the README.
func TestPagesAreLinked(t *testing.T) {
	reached := map[string]bool{}
	var visit func(file string)
	visit = func(file string) {
		if reached[file] {
			return
		}
		reached[file] = true
		for _, link := range readPage(t, file).Links {
			target, _, _ := strings.Cut(link.Target, "#")
			if to := path.Join(path.Dir(file), target); !strings.Contains(target, "://") && strings.HasSuffix(to, ".md") && exists(to) {
				visit(to)
			}
		}
	}
	visit("README.md")
	for _, file := range markdownFiles(t) {
		if !reached[file] {
			t.Errorf("no link leads from README.md to %s", file)
		}
	}
}

// TestPagesAreShort checks that a page for users can be read in one go. Longer ones are split.
func TestPagesAreShort(t *testing.T) {
	const words = 1500
	for _, file := range markdownFiles(t) {
		if !strings.HasPrefix(file, "docs/") && file != "README.md" {
			continue
		}
		if n := len(strings.Fields(string(readFile(t, file)))); n > words {
			t.Errorf("%s has %d words, more than %d: split it", file, n, words)
		}
	}
}

// TestLayersAreShown compares the picture in ARCHITECTURE.md with the layers that architecture_test.go
// checks: the same folders in the same rows, the highest first.
func TestLayersAreShown(t *testing.T) {
	var shown [][]string
	for _, block := range readPage(t, "ARCHITECTURE.md").Blocks {
		if block.Info != "diagram layers" {
			continue
		}
		for _, line := range block.Lines() {
			var row []string
			for _, word := range strings.Fields(line) {
				if _, layer := layerOf(word); layer >= 0 && strings.Contains(line, word) && exists(word) {
					row = append(row, word)
				}
			}
			slices.Sort(row)
			shown = append([][]string{row}, shown...)
		}
	}
	var want [][]string
	for _, row := range layers {
		row = slices.DeleteFunc(slices.Clone(row), func(folder string) bool { return folder == "" || folder == "internal/testing" })
		if slices.Sort(row); len(row) > 0 {
			want = append(want, row)
		}
	}
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Errorf("the picture in ARCHITECTURE.md shows other layers than architecture_test.go (-checked, +shown):\n%s", diff)
	}
}

// TestCommentsCiteFiles checks that paths in comments of Go files lead to files of the repository.
func TestCommentsCiteFiles(t *testing.T) {
	cited := 0
	for _, file := range goFiles(t) {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range parsed.Comments {
			for _, name := range document.FindAllString(group.Text(), -1) {
				if !exists(name) && !exists(name+".md") {
					t.Errorf("%s: a comment cites %s, which is not in the repository", file, name)
				}
			}
			for _, found := range pathInComment.FindAllStringSubmatch(group.Text(), -1) {
				name := strings.TrimRight(found[1], ".")
				if !isPath(name) {
					continue
				}
				if cited++; !exists(name) && !exists(path.Join(path.Dir(file), name)) {
					t.Errorf("%s: a comment cites %s, which does not exist", file, name)
				}
			}
		}
	}
	if cited < 5 {
		t.Errorf("only %d paths found in comments", cited)
	}
}

// document is the name of a document, such as ARCHITECTURE.md.
var document = regexp.MustCompile(`\b(?:[A-Z]{4,}\.md|DESIGN|STYLE)\b`)

// pathInComment is a relative path: /dev/stdin is not one.
var pathInComment = regexp.MustCompile(`(?:^|[^\w./-])([\w.-]+(?:/[\w.-]+)+)`)

func goFiles(t *testing.T) []string { return filesNamed(t, ".go") }

// markdownFiles lists the Markdown files of the repository.
func markdownFiles(t *testing.T) []string { return filesNamed(t, ".md") }

func filesNamed(t *testing.T, extension string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		// fetched
		if err == nil && entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") && name != "." || entry.Name() == "testdata" ||
			entry.Name() == "upstream" && strings.HasPrefix(name, "examples")) {
			return filepath.SkipDir
		}
		if filepath.Ext(name) == extension {
			files = append(files, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func exists(file string) bool {
	_, err := os.Stat(filepath.FromSlash(file))
	return err == nil
}

// pathLike matches a path in the repository: it begins with one of its directories, or is a file in its root.
var pathLike = regexp.MustCompile(`^[\w./-]+$`)

func isPath(code string) bool {
	first, _, nested := strings.Cut(code, "/")
	if !pathLike.MatchString(code) || strings.HasPrefix(code, "./") {
		return false
	}
	if !nested {
		return slices.Contains([]string{".md", ".go"}, path.Ext(code)) && code != "validation.go"
	}
	return exists(first) && first != "." && first != ".."
}

// punctuation matches the characters that GitHub leaves out of the anchors of headings.
var punctuation = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// anchors returns the anchors of the headings of a page, as GitHub makes them.
func anchors(page *markdown.Page) []string {
	var all []string
	for _, heading := range page.Headings {
		anchor := strings.ReplaceAll(punctuation.ReplaceAllString(strings.ToLower(heading.Text), ""), " ", "-")
		if slices.Contains(all, anchor) {
			anchor += "-1"
		}
		all = append(all, anchor)
	}
	return all
}
