package plaintext

import (
	"fmt"
	"io"
	"strings"
)

// AnnotationLevel is the severity of an annotation.
type AnnotationLevel string

// The levels of GitHub's runner.
const (
	ErrorLevel   AnnotationLevel = "error"
	WarningLevel AnnotationLevel = "warning"
	NoticeLevel  AnnotationLevel = "notice"
)

// annotationLevels lists all levels. A Writer for annotations allows only these commands, because they only
// show a text.
func annotationLevels() []AnnotationLevel {
	return []AnnotationLevel{ErrorLevel, WarningLevel, NoticeLevel}
}

// Annotation is a command of GitHub's runner that shows a text beside a line of a file
// (actions/runner, ActionCommand.cs).
type Annotation struct {
	Level AnnotationLevel
	// File and Line are the position. Line 0 means the whole file. The file is optional.
	File  string
	Line  int
	Title string
	// Lines are the text.
	Lines []string
}

// String returns the command on one line. Texts are made printable, cut, and escaped as the runner
// requires, so they cannot add parts to the command.
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

// begin returns the beginning of a command of the level.
func (l AnnotationLevel) begin() string { return lineCommand + string(l) + " " }

// commandData escapes a text for the runner. It has no line breaks.
func commandData(text string) string { return strings.ReplaceAll(Cut(text, MaxLine), "%", "%25") }

// NewAnnotationWriter returns a Writer that allows annotations, and no other commands.
func NewAnnotationWriter(out io.Writer) *Writer {
	w := NewWriter(out)
	w.AllowAnnotations()
	return w
}

// AllowAnnotations allows annotations, and no other commands.
func (w *Writer) AllowAnnotations() {
	for _, level := range annotationLevels() {
		w.commands = append(w.commands, []byte(level.begin()))
	}
}
