package read

import (
	"go/token"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// Site is a place that makes an error, on one path of calls.
type Site struct {
	// Pos is the place of the call that makes the error; Calls are those of the calls that lead there, outermost first.
	// Files are named by the import paths of their packages.
	Pos   token.Position
	Calls []token.Position
	// Condition is true for objects for which the error is made, over the variables self and oldSelf. Errors that are
	// returned earlier and hide this one are not part of it. It is nil if nothing of it is known.
	Condition celexpr.Expr
	// Rule is the opposite of Condition: a rule that holds for objects without the error. Nil: something is unread.
	Rule celexpr.Expr
	// Field is the path of the error with [*] for items, as far as it is known.
	Field string
	// Type is the name of the constructor, such as Invalid, or Error.
	Type string
	// Text is the detail of the error, with … for parts that only the object has.
	Text string
	// Unread are the parts of the condition that could not be read.
	Unread []Unread
	// Settings are the feature gates on which the condition depends.
	Settings []Setting
	// ofLibrary: the error is made where nothing is read.
	ofLibrary bool
	// first is the site of the same error before a caller completed its field.
	first *Site
}

// origin returns the site of an error before callers completed its field.
func (s *Site) origin() *Site {
	if s.first != nil {
		return s.first
	}
	return s
}

// Unread is a part of the source that could not be read.
type Unread struct {
	Pos token.Position
	Why string
}
