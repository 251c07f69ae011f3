package userfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Position is a place in a file. Line and Column count from one; zero means the whole file.
type Position struct {
	File         string
	Line, Column int
}

// String returns "file:line", which terminals and editors turn into a link.
func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// Mistake is a mistake in a file.
type Mistake struct {
	Position
	// Message says what is wrong and what is accepted, without the position.
	Message string
}

// Error returns "file:line: message" on one line. Characters that are not printable are escaped, because both
// parts quote files.
func (m Mistake) Error() string { return plaintext.Escape(m.Position.String() + ": " + m.Message) }

// Mistakes is the error for one or more files with all their mistakes. Callers can add further mistakes, so
// that users see all of them at once.
type Mistakes []Mistake

// Addf appends a mistake at a position.
func (m *Mistakes) Addf(at Position, format string, args ...any) {
	*m = append(*m, Mistake{Position: at, Message: fmt.Sprintf(format, args...)})
}

// Merge appends the mistakes in err. An error of another type becomes a mistake of the whole file, and nil adds
// nothing.
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

// Err returns the mistakes sorted by position, each once, or nil if there are none.
func (m Mistakes) Err() error {
	if len(m) == 0 {
		return nil
	}
	sorted := slices.Clone(m)
	slices.SortStableFunc(sorted, func(a, b Mistake) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			strings.Compare(a.Message, b.Message))
	})
	return slices.Compact(sorted)
}

// Error returns a line for each mistake.
func (m Mistakes) Error() string {
	lines := make([]string, len(m))
	for i, mistake := range m {
		lines[i] = mistake.Error()
	}
	return strings.Join(lines, "\n")
}
