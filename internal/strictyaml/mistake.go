package strictyaml

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Position is a place in a file. Line and Column count from one; zero means
// that the mistake concerns the file as a whole.
type Position struct {
	File         string
	Line, Column int
}

// String gives "file:line", the form that terminals and editors link.
func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// Mistake is one thing that is wrong in a file.
type Mistake struct {
	Position
	Message string
}

// Error gives "file:line: message".
func (m Mistake) Error() string { return m.Position.String() + ": " + m.Message }

// Mistakes is every mistake of one or more files. It is the error that Decode
// returns; callers that check further add to it, so that a user sees all at once.
type Mistakes []Mistake

// Addf appends a mistake at a position.
func (m *Mistakes) Addf(at Position, format string, args ...any) {
	*m = append(*m, Mistake{Position: at, Message: fmt.Sprintf(format, args...)})
}

// Merge appends the mistakes that err holds; any other error becomes a mistake
// of the whole file. A nil error adds nothing.
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

// Err gives nil when there is no mistake, else the mistakes sorted by position.
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
