package exceptionfile

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/files/yamllines"
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
	text := editor.text.String()
	if last := editor.text.Lines[len(editor.text.Lines)-1]; last != "" && text != "" {
		text = strings.TrimRight(text, "\r\n") // the file has no line break at its end
	}
	content := []byte(mark + text)
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

// editor changes the lines of a file.
type editor struct {
	file     string
	text     *yamllines.Text
	items    []*yaml.Node // the entries
	mistakes strictyaml.Mistakes
}

func newEditor(file string, data []byte) (*editor, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	editor := &editor{file: file, text: yamllines.New(string(data))}
	if len(document.Content) == 0 {
		return editor, nil
	}
	list := document.Content[0]
	if list.Kind != yaml.SequenceNode || list.Style&yaml.FlowStyle != 0 {
		return nil, strictyaml.Mistakes{
			{Position: strictyaml.Position{File: file, Line: list.Line}, Message: "the list is in brackets, which can only be " +
				"edited by hand; begin each entry with a dash on a line of its own"},
		}
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
	e.mistakes.Addf(strictyaml.Position{File: e.file, Line: line}, "exception %q is written in a form that can only be "+
		"edited by hand (an alias, an anchor or a tag)", id)
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
	if !e.text.Replace(valueOf(item, key), value) {
		e.cannot(item.Line, id)
	}
}

// insertAfter inserts a key after a given one: on a line of its own, or between braces.
func (e *editor) insertAfter(item *yaml.Node, key, text, id string) {
	value := valueOf(item, key)
	switch {
	case !e.text.IsWritten(value):
		e.cannot(item.Line, id)
	case item.Style&yaml.FlowStyle != 0:
		e.text.Append(value, ", "+text)
	default:
		e.text.Insert(value.Line, text, item.Column-1)
	}
}

// remove removes the lines of an entry. Comments before the entry stay, because they may be about the
// entries after it.
func (e *editor) remove(at int) {
	lines := e.text.Lines
	start := e.startOf(at)
	end := len(lines)
	if at+1 < len(e.items) {
		end = e.startOf(at + 1)
	}
	dash := indentOf(lines[start])
	for end > start+1 && ofNoEntry(lines[end-1], dash) {
		end--
	}
	if start > 0 && strictyaml.IsBlank(lines[start-1]) && end < len(lines) && strictyaml.IsBlank(lines[end]) {
		end++ // otherwise two empty lines remain
	}
	e.text.Delete(start, end)
}

// startOf returns the line with the dash of an entry.
func (e *editor) startOf(at int) int {
	line := e.items[at].Line - 1
	for line > 0 && !strings.HasPrefix(strings.TrimLeft(e.text.Lines[line], " "), "-") {
		line--
	}
	return line
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// ofNoEntry reports whether a line is empty, ends the document, or is a comment indented no further than
// the dashes.
func ofNoEntry(line string, dash int) bool {
	return strictyaml.IsBlank(line) || strictyaml.IsComment(line) && indentOf(line) <= dash || strings.HasPrefix(line, "...") ||
		strings.HasPrefix(line, "---")
}
