package html

import (
	"strings"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/internal/display"
)

// note is a note about a result other than its errors. Cause is the number of its cause,
// starting at one.
type note struct {
	What  string   `json:"what"`
	Lines []string `json:"lines"`
	Cause int      `json:"cause,omitempty"`
}

// unmetNote is the kind of a note about an expectation that is not met.
const unmetNote = "unmet"

// faultNotes returns the notes about faults. They come first.
func faultNotes(r harness.Result, of *causesOfResult) []note {
	var notes []note
	for source, fault := range r.Faults() {
		lines := plaintext.Lines(strings.TrimSpace(strings.ReplaceAll(fault.Error(), "\t", "    ")))
		if fault.Stack != "" {
			lines = append(lines, plaintext.Stack(fault.Stack)...)
		}
		notes = append(notes, note{"fault of " + r.Sides.Source(source), lines, of.next()})
	}
	return notes
}

// unmetNotes returns the notes about expectations that are not met.
func unmetNotes(r harness.Result, of *causesOfResult) []note {
	var notes []note
	unmet, more := plaintext.First(r.Unmet)
	for _, message := range unmet {
		notes = append(notes, note{unmetNote, []string{plaintext.Line(message)}, of.next()})
	}
	if more > 0 {
		notes = append(notes, note{What: unmetNote, Lines: []string{plaintext.More(more)}})
	}
	return notes
}

// otherNotes returns the notes that need no attention.
func otherNotes(r harness.Result) []note {
	var notes []note
	if r.Inexpressible != "" {
		notes = append(notes, note{What: "the version cannot express this case", Lines: []string{plaintext.Line(r.Inexpressible)}})
	}
	first, second := r.Sides.Backends()
	for _, side := range []struct {
		name    string
		outcome harness.Outcome
	}{{first, r.Native}, {second, r.Declarative}} {
		if pruned := display.Omitted(side.outcome.Omitted, words.Pruned); len(pruned) > 0 {
			notes = append(notes, note{What: "fields pruned by " + side.name + " alone", Lines: []string{plaintext.List(pruned)}})
		}
		shown, more := plaintext.First(side.outcome.Warnings)
		var lines []string
		for _, warning := range shown {
			lines = append(lines, plaintext.Line(warning))
		}
		if more > 0 {
			lines = append(lines, plaintext.More(more))
		}
		if len(lines) > 0 {
			notes = append(notes, note{What: "warnings of " + side.name, Lines: lines})
		}
	}
	for _, reason := range display.OmissionReasons() {
		if fields := display.Omitted(r.Omitted, reason); len(fields) > 0 {
			notes = append(notes, note{What: "fields " + string(reason) + " before validation", Lines: []string{plaintext.List(fields)}})
		}
	}
	return notes
}
