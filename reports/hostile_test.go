package reports_test

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports"
	"github.com/diffrun/diffrun/reports/record"
)

// of makes a run in which every text is replaced by this one.
func of(text string) recording {
	gvk := schema.GroupVersionKind{Group: text, Version: text, Kind: text}
	c := &harness.Case{ID: text, Source: text, Why: text, Subresource: text, Object: map[string]any{}}
	pair := equivalence.Pair{Native: invalid(text, text, text), Class: difference.TooLoose}
	both := equivalence.Pair{Native: invalid(text, text, text), Declarative: invalid("a"+text, text+"b", text), Class: difference.Path}
	excepted := equivalence.Pair{Native: invalid(text, text, text), Class: difference.TooLoose, Exception: &equivalence.Exception{ID: text}}
	differs := paired(c, gvk, words.Different, pair, both, excepted)
	differs.Unmet, differs.Suite = []string{text}, text
	for _, reason := range []words.OmissionReason{words.Pruned, words.Ignored} {
		differs.Omitted = append(differs.Omitted, contract.Omission{Field: text, Why: reason})
	}
	differs.Native.Warnings, differs.Declarative.Warnings = []string{text, text}, []string{text}
	differs.Native.Omitted = []contract.Omission{{Field: text, Why: words.Pruned}}
	fault := &contract.Fault{Reason: words.FaultPanic, Err: errors.New(text), Stack: text}
	faulted := harness.Result{Suite: text, Case: &harness.Case{ID: "b" + text}, Version: gvk, Verdict: words.Faulted, Fault: fault,
		Native: harness.Outcome{Fault: fault}, Declarative: harness.Outcome{Fault: fault}}
	wordless := harness.Result{
		Suite:         text,
		Case:          &harness.Case{ID: "c" + text},
		Version:       gvk,
		Verdict:       words.Inexpressible,
		Inexpressible: text,
	}
	missing := &contract.Fault{Reason: words.FaultTarget, Err: errors.New(text)}
	targetless := harness.Result{Suite: text, Case: &harness.Case{ID: "d" + text, Fault: missing}, Verdict: words.Faulted, Fault: missing}
	return recording{
		header:  reports.Header{Version: text, Suites: []record.Suite{{Name: text, Source: text}, {Name: "b", Source: text}}},
		results: []harness.Result{differs, faulted, wordless, targetless},
		footer:  reports.Footer{Problems: []string{text, text}, LeftOut: []record.LeftOut{{Suite: text, Target: text, Cases: 2}}},
	}
}

// No text from outside controls the terminal or begins a line of its own, in any format.
func TestNothingSteersTheTerminal(t *testing.T) {
	const forged = "✗ forged"
	hostile := "\x1b[2J\r\n" + forged + "\u2028" + forged +
		"\u202e\u200b\x07\u009b31m\x7f\xff\xe2\x80\t\ufe0f##vso[a]\n::error::\n ::error::" +
		strings.Repeat(" ::error::"+strings.Repeat("x", 80), 3) + "\n" + forged + "\n\n" + forged
	for _, format := range reports.Formats() {
		for _, options := range []reports.Options{{}, {Verbose: true, Pruned: true}, {Color: true, Verbose: true}} {
			var out bytes.Buffer
			reporter, err := reports.New(format, &out, options)
			if err != nil {
				t.Fatal(err)
			}
			of(hostile).play(t, reporter)
			text := out.String()
			if !utf8.ValidString(text) {
				t.Errorf("%s, %+v: not UTF-8", format, options)
			}
			for _, style := range plaintext.Styles() {
				text = strings.ReplaceAll(text, style.On("\x00")[:len(style)+3], "") // what begins it
			}
			text = strings.ReplaceAll(text, "\x1b[0m", "")
			if format == "junit" { // whose library indents its lines with tabs
				text = regexp.MustCompile(`(?m)^\t+`).ReplaceAllString(text, "")
			}
			if format == "github" { // which consists of workflow commands that show a text and do nothing else
				text = regexp.MustCompile(`(?m)^::(error|warning|notice) [^:\n]*::`).ReplaceAllString(text, "")
			}
			if at := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); at >= 0 {
				t.Errorf("%s, %+v: %q got through", format, options, text[max(0, at-100):at+10])
			}
			if command := regexp.MustCompile(`(?m)^\s*::.*|##[a-z]*\[.*`).FindString(text); command != "" {
				t.Errorf("%s, %+v: a command for those who read logs: %q", format, options, command)
			}
			for line := range strings.Lines(text) {
				// Wrapped texts continue further to the right.
				if text := strings.TrimLeft(line, " "); len(line)-len(text) < 8 && strings.HasPrefix(text, forged) {
					t.Errorf("%s, %+v: a line is forged: %q", format, options, line)
				}
			}
		}
	}
}

// Output for people is short enough to read, whatever the texts are; formats for programs keep everything.
func TestLongTexts(t *testing.T) {
	for _, text := range []string{strings.Repeat("x", 1<<20), strings.Repeat("some words ", 100_000),
		strings.Repeat("a\nline\n", 100_000)} {
		for _, options := range []reports.Options{{}, {Verbose: true, Pruned: true}} {
			var out bytes.Buffer
			reporter, _ := reports.New("text", &out, options)
			of(text).play(t, reporter)
			if lines := strings.Count(out.String(), "\n"); lines > 900 || out.Len() > 80_000 {
				t.Errorf("%.10q, %+v: %d lines, %d bytes", text, options, lines, out.Len())
			}
			if !strings.Contains(out.String(), " more bytes") {
				t.Error("it is not said that something is left out")
			}
		}
		var page bytes.Buffer
		reporter, _ := reports.New("html", &page, reports.Options{})
		of(text).play(t, reporter)
		if page.Len() > 200_000 {
			t.Errorf("%.10q: the page has %d bytes", text, page.Len())
		}
		var out bytes.Buffer
		reporter, _ = reports.New("jsonl", &out, reports.Options{})
		of(text).play(t, reporter)
		if out.Len() < 20*len(text) {
			t.Errorf("JSON lines lose something: %d bytes", out.Len())
		}
	}
}

// If there are many items, some are shown with the number of the others.
func TestManyThings(t *testing.T) {
	const many = 20_000
	var pairs []equivalence.Pair
	var omitted []contract.Omission
	var problems []string
	for i := range many {
		word := strings.Repeat(string(rune('a'+i%26)), 1+i/26) // which groups no two of them
		pairs = append(pairs, equivalence.Pair{Native: invalid("spec."+word, i, word), Class: difference.TooLoose})
		omitted = append(omitted, contract.Omission{Field: fmt.Sprintf("spec.f%d", i), Why: words.Pruned})
		problems = append(problems, fmt.Sprintf("rule %d is unused", i))
	}
	for _, verbose := range []bool{false, true} {
		result := paired(&harness.Case{ID: "many", Object: map[string]any{}}, deployment, words.Different, pairs...)
		result.Omitted = omitted
		var out bytes.Buffer
		reporter, _ := reports.New("text", &out, reports.Options{Verbose: verbose, Pruned: true})
		recording{results: []harness.Result{result}, footer: reports.Footer{Problems: problems}}.play(t, reporter)
		var page bytes.Buffer
		reporter, _ = reports.New("html", &page, reports.Options{Verbose: verbose})
		recording{results: []harness.Result{result}, footer: reports.Footer{Problems: problems}}.play(t, reporter)
		if page.Len() > 1_000_000 { // there are 2,000 causes
			t.Errorf("the page has %d bytes", page.Len())
		}
		text := out.String()
		if lines := strings.Count(text, "\n"); lines > plaintext.MaxBlock+2*plaintext.MaxItems+30 { // the summary and 20 changed verdicts
			t.Errorf("verbose %t: %d lines", verbose, lines)
		}
		for _, says := range []string{"lines about this case; -o json=FILE keeps all", "… and 19,900 more; -o json=FILE keeps all"} {
			if !strings.Contains(text, says) {
				t.Errorf("verbose %t: it does not say %q:\n%.3000s", verbose, says, text)
			}
		}
	}
	only := paired(&harness.Case{ID: "pruned", Object: map[string]any{}}, deployment, words.Equal)
	only.Omitted = omitted
	var out bytes.Buffer
	reporter, _ := reports.New("text", &out, reports.Options{Pruned: true})
	recording{results: []harness.Result{only}}.play(t, reporter)
	if text := out.String(); !strings.Contains(text, "spec.f0, spec.f1, ") || !strings.Contains(text, "… and 19,950 more") ||
		strings.Contains(text, "spec.f50,") {
		t.Errorf("of pruned fields a few are listed:\n%.3000s", text)
	}
}

// No wrapped text can look like a line of the report: every line that is indented less than a continuation is
// the report's own.
func TestNoTextWrapsIntoALine(t *testing.T) {
	for before := range 110 {
		var out bytes.Buffer
		reporter, _ := reports.New("text", &out, reports.Options{Verbose: true, Pruned: true})
		run := of(strings.Repeat("y", 1+before) + "    ✗ forged")
		for i := range run.results {
			run.results[i].Version = deployment // which begins a line of its own
		}
		run.play(t, reporter)
		for line := range strings.Lines(out.String()) {
			text := strings.TrimLeft(line, " ")
			if len(line)-len(text) < 8 && strings.HasPrefix(text, "✗ forged") {
				t.Fatalf("after %d characters a line is forged: %q", before, line)
			}
		}
	}
}
