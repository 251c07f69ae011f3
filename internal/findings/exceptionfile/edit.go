package exceptionfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// Edit changes one exception of a file.
type Edit struct {
	ID string
	// Remove removes the exception from the file. The other fields are then ignored.
	Remove bool
	// Expires is the new last day, such as 2027-06-30; empty means no change.
	Expires string
	// MaxHits is the new limit; 0 means no change.
	MaxHits int
}

// Apply changes exceptions of a file in place and returns the new content. All other bytes stay, comments
// included. The error names exceptions that the file does not have, or is a userfile.Mistakes if the file
// cannot be read, or has an entry in a form that only a person can edit.
func Apply(file string, data []byte, edits []Edit, now time.Time) ([]byte, error) {
	known, err := equivalence.LoadExceptions(file, data, now)
	if err != nil {
		return nil, err
	}
	mark, data := strictyaml.CutMark(data)
	editor, err := newEditor(file, data)
	if err != nil {
		return nil, err
	}
	for _, edit := range edits {
		if !slices.ContainsFunc(known.All(), func(e *equivalence.Exception) bool { return e.ID == edit.ID }) {
			return nil, fmt.Errorf("%s has no exception %q", file, edit.ID)
		}
		editor.edit(edit)
	}
	if err := editor.mistakes.Err(); err != nil {
		return nil, err
	}
	content := []byte(mark + strings.Join(editor.apply(), ""))
	edited, err := equivalence.LoadExceptions(file, content, now)
	if err != nil {
		return nil, err
	}
	if !slices.EqualFunc(afterEdits(known.All(), edits), edited.All(), (*equivalence.Exception).SameAs) {
		return nil, fmt.Errorf("%s is written in a form that cannot be edited safely; change it by hand", file)
	}
	return content, nil
}

// afterEdits returns the exceptions as they must be after the edits.
func afterEdits(known []*equivalence.Exception, edits []Edit) []*equivalence.Exception {
	var after []*equivalence.Exception
	for _, exception := range known {
		changed, removed := *exception, false
		for _, edit := range edits {
			if edit.ID != exception.ID {
				continue
			}
			removed = removed || edit.Remove
			if edit.MaxHits > 0 {
				changed.MaxHits = edit.MaxHits
			}
			if day, err := time.Parse(time.DateOnly, edit.Expires); err == nil {
				changed.Expires = day
			}
		}
		if !removed {
			after = append(after, &changed)
		}
	}
	return after
}

// editor collects changes to the lines of a file.
type editor struct {
	file     string
	lines    []string
	items    []*yaml.Node // the entries
	changes  []lineChange
	mistakes strictyaml.Mistakes
}

// lineChange replaces runes of a line from a column on or, if until is set, whole lines.
type lineChange struct {
	line, column, runes int
	text                string
	until               int // with whole lines: the first line that stays
}

func newEditor(file string, data []byte) (*editor, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	editor := &editor{file: file, lines: strictyaml.SplitLines(string(data))}
	if len(document.Content) == 0 {
		return editor, nil
	}
	list := document.Content[0]
	if list.Kind != yaml.SequenceNode || list.Style&yaml.FlowStyle != 0 {
		return nil, strictyaml.Mistakes{{Position: strictyaml.Position{File: file, Line: list.Line}, Message: "the list is in brackets, which can only be edited by hand; begin each entry with a dash on a line of its own"}}
	}
	editor.items = list.Content
	return editor, nil
}

// edit finds the entry of an edit and records the changes to its lines.
func (e *editor) edit(edit Edit) {
	at := slices.IndexFunc(e.items, func(item *yaml.Node) bool {
		id := valueOf(item, "id")
		return id != nil && id.Value == edit.ID
	})
	if at < 0 {
		e.cannot(0, edit.ID)
		return
	}
	item := e.items[at]
	if edit.Remove {
		e.remove(at)
		return
	}
	if edit.Expires != "" {
		e.replace(item, "expires", edit.Expires, edit.ID)
	}
	if edit.MaxHits == 0 {
		return
	}
	if valueOf(item, "maxHits") != nil {
		e.replace(item, "maxHits", fmt.Sprint(edit.MaxHits), edit.ID)
		return
	}
	e.insertAfter(item, "expires", fmt.Sprintf("maxHits: %d", edit.MaxHits), edit.ID)
}

func (e *editor) cannot(line int, id string) {
	e.mistakes.Addf(strictyaml.Position{File: e.file, Line: line}, "exception %q is written in a form that can only be edited by hand (an alias, an anchor or a tag)", id)
}

// valueOf returns the value of a key of the mapping itself.
func valueOf(item *yaml.Node, key string) *yaml.Node {
	if item.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(item.Content); i += 2 {
		if item.Content[i].Value == key {
			return item.Content[i+1]
		}
	}
	return nil
}

// replace replaces the value of a key, inside its quotes.
func (e *editor) replace(item *yaml.Node, key, value, id string) {
	if column, runes, ok := e.written(valueOf(item, key)); ok {
		e.changes = append(e.changes, lineChange{line: valueOf(item, key).Line - 1, column: column, runes: runes, text: value})
		return
	}
	e.cannot(item.Line, id)
}

// insertAfter inserts a key after a given one: on a line of its own, or between braces.
func (e *editor) insertAfter(item *yaml.Node, key, text, id string) {
	value := valueOf(item, key)
	column, runes, ok := e.written(value)
	if !ok {
		e.cannot(item.Line, id)
		return
	}
	if item.Style&yaml.FlowStyle != 0 {
		if value.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
			runes++ // the quote
		}
		e.changes = append(e.changes, lineChange{line: value.Line - 1, column: column + runes, text: ", " + text})
		return
	}
	end := endOfLines(e.lines)
	indent := strings.Repeat(" ", item.Column-1)
	e.changes = append(e.changes, lineChange{line: value.Line, until: value.Line, text: indent + text + end})
}

// written returns where a scalar is in its line, without its quotes.
func (e *editor) written(value *yaml.Node) (column, runes int, ok bool) {
	if value == nil || value.Kind != yaml.ScalarNode || value.Line > len(e.lines) {
		return 0, 0, false
	}
	line, column := []rune(e.lines[value.Line-1]), value.Column-1
	if value.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		column++
	}
	runes = len([]rune(value.Value))
	return column, runes, column+runes <= len(line) && string(line[column:column+runes]) == value.Value
}

// remove removes the lines of an entry. Comments before the entry stay, because they may be about the
// entries after it.
func (e *editor) remove(at int) {
	start := e.startOf(at)
	end := len(e.lines)
	if at+1 < len(e.items) {
		end = e.startOf(at + 1)
	}
	dash := indentOf(e.lines[start])
	for end > start+1 && ofNoEntry(e.lines[end-1], dash) {
		end--
	}
	if start > 0 && strictyaml.IsBlank(e.lines[start-1]) && end < len(e.lines) && strictyaml.IsBlank(e.lines[end]) {
		end++ // otherwise two empty lines remain
	}
	e.changes = append(e.changes, lineChange{line: start, until: end})
}

// startOf returns the line with the dash of an entry.
func (e *editor) startOf(at int) int {
	line := e.items[at].Line - 1
	for line > 0 && !strings.HasPrefix(strings.TrimLeft(e.lines[line], " "), "-") {
		line--
	}
	return line
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// ofNoEntry reports whether a line is empty, ends the document, or is a comment indented no further than
// the dashes.
func ofNoEntry(line string, dash int) bool {
	return strictyaml.IsBlank(line) || strictyaml.IsComment(line) && indentOf(line) <= dash || strings.HasPrefix(line, "...") || strings.HasPrefix(line, "---")
}

// apply returns the lines with all changes. It starts at the end, so that places stay valid.
func (e *editor) apply() []string {
	lines := slices.Clone(e.lines)
	slices.SortStableFunc(e.changes, func(a, b lineChange) int {
		return -cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column))
	})
	for _, change := range e.changes {
		if change.until > 0 || change.line == len(lines) {
			lines = replaceLines(lines, change, endOfLines(e.lines))
			continue
		}
		line := []rune(lines[change.line])
		lines[change.line] = string(line[:change.column]) + change.text + string(line[change.column+change.runes:])
	}
	return lines
}

// replaceLines replaces whole lines, possibly none, with a text.
func replaceLines(lines []string, change lineChange, end string) []string {
	if change.text == "" {
		return slices.Delete(lines, change.line, change.until)
	}
	if change.line > 0 && strictyaml.LineEnd(lines[change.line-1]) == "" {
		lines[change.line-1] += end // the last line has no line end
		change.text = strings.TrimRight(change.text, "\r\n")
	}
	return slices.Insert(lines, change.line, change.text)
}
