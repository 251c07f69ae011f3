package equivalence

import "k8s.io/apimachinery/pkg/util/validation/field"

// Pair is one line of a comparison: an error of each side, or of one side
// only. The errors are the ones that were handed to Match, untouched.
type Pair struct {
	// Native and Declarative are nil where a side has no such error; one of
	// them is always set.
	Native, Declarative *field.Error
	// Class says how the two differ. It is empty when they agree, exactly or
	// by a rule; an exception leaves it as it is.
	Class Class
	// Rule makes the two equivalent, or is nil.
	Rule *Rule
	// Exception accepts the difference, or is nil.
	Exception *Exception
}

// Agrees says that both sides report the same error, in the same words or by
// a rule.
func (p Pair) Agrees() bool { return p.Class == "" }

// Exact says that both sides report the same error in the same words.
func (p Pair) Exact() bool { return p.Class == "" && p.Rule == nil }

// Explained says that the line needs nobody's attention: it is exact, or a
// rule or an exception explains it.
func (p Pair) Explained() bool { return p.Agrees() || p.Exception != nil }

// Field is the field at which reports show the line: the native one, or the
// declarative one where there is no native error.
func (p Pair) Field() string {
	if p.Native != nil {
		return p.Native.Field
	}
	return p.Declarative.Field
}
