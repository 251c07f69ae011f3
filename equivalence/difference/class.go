package difference

import (
	"fmt"
	"strings"
)

// Class is the way in which two validators disagree about an error. Classes lists all classes.
type Class string

const (
	// TooLoose: native reports an error that the schema does not. The schema may still refuse the object
	// with a different error (words.Effect of package harness/words).
	TooLoose Class = "too-loose"
	// TooStrict: the schema reports an error that native does not. Native may still refuse the object
	// with a different error.
	TooStrict Class = "too-strict"
	// Path: the same type and text at different fields, or two errors without a closer match, where one
	// field contains the other.
	Path Class = "path"
	// Type: different types at the same field.
	Type Class = "type"
	// Detail: the same type at the same field, with different texts or contradicting bad values.
	Detail Class = "detail"
	// Count: both report the same error, but not equally often. The schema error is missing if the schema
	// would report it only without ratcheting, or only if it had checked its rules.
	Count Class = "count"
	// Default: the hand-written defaults and those of the schema set a field to different values. The
	// sides of the pair are these values (NewDefault), not errors.
	Default Class = "default"
	// Result: both sides accept the object, but would store different objects: they change, default or
	// prune it differently. The sides of the pair are the values of a field (NewResult), not errors.
	Result Class = "result"
	// Unstable: a backend answers differently when asked again. Only Matcher.MatchAnswers and the comparison of a
	// backend with itself return it.
	Unstable Class = "unstable"
	// Ratcheting: native reports an error that the schema drops because the value did not change
	// (KEP-4008). Without ratcheting it reports an equal or equivalent error, so the difference is
	// explained. Only Matcher.MatchAnswers returns it.
	Ratcheting Class = "ratcheting"
)

// Classes returns every class, in the order of reports.
func Classes() []Class {
	return []Class{TooLoose, TooStrict, Path, Type, Detail, Count, Default, Result, Unstable, Ratcheting}
}

// OfValues reports whether the sides of a pair are values of a field, not errors. Such a difference does
// not affect whether the object is accepted.
func (c Class) OfValues() bool { return c == Default || c == Result }

// Explained reports whether a difference of this class needs neither a rule nor an exception.
func (c Class) Explained() bool { return c == Ratcheting }

// ParseClass returns the class that a file or the command line names. The error lists the accepted
// classes.
func ParseClass(text string) (Class, error) {
	names := make([]string, 0, len(Classes()))
	for _, class := range Classes() {
		if string(class) == text {
			return class, nil
		}
		names = append(names, string(class))
	}
	return "", fmt.Errorf("unknown class %q; accepted: %s", text, strings.Join(names, ", "))
}
