package equivalence

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence/difference"
)

// Pair is one line of a comparison: one error of each side, or of one side only. The errors are the
// pointers that were passed to Match.
type Pair struct {
	// Native and Declarative are the errors. One of them is nil if that side has no such
	// error.
	Native, Declarative *field.Error
	// NativeCount and DeclarativeCount say how often each side reports its error, because
	// identical errors of a side share a pair. If there is an error, zero means once.
	NativeCount, DeclarativeCount int
	// NativeCovered counts the native errors that are marked CoveredByDeclarative.
	NativeCovered int
	// Class is how the two differ. It is empty if they agree, exactly or by a rule. An exception does not
	// change it.
	Class difference.Class
	// Rule is the rule that makes the two agree, or nil. With class Count, they agree except for their
	// number. With class Ratcheting, the native error agrees with the one that the schema drops.
	Rule *Rule
	// Repeats is the rule that lets one side report the error more often than the other,
	// or nil.
	Repeats *Rule
	// Exception is the exception that accepts the difference, or nil.
	Exception *Exception
	// Dropped is the error most like the native one that the schema drops because an update did not change
	// the value, or nil. Only pairs of class TooLoose have one.
	Dropped *difference.Dropped
	// Declared lists the sources of the declarative error in the schema. Match leaves it empty.
	Declared []difference.Declared
}

// Agrees reports whether both sides report the same error, exactly or by a rule.
func (p Pair) Agrees() bool { return p.Class == "" }

// Exact reports whether both sides report the same error and need no rule.
func (p Pair) Exact() bool { return p.Class == "" && p.Rule == nil && p.Repeats == nil }

// Counts returns how often each side reports its error; zero means not at all.
func (p Pair) Counts() (native, declarative int) {
	if p.Native != nil {
		native = max(1, p.NativeCount)
	}
	if p.Declarative != nil {
		declarative = max(1, p.DeclarativeCount)
	}
	return native, declarative
}

// Frequency returns how often each side reports its error in words, such as "native twice, declarative
// once". It is empty if no side reports it more than once.
func (p Pair) Frequency() string { return p.FrequencyOf("native", "declarative") }

// FrequencyOf is Frequency with the names of both sides.
func (p Pair) FrequencyOf(native, declarative string) string {
	natives, declaratives := p.Counts()
	if p.Class == difference.Count && declaratives == 0 {
		return native + " " + times(natives) + " more"
	}
	if max(natives, declaratives) < 2 {
		return ""
	}
	var sides []string
	if natives > 0 {
		sides = append(sides, native+" "+times(natives))
	}
	if declaratives > 0 {
		sides = append(sides, declarative+" "+times(declaratives))
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

// withDropped returns the pair as it would be if the schema did not drop the error.
func (p Pair) withDropped() (pair Pair, ok bool) {
	if p.Dropped == nil {
		return Pair{}, false
	}
	p.Declarative, p.DeclarativeCount, p.Class, p.Dropped = p.Dropped.Error, p.Dropped.Count, p.Dropped.Class, nil
	return p, true
}

// Unchecked reports whether the schema did not check the rules that would report the native error.
func (p Pair) Unchecked() bool { return p.Rule != nil && p.Rule.Kind == kindUnchecked }

// VerdictOnly reports whether the native side gives no reason, so that only the verdicts agree.
func (p Pair) VerdictOnly() bool { return p.Rule != nil && p.Rule.Kind == kindVerdict }

// Explained reports whether the pair needs no attention: it is exact, or a rule, an exception or
// ratcheting explains it.
func (p Pair) Explained() bool { return p.Agrees() || p.Exception != nil || p.Class.Explained() }

// Field returns the field at which reports show the pair: that of the native error or, without one, of
// the declarative one.
func (p Pair) Field() string {
	if p.Native != nil {
		return p.Native.Field
	}
	return p.Declarative.Field
}
