package plaintext

import (
	"fmt"
	"io"
	"strings"
)

// AnnotationLevel is how serious an annotation is.
type AnnotationLevel string

// The levels that GitHub's runner knows.
const (
	ErrorLevel   AnnotationLevel = "error"
	WarningLevel AnnotationLevel = "warning"
	NoticeLevel  AnnotationLevel = "notice"
)

// annotationLevels lists all levels. A Writer for annotations lets no other command pass:
// these show a text, and do nothing else.
func annotationLevels() []AnnotationLevel {
	return []AnnotationLevel{ErrorLevel, WarningLevel, NoticeLevel}
}

// Annotation is a command of GitHub's runner that shows a text beside a line of a file
// (actions/runner, ActionCommand.cs).
type Annotation struct {
	Level AnnotationLevel
	// File and Line say where; Line 0 is the file as a whole, no File nowhere.
	File  string
	Line  int
	Title string
	// Lines are the text.
	Lines []string
}

// String gives the command on one line. Texts cannot get out of their places: they are
// made printable and cut, and what separates the parts is escaped, as the runner undoes.
func (a Annotation) String() string {
	var properties []string
	add := func(name, text string) {
		properties = append(properties, name+"="+strings.NewReplacer(":", "%3A", ",", "%2C").Replace(commandData(text)))
	}
	if a.File != "" {
		add("file", a.File)
		if a.Line > 0 {
			add("line", fmt.Sprint(a.Line))
		}
	}
	if a.Title != "" {
		add("title", a.Title)
	}
	lines := make([]string, len(a.Lines))
	for i, line := range a.Lines {
		lines[i] = commandData(line)
	}
	return a.Level.begin() + strings.Join(properties, ",") + lineCommand + strings.Join(lines, "%0A")
}

// begin is how a command of the level begins.
func (l AnnotationLevel) begin() string { return lineCommand + string(l) + " " }

// commandData gives a text as the runner reads it. There are no line breaks in it.
func commandData(text string) string { return strings.ReplaceAll(Cut(text, MaxLine), "%", "%25") }

// NewAnnotationWriter makes a Writer that lets annotations pass, and no other commands.
func NewAnnotationWriter(out io.Writer) *Writer {
	w := NewWriter(out)
	for _, level := range annotationLevels() {
		w.commands = append(w.commands, []byte(level.begin()))
	}
	return w
}
