// Package yamllines changes single lines of YAML files. All other bytes stay, comments included.
package yamllines

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// Text is a file and the changes to its lines. Lines are numbered from 0, and all numbers are those of the unchanged file.
type Text struct {
	// Lines have their line breaks. The last one may have none, and may be empty.
	Lines    []string
	inLine   []change
	inserted map[int][]string // by the line that follows
	deleted  map[int]bool
}

// change replaces runes of a line from a column on.
type change struct {
	line, column, runes int
	text                string
}

// New returns a file without changes.
func New(data string) *Text {
	return &Text{Lines: strictyaml.SplitLines(data), inserted: map[int][]string{}, deleted: map[int]bool{}}
}

// Replace replaces a scalar, inside its quotes. It returns false if the scalar is not written as its value in one line.
func (t *Text) Replace(scalar *yaml.Node, value string) bool {
	at, ok := t.written(scalar)
	if ok {
		at.text = value
		t.inLine = append(t.inLine, at)
	}
	return ok
}

// Append adds a text behind a scalar, in its line. It returns false in the cases of Replace.
func (t *Text) Append(scalar *yaml.Node, text string) bool {
	at, ok := t.written(scalar)
	if ok {
		if isQuoted(scalar) {
			at.runes++
		}
		t.inLine = append(t.inLine, change{line: at.line, column: at.column + at.runes, text: text})
	}
	return ok
}

// IsWritten reports whether a scalar is written as its value in one line.
func (t *Text) IsWritten(scalar *yaml.Node) bool {
	_, ok := t.written(scalar)
	return ok
}

// written returns where a scalar is in its line, without its quotes.
func (t *Text) written(scalar *yaml.Node) (at change, ok bool) {
	if scalar == nil || scalar.Kind != yaml.ScalarNode || scalar.Line > len(t.Lines) {
		return at, false
	}
	at = change{line: scalar.Line - 1, column: scalar.Column - 1, runes: len([]rune(scalar.Value))}
	if isQuoted(scalar) {
		at.column++
	}
	line, end := []rune(t.Lines[at.line]), at.column+at.runes
	return at, end <= len(line) && string(line[at.column:end]) == scalar.Value
}

func isQuoted(scalar *yaml.Node) bool {
	return scalar.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0
}

// Insert inserts the lines of a text before a line, or at the end, with an indentation and the line ending of the file.
func (t *Text) Insert(line int, text string, indent int) {
	var written strings.Builder
	for each := range strings.Lines(text) {
		each = strings.TrimSuffix(each, "\n")
		if each != "" {
			written.WriteString(strings.Repeat(" ", indent))
		}
		written.WriteString(each + t.lineEnd())
	}
	t.inserted[line] = append(t.inserted[line], written.String())
}

// lineEnd returns the line ending of the file: that of its first line.
func (t *Text) lineEnd() string {
	if end := strictyaml.LineEnd(t.Lines[0]); end == "\r\n" || end == "\r" {
		return end
	}
	return "\n"
}

// Delete deletes lines up to one that stays.
func (t *Text) Delete(from, until int) {
	for line := from; line < until; line++ {
		t.deleted[line] = true
	}
}

// String returns the file with all changes.
func (t *Text) String() string {
	slices.SortStableFunc(t.inLine, func(a, b change) int { // so that columns stay valid
		return -cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column))
	})
	lines := slices.Clone(t.Lines)
	for _, change := range t.inLine {
		line := []rune(lines[change.line])
		lines[change.line] = string(line[:change.column]) + change.text + string(line[change.column+change.runes:])
	}
	last := len(lines) - 1
	if lines[last] != "" && len(t.inserted[len(lines)]) > 0 {
		lines[last] += t.lineEnd()
	}
	var out strings.Builder
	for n := range len(lines) + 1 {
		out.WriteString(strings.Join(t.inserted[n], ""))
		if n < len(lines) && !t.deleted[n] {
			out.WriteString(lines[n])
		}
	}
	return out.String()
}
