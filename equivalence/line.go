package equivalence

import (
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// line is an error, prepared for comparison.
type line struct {
	err   *field.Error
	field string // canonical
	steps []step
	// detail is the text without a prefix that repeats the field; raw is the text as reported. Both have
	// no surrounding white space.
	detail, raw string
	value       badValue
	// unstable is true if the validator does not always report the error.
	unstable bool
	// declared is the schema of the declarative side, on both sides; nil: unknown.
	declared difference.Declarations
}

// normalize returns the errors of one side in canonical form and order. A nil entry becomes an empty
// error: it is a mistake of the validator and must not vanish.
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

// identity returns a key that is equal for identical errors of one side. It is not stored: a bad value
// may be large, and few errors need it.
func (l line) identity() string {
	return fieldpath.JoinKey(string(l.err.Type), l.field, l.raw, l.value.Identity())
}

// comparePlaces is the part of the canonical order that also holds between the sides.
func comparePlaces(a, b line) int { return fielderror.ComparePlaces(a.err, b.err) }

// compareLines is the canonical order of the errors of one side.
func compareLines(a, b line) int { return fielderror.Compare(a.err, b.err) }

// contradicts reports whether two errors are certainly about different values: they name different
// values, or one reports a value as missing that the other names. Texts are compared as the schema
// declares.
func (l line) contradicts(other line) bool { return l.contradictsAs(other, noAmount) }

// contradictsAs compares texts as amounts if the schema or, by as, a rule declares them.
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
			return false // ask the schema last: that takes longest
		}
	}
	return true
}

// rulesNotChecked reports whether the schema says by this error that it did not check its rules.
func (l line) rulesNotChecked() bool { return fielderror.IsRulesNotChecked(l.err) }

// mute reports whether an error has neither field nor text. It could match anything, so it is paired only
// with an identical error.
func (l line) mute() bool { return l.field == "" && l.raw == "" }

// empty reports whether a mute error has no type either.
func (l line) empty() bool { return l.mute() && l.err.Type == "" }

// equals reports whether errors with the same type, field and text agree. Mute errors must have equal
// values.
func (l line) equals(other line) bool {
	if l.mute() {
		return l.value.Identity() == other.value.Identity()
	}
	return !l.disagrees(other)
}

// disagrees reports whether no rule may make the two errors equivalent, whatever their texts are.
func (l line) disagrees(other line) bool { return l.disagreesAs(other, noAmount) }

// disagreesAs is disagrees for a rule with an amount.
func (l line) disagreesAs(other line, as amount) bool {
	return l.contradictsAs(other, as) || l.otherKeys(other)
}

// texts returns the forms of the text that a pattern may match.
func (l line) texts() []string {
	if l.detail == l.raw {
		return []string{l.raw}
	}
	return []string{l.detail, l.raw}
}

// quoteAt returns a line for a message.
func quoteAt(l line) string { return strconv.Quote(l.raw) + " at " + l.err.Field }
