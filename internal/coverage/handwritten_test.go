package coverage_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/coverage"
	"github.com/diffrun/diffrun/internal/coverage/testdata/handcount/inputs"
	"github.com/diffrun/diffrun/internal/errorsites"
	"github.com/diffrun/diffrun/internal/gocoverage"
)

const (
	gadgets   = "github.com/diffrun/diffrun/internal/errorsites/testdata/gadgets"
	handcount = "github.com/diffrun/diffrun/internal/coverage/testdata/handcount"
)

// byHand is what one counts in gadgets.go and the inputs: executed; errors seen, matched and
// different.
func byHand() []string {
	return []string{
		`gadgets.go:32 Validate: Required spec.name: true 2 1 1`,
		`gadgets.go:35 Validate: Invalid spec.size "must not be negative": true 1 1 0`,
		`gadgets.go:38 Validate: Invalid spec.size "must be at most …, 100% sure": true 1 0 1`,
		`gadgets.go:42 Validate: NotSupported spec.shape: false 0 0 0`,
		`gadgets.go:46 Validate: TooMany spec.parts: true 1 1 0`,
		`gadgets.go:58 validateParts: Duplicate [*].name: true 1 1 0`,
		`gadgets.go:62 validateParts: badPort [*].port "port must be set": true 2 2 0`,
		`gadgets.go:65 validateParts: badPort [*].port "port is too large": true 1 0 1`,
		`gadgets.go:68 validateParts: Error [*].port "is taken": false 0 0 0`,
		`gadgets.go:81 whole: NotFound [*]: false 0 0 0`,
		`gadgets.go:90 Maker: InternalError: false 0 0 0`,
	}
}

func counts(sites *coverage.Sites) []string {
	var lines []string
	for _, p := range sites.Packages {
		for _, s := range p.Sites {
			lines = append(lines, fmt.Sprintf("%s:%d %s: %t %d %d %d", filepath.Base(s.File), s.Line, s.Name, s.Executed, s.Seen, s.Matched, s.Differs))
		}
	}
	return lines
}

// TestHandwrittenByHand: the counts of a program built with -cover are those that one counts by
// hand; and so are those of results without counters, with the profile that the program left.
func TestHandwrittenByHand(t *testing.T) {
	program, left := filepath.Join(t.TempDir(), "handcount"), t.TempDir()
	build := exec.Command("go", "build", "-cover", "-covermode=atomic", "-coverpkg="+gadgets+","+handcount, "-o", program, handcount)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(left string, args ...string) coverage.Sites {
		var stderr bytes.Buffer
		run := exec.Command(program, args...)
		run.Env, run.Stderr = append(os.Environ(), "GOCOVERDIR="+left), &stderr
		out, err := run.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, stderr.String())
		}
		var sites coverage.Sites
		if err := json.Unmarshal(out, &sites); err != nil {
			t.Fatal(err)
		}
		return sites
	}
	live := run(t.TempDir(), gadgets)
	run(left, gadgets, "keep the counters")
	if diff := cmp.Diff(byHand(), counts(&live)); diff != "" || live.Elsewhere+live.Ambiguous > 0 {
		t.Errorf("counted input by input; elsewhere %d, ambiguous %d (-want +got):\n%s", live.Elsewhere, live.Ambiguous, diff)
	}

	sites, err := errorsites.Find(t.Context(), ".", []string{gadgets})
	if err != nil {
		t.Fatal(err)
	}
	profile, err := gocoverage.ReadProfile(left)
	if err != nil {
		t.Fatal(err)
	}
	outside, err := inputs.Run(t.Context(), sites, nil, profile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(byHand(), counts(outside.Sites)); diff != "" {
		t.Errorf("by the profile (-want +got):\n%s", diff)
	}
	if report, err := inputs.Run(t.Context(), sites, nil); err != nil || report.Sites.Elsewhere != 9 {
		t.Errorf("without a profile %d errors belong to no site, not 9: %v", report.Sites.Elsewhere, err)
	}
}

// TestSitesText: the three lists, in each format.
func TestSitesText(t *testing.T) {
	r := coverage.Report{Sites: &coverage.Sites{Elsewhere: 3, Packages: []coverage.SitePackage{{Path: "example.com/v", Sites: []coverage.Site{
		{File: "example.com/v/a.go", Line: 1, Name: "A: Invalid"},
		{File: "example.com/v/a.go", Line: 2, Name: "A: Required", SiteCounts: coverage.SiteCounts{Executed: true}},
		{File: "example.com/v/a.go", Line: 3, Name: "B: Required", SiteCounts: coverage.SiteCounts{Executed: true, Seen: 2, Matched: 1, Differs: 1}},
		{File: "example.com/v/a.go", Line: 4, Name: "B: <script>\x1b", SiteCounts: coverage.SiteCounts{Executed: true, Seen: 2, Differs: 2}},
		{File: "example.com/v/a.go", Line: 5, Name: "C: Required", SiteCounts: coverage.SiteCounts{Executed: true, Seen: 1, Matched: 1}},
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
    executed, and no error of it is ever compared: 1
      a.go:2 A: Required
    its error differs: 2
      a.go:3 B: Required (1 difference of 2 errors)
      a.go:4 B: <script>\x1b (2 differences of 2 errors)

Errors from calls outside of these packages: 3
`
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	for _, part := range []string{"| example\\.com/v | 5 | 4 | 3 | 2 |", "no input executes: 1\n  - a\\.go\\:1", "Errors from calls outside of these packages: 3"} {
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
