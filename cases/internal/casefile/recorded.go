package casefile

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/recorded"
)

// RecordedLine is the part of a line of JSON that says what was recorded.
type RecordedLine struct {
	ID          string          `json:"id"`
	Object      json.RawMessage `json:"object"`
	OldObject   json.RawMessage `json:"oldObject"`
	Operation   string          `json:"operation"`
	Subresource string          `json:"subresource"`
	// Recorded is nil if nothing is recorded in the line.
	Recorded *recorded.Call `json:"recorded"`

	// Number is the number of the line.
	Number int `json:"-"`
}

// Version returns the version of the object. It is empty if the object does not name one.
func (l *RecordedLine) Version() schema.GroupVersionKind {
	var object struct{ APIVersion, Kind string }
	if json.Unmarshal(l.Object, &object) != nil {
		return schema.GroupVersionKind{}
	}
	return schema.FromAPIVersionAndKind(object.APIVersion, object.Kind)
}

// InputKey returns a hash that is equal for cases with the same objects and operation.
func (l *RecordedLine) InputKey() [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s\n%s", l.Object, l.OldObject, l.Operation, l.Subresource))
}

// RecordedLines returns the lines of the file if it has lines of JSON.
func (f File) RecordedLines() iter.Seq2[RecordedLine, error] {
	lines, is := f.format.(jsonLines)
	if !is {
		return func(func(RecordedLine, error) bool) {}
	}
	return RecordedLines(lines.fsys, lines.name)
}

// RecordedLines returns the lines of a file. It skips lines that cannot be read: each is a fault of
// its case. An error comes last.
func RecordedLines(fsys fs.FS, name string) iter.Seq2[RecordedLine, error] {
	return func(yield func(RecordedLine, error) bool) {
		file, err := fsys.Open(name)
		if err != nil {
			yield(RecordedLine{}, err)
			return
		}
		defer file.Close()
		lines := documents.NewLineReader(file)
		for {
			data, err := lines.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			line := RecordedLine{Number: lines.Number()}
			switch {
			case errors.Is(err, documents.ErrLongLine):
				continue
			case err == nil && json.Unmarshal(data, &line) != nil:
				continue
			}
			if !yield(line, err) || err != nil {
				return
			}
		}
	}
}
