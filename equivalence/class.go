package equivalence

import (
	"fmt"
	"strings"
)

// Class says how two validators disagree about an error. Classes lists all classes.
type Class string

const (
	// TooLoose: native reports an error that the schema does not. It says nothing about
	// the object, which another error of the schema may refuse (harness.Effect).
	TooLoose Class = "too-loose"
	// TooStrict: the schema reports an error that native does not. Another native error
	// may refuse the object all the same.
	TooStrict Class = "too-strict"
	// Path: the same type and text at another field, or errors that nothing else is
	// nearer to, one of them at a field that contains the other's.
	Path Class = "path"
	// Type: another type at the same field.
	Type Class = "type"
	// Detail: the same type at the same field, with another text or with bad
	// values that contradict each other.
	Detail Class = "detail"
	// Count: both report the same error, one of them more often. The schema has no error in the pair
	// where native reports more often what the schema only would report: without ratcheting, or if it
	// had checked its rules.
	Count Class = "count"
	// Default: the hand-written defaults and those of the schema give a field different values. The
	// sides of the pair have these values (NewDefault), not errors.
	Default Class = "default"
	// Result: both sides accept the object, and what would be stored differs: one of them changes,
	// defaults or prunes it in another way. The sides of the pair have the values of a field (NewResult),
	// not errors.
	Result Class = "result"
	// Unstable: a backend gives another answer on a repeat. Only MatchAnswers gives it,
	// and a comparison of a backend with itself.
	Unstable Class = "unstable"
	// Ratcheting: native reports an error that the schema drops because the value did not
	// change (KEP-4008). Without that it reports an equal or equivalent error, so the
	// difference is explained. Only MatchAnswers gives it.
	Ratcheting Class = "ratcheting"
)

// Classes gives every class, in the order in which reports show them.
func Classes() []Class {
	return []Class{TooLoose, TooStrict, Path, Type, Detail, Count, Default, Result, Unstable, Ratcheting}
}

// OfValues says that the sides of a pair have values of a field, not errors. Such a difference has no
// part in whether the object is accepted.
func (c Class) OfValues() bool { return c == Default || c == Result }

// Explained says that what differs in this way needs neither a rule nor an exception.
func (c Class) Explained() bool { return c == Ratcheting }

// ParseClass reads a class as it is written in a file or on the command line.
// The error names the accepted ones.
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
