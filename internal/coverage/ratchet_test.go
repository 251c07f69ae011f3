package coverage_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/internal/coverage"
)

// report has one target whose keywords are covered if failed has their names.
func report(keywords []string, failed ...string) coverage.Report {
	t := coverage.Target{Suite: "s", Name: "v1 A", Inputs: 1}
	for _, name := range keywords {
		p := tally.Place{Path: "f", Keyword: name, Reached: 1}
		if slices.Contains(failed, name) {
			p.Failed = 1
		}
		t.Keywords = append(t.Keywords, p)
	}
	return coverage.Report{Targets: []coverage.Target{t}}
}

func TestRatchet(t *testing.T) {
	all := []string{"enum", "maximum", "minimum"}
	file := filepath.Join(t.TempDir(), "coverage.yaml")
	first := coverage.Ratchet{}.Compare(report(all, "enum", "minimum"))
	if !first.Higher || len(first.Lower) > 0 {
		t.Fatalf("a new target: %+v", first)
	}
	if err := first.Updated.Write(file); err != nil {
		t.Fatal(err)
	}
	ratchet, err := coverage.ReadRatchet(file)
	if err != nil {
		t.Fatal(err)
	}
	gone := report(all)
	gone.Targets[0].Inputs, gone.Targets[0].Keywords = 0, nil
	elsewhere := report(all, "enum")
	elsewhere.Targets[0].Suite = "other"
	for _, tt := range []struct {
		why        string
		report     coverage.Report
		lost       []string
		higher     bool
		uncompared int
	}{
		{"the same", report(all, "enum", "minimum"), nil, false, 0},
		{"more", report(all, all...), nil, true, 0},
		{"one place less", report(all, "enum"), []string{"f minimum"}, false, 0},
		{"a different place instead: the figure is the same", report(all, "enum", "maximum"), nil, true, 0},
		{"the schema lost a keyword that was covered", report([]string{"enum", "maximum"}, "enum"), nil, true, 0},
		{"the schema has a keyword more", report(append(slices.Clone(all), "pattern"), "enum", "minimum"), nil, true, 0},
		{"no case is left: the names are unknown", gone, nil, false, 0},
		{"a different suite ran", elsewhere, nil, true, 1},
	} {
		t.Run(tt.why, func(t *testing.T) {
			c := ratchet.Compare(tt.report)
			var lost []string
			for _, l := range c.Lower {
				lost = append(lost, l.Places...)
			}
			if diff := cmp.Diff(tt.lost, lost); diff != "" {
				t.Errorf("lost (-want +got):\n%s", diff)
			}
			fell := len(tt.lost) > 0 || tt.report.Targets[0].Inputs == 0
			if (len(c.Lower) == 1) != fell {
				t.Errorf("%d figures fell", len(c.Lower))
			}
			if c.Higher != tt.higher || len(c.Uncompared) != tt.uncompared {
				t.Errorf("higher %t, not compared: %d", c.Higher, len(c.Uncompared))
			}
			kept := c.Updated.Targets[slices.IndexFunc(c.Updated.Targets, func(t coverage.RatchetTarget) bool { return t.Suite == "s" })]
			if fell && kept.Keywords.Covered != 2 {
				t.Errorf("what fell was written: %+v", kept)
			}
		})
	}
}

// TestUncomparedRatchet: an entry that nothing was compared with is named, and stays in the file.
func TestUncomparedRatchet(t *testing.T) {
	entry := func(line int, suite, target string) coverage.RatchetTarget {
		made := coverage.RatchetTarget{
			Suite:    suite,
			Target:   target,
			Keywords: coverage.RatchetSection{Covered: 1, Of: 1, Places: []string{"abcdefg"}},
		}
		made.Line = line
		return made
	}
	ran := func(names ...string) coverage.Report {
		var made coverage.Report
		for i := 0; i < len(names); i += 2 {
			made.Targets = append(made.Targets, coverage.Target{Suite: names[i], Name: names[i+1], Inputs: 1})
		}
		return made
	}
	const why = ": 1 covered place, and nothing was compared, because "
	for _, tt := range []struct {
		why    string
		file   coverage.Ratchet
		report coverage.Report
		want   []string
		keeps  bool
	}{
		{
			why:    "the suite is gone",
			file:   coverage.Ratchet{Targets: []coverage.RatchetTarget{entry(9, "a", "v1 A"), entry(20, "b", "v1 B")}},
			report: ran("b", "v1 B"),
			want: []string{
				"9: suite a, v1 A" + why + "no suite of that name ran; name the suite, write its new name here, or delete the target here",
			}, keeps: true,
		},
		{
			why: "the suite was renamed", file: coverage.Ratchet{Targets: []coverage.RatchetTarget{entry(9, "a", "v1 A")}},
			report: ran("c", "v1 A"),
			want: []string{
				"9: suite a, v1 A" + why + "no suite of that name ran; if c is its new name, write it here; else name the suite, " +
					"or delete the target here",
			}, keeps: true,
		},
		{
			why:  "two suites have the target, so neither is its new name",
			file: coverage.Ratchet{Targets: []coverage.RatchetTarget{entry(9, "a", "v1 A")}}, report: ran("c", "v1 A", "d", "v1 A"),
			want: []string{
				"9: suite a, v1 A" + why + "no suite of that name ran; name the suite, write its new name here, or delete the target here",
			}, keeps: true,
		},
		{
			why:    "the suite no longer has the version",
			file:   coverage.Ratchet{Targets: []coverage.RatchetTarget{entry(9, "a", "v1 A"), entry(20, "a", "v1beta1 A")}},
			report: ran("a", "v1 A"),
			want:   []string{"20: suite a, v1beta1 A" + why + "the suite has no such target; add a case for it, or delete the target here"},
		},
		{
			why: "the target was renamed", file: coverage.Ratchet{Targets: []coverage.RatchetTarget{entry(9, "a", "v1 A")}},
			report: ran("a", "v1 B"),
			want: []string{
				"9: suite a, v1 A" + why + "the suite has no such target; if v1 B is its new name, write it here; else delete " +
					"the target here",
			},
		},
		{
			why: "a package was not counted",
			file: coverage.Ratchet{
				Targets:  []coverage.RatchetTarget{entry(9, "a", "v1 A")},
				Packages: []coverage.RatchetPackage{{Package: "example.com/validation", Seen: []string{"abcdefg", "bcdefgh"}}},
			},
			report: ran("a", "v1 A"), want: []string{"0: package example.com/validation: 2 covered calls, and it was not counted; " +
				"name it with --native, or delete it here"}, keeps: true,
		},
		{why: "a suite that is not in the file yet has nothing to lose",
			file: coverage.Ratchet{Targets: []coverage.RatchetTarget{entry(9, "a", "v1 A")}}, report: ran("a", "v1 A", "b", "v1 B")},
	} {
		t.Run(tt.why, func(t *testing.T) {
			c := tt.file.Compare(tt.report)
			var got []string
			for _, entry := range c.Uncompared {
				got = append(got, fmt.Sprintf("%d: %s", entry.Line, entry))
				if entry.Keeps() != tt.keeps {
					t.Errorf("an update keeps it without failing: %t", entry.Keeps())
				}
				if entry.Package == "" && !slices.ContainsFunc(c.Updated.Targets, func(t coverage.RatchetTarget) bool {
					return t.Suite == entry.Suite && t.Target == entry.Target
				}) {
					t.Errorf("%s is lost from the file", entry.Target)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestHostilePlaces: names in a schema are plain text in every format.
func TestHostilePlaces(t *testing.T) {
	r := report([]string{"enum"})
	r.Targets[0].Keywords[0].Path = "a<script>\x1b[31m|\n`b`"
	for name, write := range map[string]func(*bytes.Buffer) error{
		"text":     func(w *bytes.Buffer) error { return r.Text(w, coverage.TextOptions{All: true}) },
		"json":     func(w *bytes.Buffer) error { return r.JSON(w, "v") },
		"markdown": func(w *bytes.Buffer) error { return r.Markdown(w) },
		"html":     func(w *bytes.Buffer) error { return r.HTML(w) },
	} {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatal(err)
		}
		if bytes.ContainsRune(out.Bytes(), '\x1b') || (name == "markdown" || name == "html") &&
			bytes.Contains(out.Bytes(), []byte("a<script>")) {
			t.Errorf("%s shows the text as it is:\n%s", name, out.String())
		}
	}
}

// TestOldRatchet: a file of an earlier format, whose places have names, is a mistake, and never an empty
// file.
func TestOldRatchet(t *testing.T) {
	file := filepath.Join(t.TempDir(), "coverage.yaml")
	if err := os.WriteFile(file, []byte("targets:\n- {suite: s, target: v1 A, keywords: {covered: 1, of: 2, places: [\"f enum\"]}}\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := coverage.ReadRatchet(file); err == nil || !strings.Contains(err.Error(), "seven letters; delete the file") {
		t.Errorf("%v", err)
	}
}

// TestRatchetOfWindows: a file with Windows line endings keeps them, and is read like any other.
func TestRatchetOfWindows(t *testing.T) {
	file := filepath.Join(t.TempDir(), "coverage.yaml")
	first := coverage.Ratchet{}.Compare(report([]string{"enum", "minimum"}, "enum"))
	if err := first.Updated.Write(file); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil || bytes.Contains(text, []byte("\r")) {
		t.Fatalf("a new file: %v, %q", err, text)
	}
	if err := os.WriteFile(file, bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	ratchet, err := coverage.ReadRatchet(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(first.Updated, ratchet, cmp.Transformer("places", func(t coverage.RatchetTarget) []coverage.RatchetSection {
		return []coverage.RatchetSection{t.Keywords, t.Fields, t.Values}
	})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if err := ratchet.Write(file); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(file); err != nil || bytes.Count(again, []byte("\r\n")) != bytes.Count(again, []byte("\n")) ||
		len(again) <= len(text) {
		t.Errorf("written again, %v: %q", err, again)
	}
}
