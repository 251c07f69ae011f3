package equivalence

import (
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// line is an error in the form in which it is compared.
type line struct {
	err   *field.Error
	field string // canonical
	steps []step
	// detail is the text without what only repeats where the error stands;
	// raw is the text as reported. Both without surrounding white space.
	detail, raw string
	value       badValue
	// unstable says that the validator does not always give the error.
	unstable bool
	// declared is the schema of the declarative side, on both sides; nil: unknown.
	declared Declarations
}

// normalize brings the errors of one side into canonical form and order. This
// is the stage in which a later rule may rewrite fields. A nil entry is kept
// as an error that says nothing: it is a mistake of the validator and must not
// vanish.
func normalize(list field.ErrorList) []line {
	lines := make([]line, len(list))
	for i, err := range list {
		if err == nil {
			err = &field.Error{}
		}
		lines[i] = newLine(err)
	}
	slices.SortStableFunc(lines, compareLines)
	return lines
}

func newLine(err *field.Error) line {
	raw := strings.TrimSpace(err.Detail)
	return line{
		err:    err,
		field:  fieldpath.Canonical(err.Field),
		steps:  fieldpath.Split(err.Field),
		detail: fielderror.Text(err),
		raw:    raw,
		value:  badValue{fielderror.ReadValue(err.BadValue)},
	}
}

// identity is equal for errors of one side that say the very same. It is not
// kept: a bad value may be large, and few errors are compared by it.
func (l line) identity() string {
	return fieldpath.JoinKey(string(l.err.Type), l.field, l.raw, l.value.Identity())
}

// comparePlaces is the part of the canonical order that also holds between the sides.
func comparePlaces(a, b line) int { return fielderror.ComparePlaces(a.err, b.err) }

// compareLines is the canonical order of the errors of one side.
func compareLines(a, b line) int { return fielderror.Compare(a.err, b.err) }

// contradicts says that two errors are about different values for certain: one
// names another value, or one says that a value is missing which the other
// names. Texts are compared as the schema says.
func (l line) contradicts(other line) bool { return l.contradictsAs(other, noAmount) }

// contradictsAs compares texts as amounts where the schema says so or, failing that, a rule.
func (l line) contradictsAs(other line, as amount) bool {
	missing, otherMissing := l.err.Type == field.ErrorTypeRequired, other.err.Type == field.ErrorTypeRequired
	switch {
	case missing && !otherMissing:
		return other.bad().present()
	case otherMissing && !missing:
		return l.bad().present()
	}
	value, another := l.bad(), other.bad()
	if !value.contradicts(another, as) {
		return false
	}
	for _, declared := range []amount{quantityAmount, durationAmount} {
		if !value.contradicts(another, declared) && amountOf(l, other) == declared {
			return false // the schema is asked last: that takes longest
		}
	}
	return true
}

// mute says that an error tells neither where nor what: it could be paired
// with anything, so it is paired with nothing but its like.
func (l line) mute() bool { return l.field == "" && l.raw == "" }

// silent says that an error tells nothing at all, not even a type.
func (l line) silent() bool { return l.mute() && l.err.Type == "" }

// equals is about two errors with the same type, field and text. Mute ones have
// only their values to go by.
func (l line) equals(other line) bool {
	if l.mute() {
		return l.value.Identity() == other.value.Identity()
	}
	return !l.disagrees(other)
}

// disagrees says that no rule may take the two errors for the same, whatever their texts
// are.
func (l line) disagrees(other line) bool { return l.disagreesAs(other, noAmount) }

// disagreesAs is about a rule that says what texts are.
func (l line) disagreesAs(other line, as amount) bool {
	return l.contradictsAs(other, as) || l.otherKeys(other)
}

// texts are the forms of the text that a pattern may match.
func (l line) texts() []string {
	if l.detail == l.raw {
		return []string{l.raw}
	}
	return []string{l.detail, l.raw}
}

// quoteAt shows a line in a message.
func quoteAt(l line) string { return strconv.Quote(l.raw) + " at " + l.err.Field }
