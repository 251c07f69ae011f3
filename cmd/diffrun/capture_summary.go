package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/gomodule/capture"
	casefiles "github.com/diffrun/diffrun/internal/gomodule/capture/corpus"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// captured is the result of a capture.
type captured struct {
	recording *capture.Recording
	corpus    *casefiles.Corpus
	folder    string
	form      casefiles.Form
}

// lines returns the summary of the capture.
func (c captured) lines() []string {
	distinct := len(c.corpus.Cases) + len(c.corpus.Parts)
	lines := []string{fmt.Sprintf("diffrun: %s of %s recorded; %s in %s",
		plaintext.Count(len(c.recording.Lines), "call"), plaintext.Count(c.functions(), "function"),
		plaintext.Count(distinct, "distinct case"), c.folder)}
	add := func(format string, args ...any) { lines = append(lines, "  "+fmt.Sprintf(format, args...)) }
	lines = append(lines, c.corpus.Table()...)
	for _, row := range c.corpus.Rows(c.form) {
		add("%s: %s", row.File, row.Text)
	}
	if left := len(c.corpus.Parts) + c.corpus.Panicked(); left > 0 && c.form == casefiles.Tables {
		add("not in the tables: %s of parts of objects or of panics; without --yaml, files of JSON lines have them",
			plaintext.Count(left, "case"))
	}
	for _, why := range slices.Sorted(maps.Keys(c.corpus.Differing)) {
		add("does not replay: %s; the cause: %s", plaintext.Count(c.corpus.Differing[why], "case"), why)
	}
	for _, name := range slices.Sorted(maps.Keys(c.corpus.Untagged)) {
		add("no case: %s of %s, whose fields have no JSON tags; name a scheme that converts it with --scheme",
			plaintext.Count(c.corpus.Untagged[name], "call"), name)
	}
	for _, why := range slices.Sorted(maps.Keys(c.corpus.Unusable)) {
		add("no case: %s of %s", plaintext.Count(c.corpus.Unusable[why], "call"), why)
	}
	reasons := map[string]int{}
	for skip, n := range c.recording.Skipped {
		reasons[skip.Reason] += n
	}
	for _, why := range slices.Sorted(maps.Keys(reasons)) {
		text, isPart := strings.CutPrefix(why, "part: ")
		if isPart {
			text += "; --func records its validators, too"
		}
		add("not recorded: %s, %s", plaintext.Count(reasons[why], "call"), text)
	}
	if c.recording.Cut > 0 {
		add("not recorded: %s in flight when its process was killed", plaintext.Count(c.recording.Cut, "call"))
	}
	return lines
}

// functions returns the number of functions that were called.
func (c captured) functions() int {
	called := map[string]bool{}
	for _, line := range c.recording.Lines {
		called[line.Function] = true
	}
	return len(called)
}
