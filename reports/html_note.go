package reports

import (
	"strings"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// htmlNote is a note about a result other than its errors. Cause is the number of its cause,
// starting at one.
type htmlNote struct {
	What  string   `json:"what"`
	Lines []string `json:"lines"`
	Cause int      `json:"cause,omitempty"`
}

// unmetNote is the kind of a note about an expectation that is not met.
const unmetNote = "unmet"

// faultNotes returns the notes about faults. They come first.
func faultNotes(r harness.Result, of *causesOfResult) []htmlNote {
	var notes []htmlNote
	for _, fault := range r.Faults() {
		lines := plaintext.Lines(strings.TrimSpace(strings.ReplaceAll(fault.Error(), "\t", "    ")))
		if fault.Stack != "" {
			lines = append(lines, plaintext.Stack(fault.Stack)...)
		}
		notes = append(notes, htmlNote{"fault of the " + fault.Of, lines, of.next()})
	}
	return notes
}

// unmetNotes returns the notes about expectations that are not met.
func unmetNotes(r harness.Result, of *causesOfResult) []htmlNote {
	var notes []htmlNote
	unmet, more := plaintext.First(r.Unmet)
	for _, message := range unmet {
		notes = append(notes, htmlNote{unmetNote, []string{plaintext.Line(message)}, of.next()})
	}
	if more > 0 {
		notes = append(notes, htmlNote{What: unmetNote, Lines: []string{plaintext.More(more)}})
	}
	return notes
}

// otherNotes returns the notes that need no attention.
func otherNotes(r harness.Result) []htmlNote {
	var notes []htmlNote
	if r.Inexpressible != "" {
		notes = append(notes, htmlNote{What: "the version cannot express this case", Lines: []string{plaintext.Line(r.Inexpressible)}})
	}
	for _, side := range r.Outcomes() {
		if pruned := omitted(side.Omitted, harness.Pruned); len(pruned) > 0 {
			notes = append(notes, htmlNote{What: "fields pruned by the " + side.Name + " backend alone", Lines: []string{plaintext.List(pruned)}})
		}
		shown, more := plaintext.First(side.Warnings)
		var lines []string
		for _, warning := range shown {
			lines = append(lines, plaintext.Line(warning))
		}
		if more > 0 {
			lines = append(lines, plaintext.More(more))
		}
		if len(lines) > 0 {
			notes = append(notes, htmlNote{What: "warnings of the " + side.Name + " backend", Lines: lines})
		}
	}
	for _, reason := range harness.OmissionReasons() {
		if fields := omitted(r.Omitted, reason); len(fields) > 0 {
			notes = append(notes, htmlNote{What: "fields " + string(reason) + " before validation", Lines: []string{plaintext.List(fields)}})
		}
	}
	return notes
}
