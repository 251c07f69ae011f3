package fileschema

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/testing/markdown"
)

// File is a kind of file that users write.
type File struct {
	// Name is that of its schema in the folder schemas.
	Name, Title string
	// Type is the Go type of the file.
	Type reflect.Type
	// Pages are its pages in docs/reference, and Keys is the heading of the keys at the top.
	Pages []string
	Keys  string
	// Alike has the keys whose mappings have the keys of another one, such as mutate those of then.
	Alike map[string]string
	// Root is the path of the repository's root from the package.
	Root string
}

// Check compares the published schema with that of the decoder, or writes it if the flag -update of the
// package's tests is set.
func (f File) Check(t *testing.T) {
	t.Helper()
	documented := f.documentation(t)
	schema, err := strictyaml.JSONSchema(f.Type, documented)
	if err != nil {
		t.Fatal(err)
	}
	schema["$schema"], schema["$id"], schema["title"] = "https://json-schema.org/draft/2020-12/schema", strictyaml.SchemaURL(f.Name),
		f.Title
	made, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	made = append(made, '\n')
	path := filepath.Join(f.Root, "schemas", f.Name+".schema.json")
	if update := flag.Lookup("update"); update != nil && update.Value.String() == "true" {
		if err := outfile.Write(path, made); err != nil {
			t.Fatal(err)
		}
	}
	published, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(published), string(made)); diff != "" {
		t.Errorf("%s is not that of the decoder (-published +decoder); write it with -update:\n%s", path, diff)
	}
}

// documentation returns the rows of the tables of keys in the page. A table is found by its heading,
// which is the path of the mapping, or its end if several mappings have the same keys.
func (f File) documentation(t *testing.T) strictyaml.Documentation {
	t.Helper()
	rows := map[string]map[string]markdown.Row{}
	var tables []markdown.Table
	for _, name := range f.Pages {
		page, err := markdown.Read(filepath.Join(f.Root, "docs", "reference", name))
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, page.Tables...)
	}
	for _, table := range tables {
		heading := table.Heading
		if heading == f.Keys {
			heading = ""
		}
		if table.Columns[0] != "key" {
			continue
		}
		rows[heading] = map[string]markdown.Row{}
		for _, row := range table.Rows {
			for name := range strings.SplitSeq(markdown.Plain(row.Cells["key"]), ", ") {
				rows[heading][name] = row
			}
		}
	}
	if len(rows[""]) == 0 {
		t.Fatalf("the pages %q of docs/reference have no table of keys under %q", f.Pages, f.Keys)
	}
	return func(path string) (string, bool) {
		at := strings.LastIndexByte(path, '.')
		parent, name := path[:max(at, 0)], path[at+1:]
		row, known := rows[parent][name]
		if !known {
			row = rows[f.likely(parent, rows)][name]
		}
		return plain(row.Cells["meaning"]), row.Cells["default"] == "required"
	}
}

// likely returns the heading of a mapping that has no table of its own: that of a mapping with the same
// last key.
func (f File) likely(path string, rows map[string]map[string]markdown.Row) string {
	last := path[strings.LastIndexByte(path, '.')+1:]
	if other, alike := f.Alike[last]; alike {
		last = other
	}
	for _, heading := range slices.Sorted(maps.Keys(rows)) {
		if heading == last || strings.HasSuffix(heading, "."+last) {
			return heading
		}
	}
	return "no heading"
}

// link is a link of Markdown.
var link = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// plain returns a cell without the marks of Markdown.
func plain(cell string) string {
	return strings.TrimSpace(link.ReplaceAllString(markdown.Plain(cell), "$1"))
}
