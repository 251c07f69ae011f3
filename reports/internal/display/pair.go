package display

import (
	"slices"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/findings/causetext"
	"github.com/diffrun/diffrun/internal/findings/gate"
	"github.com/diffrun/diffrun/internal/sidebyside"
)

// CountPairs counts the pairs with a native error for which is returns true.
func CountPairs(pairs []equivalence.Pair, is func(equivalence.Pair) bool) int {
	n := 0
	for _, pair := range pairs {
		if pair.Native != nil && is(pair) {
			n++
		}
	}
	return n
}

// OmissionReasons lists all reasons of omissions in the order of reports.
func OmissionReasons() []words.OmissionReason {
	return []words.OmissionReason{words.Pruned, words.Ignored}
}

// Omitted returns the fields that neither validator saw for a reason.
func Omitted(all []contract.Omission, reason words.OmissionReason) []string {
	var fields []string
	for _, omission := range all {
		if omission.Why == reason {
			fields = append(fields, omission.Field)
		}
	}
	return fields
}

// Differences returns the pairs to list: the unexplained ones by class and then, if accepted is
// set, those that ratcheting explains or an exception accepts.
func Differences(gate gate.Gate, pairs []equivalence.Pair, accepted bool) []equivalence.Pair {
	var unexplained, excepted []equivalence.Pair
	for _, pair := range pairs {
		switch {
		case gate.Differs(pair):
			unexplained = append(unexplained, pair)
		case accepted && !pair.Agrees():
			excepted = append(excepted, pair)
		}
	}
	order := difference.Classes()
	byClass := func(a, b equivalence.Pair) int {
		return slices.Index(order, a.Class) - slices.Index(order, b.Class)
	}
	slices.SortStableFunc(unexplained, byClass)
	slices.SortStableFunc(excepted, byClass)
	return append(unexplained, excepted...)
}

// Likeness returns the key of a difference. Similar differences have the same key.
func Likeness(r harness.Result, pair equivalence.Pair) causes.Cause {
	return causes.CauseOf(&r, pair)
}

// DifferenceLine describes a difference in one line: its class, its field, its count, and both
// errors.
func DifferenceLine(sides harness.Sides, pair equivalence.Pair) string {
	text := string(pair.Class) + " at " + sidebyside.PairPlace(pair)
	if often := pair.FrequencyOf(sides.Labels()); often != "" {
		text += " (" + often + ")"
	}
	native, declarative := causes.Errors(pair)
	firstName, secondName := sides.Labels()
	return text + "; " + firstName + ": " + SideLine(native, pair.Field()) + "; " + secondName + ": " + SideLine(declarative, pair.Field())
}

// SideLine returns the error of one side, with its field if that differs from the other side's.
func SideLine(err *causes.Error, at string) string { return causetext.Side(err, at) }

// Declared returns where the schema declares an error.
func Declared(d difference.Declared) string {
	if d.Position == "" {
		return Name(d.Place)
	}
	return Name(d.Position) + " " + Name(d.Place)
}
