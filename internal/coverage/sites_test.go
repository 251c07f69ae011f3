package coverage_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/coverage"
)

// TestSitesText: the three lists, in each format.
func TestSitesText(t *testing.T) {
	r := coverage.Report{Sites: &coverage.Sites{Elsewhere: 3,
		Packages: []coverage.SitePackage{{Path: "example.com/v", Sites: []coverage.Site{
			{File: "example.com/v/a.go", Line: 1, Name: "A: Invalid"},
			{File: "example.com/v/a.go", Line: 2, Name: "A: Required", SiteCounts: coverage.SiteCounts{Executed: true}},
			{File: "example.com/v/a.go", Line: 3, Name: "B: Required", SiteCounts: coverage.SiteCounts{
				Executed: true,
				Seen:     2,
				Matched:  1,
				Differs:  1,
			}},
			{File: "example.com/v/a.go", Line: 4, Name: "B: <script>\x1b",
				SiteCounts: coverage.SiteCounts{Executed: true, Seen: 2, Differs: 2}},
			{File: "example.com/v/a.go", Line: 5, Name: "C: Required",
				SiteCounts: coverage.SiteCounts{Executed: true, Seen: 1, Matched: 1}},
		}}}}}
	var text, markdown, html bytes.Buffer
	for out, write := range map[*bytes.Buffer]func(*bytes.Buffer) error{
		&text:     func(w *bytes.Buffer) error { return r.Text(w, coverage.TextOptions{}) },
		&markdown: func(w *bytes.Buffer) error { return r.Markdown(w) },
		&html:     func(w *bytes.Buffer) error { return r.HTML(w) },
	} {
		if err := write(out); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "\x1b") {
			t.Errorf("a name is written as it is:\n%s", out.String())
		}
	}
	want := `
hand-written: example.com/v, calls that make errors: 5
  executed: 4 of 5, seen: 3 of 5, matched: 2 of 5
    no input executes: 1
      a.go:1 A: Invalid
    executed, but none of its errors is compared: 1
      a.go:2 A: Required
    its error differs: 2
      a.go:3 B: Required (1 difference of 2 errors)
      a.go:4 B: <script>\x1b (2 differences of 2 errors)

Errors from calls outside of these packages: 3
`
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	for _, part := range []string{
		"| example\\.com/v | 5 | 4 | 3 | 2 |",
		"no input executes: 1\n  - a\\.go\\:1",
		"Errors from calls outside of these packages: 3",
	} {
		if !strings.Contains(markdown.String(), part) {
			t.Errorf("markdown lacks %q:\n%s", part, markdown.String())
		}
	}
	for _, part := range []string{"its error differs: 2", "a.go:3 B: Required"} {
		if !strings.Contains(html.String(), part) {
			t.Errorf("html lacks %q:\n%s", part, html.String())
		}
	}
	if strings.Contains(html.String(), "<script>") || strings.Contains(markdown.String(), "<script>") {
		t.Error("a name is markup")
	}
}
