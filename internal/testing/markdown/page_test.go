package markdown_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/testing/markdown"
)

func TestParse(t *testing.T) {
	got := markdown.Parse("page.md", `# Title

See [the file](a/b.md#part) and `+"`c/d.go`"+`.

    go test

`+"```sh exit=1"+`
diffrun run
`+"```"+`

1. In a list:

   `+"```yaml"+`
   # suite.yaml
   name: a
   `+"```"+`

## Keys

| key | meaning |
| --- | --- |
| `+"`a`"+` | one \| two |
| b | [x](y) |
`)
	want := &markdown.Page{
		File: "page.md",
		Blocks: []markdown.Block{
			{Line: 5, Text: "go test\n"},
			{Line: 8, Info: "sh exit=1", Text: "diffrun run\n"},
			{Line: 14, Info: "yaml", Text: "# suite.yaml\nname: a\n"},
		},
		Tables: []markdown.Table{{
			Line: 20, Heading: "Keys", Columns: []string{"key", "meaning"},
			Rows: []markdown.Row{
				{Line: 22, Cells: map[string]string{"key": "`a`", "meaning": "one | two"}},
				{Line: 23, Cells: map[string]string{"key": "b", "meaning": "[x](y)"}},
			},
		}},
		Links:    []markdown.Link{{Line: 3, Target: "a/b.md#part"}, {Line: 23, Target: "y"}},
		Code:     []markdown.Span{{Line: 3, Text: "c/d.go"}, {Line: 22, Text: "a"}},
		Headings: []markdown.Span{{Line: 1, Text: "Title"}, {Line: 18, Text: "Keys"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	block := got.Blocks[1]
	if block.Language() != "sh" || block.Attribute("exit") != "1" || block.Attribute("file") != "" {
		t.Errorf("language %q, exit %q, file %q", block.Language(), block.Attribute("exit"), block.Attribute("file"))
	}
}
