package userfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Position is a place in a file. Line and Column count from one; zero stands for
// the file as a whole.
type Position struct {
	File         string
	Line, Column int
}

// String gives "file:line", which terminals and editors turn into a link.
func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// Mistake is one thing that is wrong in a file.
type Mistake struct {
	Position
	// Message says what is wrong and what is accepted, without the position.
	Message string
}

// Error gives "file:line: message" on one line. What is not printable is escaped: both
// quote what stands in files.
func (m Mistake) Error() string { return plaintext.Escape(m.Position.String() + ": " + m.Message) }

// Mistakes is the error for one or more files: all mistakes that were found in them.
// A caller that checks more can add to it, so that a user sees all of them at once.
type Mistakes []Mistake

// Addf appends a mistake at a position.
func (m *Mistakes) Addf(at Position, format string, args ...any) {
	*m = append(*m, Mistake{Position: at, Message: fmt.Sprintf(format, args...)})
}

// Merge appends err: the mistakes in it, or, if it is another error, one mistake of the
// whole file. A nil error adds nothing.
func (m *Mistakes) Merge(file string, err error) {
	switch err := err.(type) {
	case nil:
	case Mistakes:
		*m = append(*m, err...)
	case Mistake:
		*m = append(*m, err)
	default:
		m.Addf(Position{File: file}, "%v", err)
	}
}

// Err gives nil if there is no mistake, and otherwise the mistakes sorted by position,
// each of them once.
func (m Mistakes) Err() error {
	if len(m) == 0 {
		return nil
	}
	sorted := slices.Clone(m)
	slices.SortStableFunc(sorted, func(a, b Mistake) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), strings.Compare(a.Message, b.Message))
	})
	return slices.Compact(sorted)
}

// Error gives one line for each mistake.
func (m Mistakes) Error() string {
	lines := make([]string, len(m))
	for i, mistake := range m {
		lines[i] = mistake.Error()
	}
	return strings.Join(lines, "\n")
}
