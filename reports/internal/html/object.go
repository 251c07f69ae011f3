package html

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// A page with thousands of objects would load slowly, so these limit the objects on the page.
const (
	// objectsPerCause is the number of objects for each cause, rule or exception.
	objectsPerCause = 20
	// maxObjects limits the bytes of all objects together.
	maxObjects = 16 << 20
	// maxObject limits the bytes of the JSON of one object.
	maxObject = 1 << 20
	// wholeObject is the number of lines up to which an object is shown completely. Of longer
	// objects the page shows the beginning and the lines around the fields with errors.
	wholeObject  = 250
	objectHead   = 12
	aroundField  = 12
	markedFields = 25
)

// shownObjects decides which objects the page holds.
type shownObjects struct {
	shown map[string]int // by what their results have in common
	bytes int
}

// shownCase has the objects of a case, or the reason why they are not shown.
type shownCase struct {
	object, old objectLines
	why         string
}

// of returns the objects of a case, unless there are enough examples for all its reasons.
func (o *shownObjects) of(c *harness.Case, reasons []string) shownCase {
	switch {
	case len(reasons) == 0:
		return shownCase{}
	case c.Object == nil:
		return shownCase{why: "the page was made of a recorded run, which holds no objects"}
	case o.bytes > maxObjects:
		return shownCase{why: "the page is full; it holds the objects of the first cases"}
	case !slices.ContainsFunc(reasons, func(reason string) bool { return o.shown[reason] < objectsPerCause }):
		return shownCase{why: fmt.Sprintf("the page holds the objects of %d cases like this one", objectsPerCause)}
	}
	object, ok := newObjectLines(c.Object)
	if !ok {
		return shownCase{why: "it is too large, or a Go value that JSON cannot hold"}
	}
	shown := shownCase{object: object}
	if c.Old != nil {
		shown.old, _ = newObjectLines(c.Old)
	}
	if o.shown == nil {
		o.shown = map[string]int{}
	}
	for _, reason := range reasons {
		o.shown[reason]++
	}
	for _, line := range slices.Concat(shown.object.lines, shown.old.lines) {
		o.bytes += len(line)
	}
	return shown
}

// reasonsToShow returns the reasons to show the object of a case.
func reasonsToShow(results []harness.Result, causes []*causesOfResult) []string {
	var reasons []string
	for i, r := range results {
		if r.Fault != nil && r.Case.Object == nil {
			continue // it could not be read
		}
		for _, number := range causes[i].numbers {
			reasons = append(reasons, fmt.Sprintf("cause %d", number))
		}
		for _, pair := range r.Pairs {
			switch {
			case pair.Exception != nil:
				reasons = append(reasons, "exception "+pair.Exception.ID)
			case pair.Rule != nil && pair.Agrees():
				reasons = append(reasons, "rule "+pair.Rule.Name)
			}
		}
	}
	slices.Sort(reasons)
	return slices.Compact(reasons)
}

// objectLines is an object as YAML. The zero value is no object.
type objectLines struct {
	lines []string
	find  func(field string) int // the line of a field, counted from one
}

// newObjectLines converts an object. It returns false if the object cannot be shown.
func newObjectLines(object any) (objectLines, bool) {
	encoded := plaintext.BadValue(object) // which survives every Go value
	if len(encoded) > maxObject || len(encoded) == 0 || encoded[0] != '{' {
		return objectLines{}, false
	}
	text, err := plaintext.YAML(json.RawMessage(encoded))
	if err != nil {
		return objectLines{}, false
	}
	shown := objectLines{find: func(string) int { return 0 }}
	for document := range documents.YAML("", text) {
		if document.Line == 1 && document.Err == nil {
			shown.find = document.LineOf
		}
	}
	for _, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		shown.lines = append(shown.lines, plaintext.Cut(line, plaintext.MaxLine))
	}
	return shown, true
}

// linesOf returns the lines that the errors of a pair concern.
func (o objectLines) linesOf(pair equivalence.Pair) []int {
	if o.find == nil {
		return nil
	}
	var lines []int
	if pair.Native != nil && pair.Native.Field != "" {
		lines = append(lines, o.find(pair.Native.Field))
	}
	if pair.Declarative != nil && pair.Declarative.Field != "" {
		lines = append(lines, o.find(pair.Declarative.Field))
	}
	slices.Sort(lines)
	return slices.DeleteFunc(slices.Compact(lines), func(line int) bool { return line == 0 })
}

// chunk is a block of consecutive lines of an object, and the number of the first.
type chunk struct {
	At    int      `json:"at"`
	Lines []string `json:"lines"`
}

// excerpt returns the lines to show.
func (o objectLines) excerpt(marked []int) []chunk {
	if len(o.lines) <= wholeObject {
		if len(o.lines) == 0 {
			return nil
		}
		return []chunk{{1, o.lines}}
	}
	chunks := []chunk{{1, o.lines[:objectHead]}}
	for _, line := range marked[:min(len(marked), markedFields)] {
		last := &chunks[len(chunks)-1]
		end := min(line+aroundField, len(o.lines))
		switch after := last.At + len(last.Lines); {
		case end < after:
		case line-aroundField <= after:
			last.Lines = o.lines[last.At-1 : end]
		default:
			chunks = append(chunks, chunk{line - aroundField, o.lines[line-aroundField-1 : end]})
		}
	}
	if last := chunks[len(chunks)-1]; last.At+len(last.Lines) <= len(o.lines) {
		chunks = append(chunks, chunk{len(o.lines) + 1, []string{}}) // the lines left out before it
	}
	return chunks
}

// marked returns the marked lines of all results of a case, in order.
func marked(results []resultData) []int {
	var lines []int
	for _, r := range results {
		for _, pair := range r.Pairs {
			lines = append(lines, pair.Lines...)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}
