package equivalence

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Pair is one line of a comparison: an error of each side, or of one side
// only. The errors are the ones that were handed to Match, untouched.
type Pair struct {
	// Native and Declarative are nil where a side has no such error; one of
	// them is always set.
	Native, Declarative *field.Error
	// NativeCount and DeclarativeCount say how often each side reports its error:
	// reports that say the very same are one line. Where an error is there, zero
	// is once.
	NativeCount, DeclarativeCount int
	// NativeCovered says how many of the native ones are marked CoveredByDeclarative.
	NativeCovered int
	// Class says how the two differ. It is empty when they agree, exactly or
	// by a rule; an exception leaves it as it is.
	Class Class
	// Rule makes the two equivalent, or is nil. Of class Count it is what makes
	// them agree in all but their number.
	Rule *Rule
	// Repeats is the rule because of which one side may report the error more
	// often than the other, or is nil.
	Repeats *Rule
	// Exception accepts the difference, or is nil.
	Exception *Exception
}

// Agrees says that both sides report the same error, in the same words or by
// a rule.
func (p Pair) Agrees() bool { return p.Class == "" }

// Exact says that both sides report the same error in the same words.
func (p Pair) Exact() bool { return p.Class == "" && p.Rule == nil && p.Repeats == nil }

// Counts gives how often each side reports its error; zero is not at all.
func (p Pair) Counts() (native, declarative int) {
	if p.Native != nil {
		native = max(1, p.NativeCount)
	}
	if p.Declarative != nil {
		declarative = max(1, p.DeclarativeCount)
	}
	return native, declarative
}

// Frequency puts into words how often each side reports its error, as in "native
// twice, declarative once"; it is empty where none does more than once.
func (p Pair) Frequency() string {
	natives, declaratives := p.Counts()
	if max(natives, declaratives) < 2 {
		return ""
	}
	var sides []string
	if natives > 0 {
		sides = append(sides, "native "+times(natives))
	}
	if declaratives > 0 {
		sides = append(sides, "declarative "+times(declaratives))
	}
	return strings.Join(sides, ", ")
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return strconv.Itoa(n) + " times"
}

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
