package summary

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/tally"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/internal/display"
)

// Table counts results by target. It has one row for each target.
type Table struct {
	Judged
	Rows []*Row
	// ByVerdict counts the inputs compared by verdict only, and Excepted the differences that each
	// exception accepted, by its id.
	ByVerdict int
	Excepted  map[string]int

	refused tally.Refusals // before any guard
	index   map[Key]*Row
}

// Key identifies a row. Target is empty for cases of kinds without a target in their suite.
type Key struct{ Suite, Target string }

// KeyOf returns the key of the row that counts a result.
func KeyOf(r harness.Result) Key { return Key{r.Suite, display.Target(r)} }

// Name returns the title of the row.
func (k Key) Name() string {
	if k.Target == "" {
		return "(no target)"
	}
	return display.Name(k.Target)
}

// Row has the counts of a target.
type Row struct {
	Key
	Number   int
	Version  schema.GroupVersionKind // empty: the suite has no target for the cases
	Sides    harness.Sides
	Verdicts map[words.Verdict]int
	Effects  map[words.Effect]int
	// OpenEffects counts the effects of inputs with an unexplained difference.
	OpenEffects map[words.Effect]int
	Unmet       int
	// Unguarded counts the inputs that a definition refused before any guard.
	Unguarded int
	Failing   int // results that fail the run
	Allowed   int // results that its gate allows
}

// Add counts a result, and returns its mark.
func (t *Table) Add(r harness.Result) Mark {
	row := t.Row(r)
	row.Verdicts[r.Verdict]++
	row.Effects[r.Effect]++
	if open := r.OpenEffect(); open != "" {
		row.OpenEffects[open]++
	}
	if len(r.Unmet) > 0 {
		row.Unmet++
	}
	t.refused.Add(r)
	if r.Unguarded {
		row.Unguarded++
	}
	if r.Verdict == words.Equivalent && display.CountPairs(r.Pairs, equivalence.Pair.VerdictOnly) > 0 {
		t.ByVerdict++
	}
	for _, pair := range r.Pairs {
		if pair.Exception != nil {
			t.Excepted[pair.Exception.ID]++
		}
	}
	mark := t.Judged.Add(r)
	switch mark {
	case Failing:
		row.Failing++
	case Allowed:
		row.Allowed++
	}
	return mark
}

// Row returns the row that counts a result, and adds it if it is new.
func (t *Table) Row(r harness.Result) *Row {
	if t.index == nil {
		t.index, t.Excepted = map[Key]*Row{}, map[string]int{}
	}
	key := KeyOf(r)
	if t.index[key] == nil {
		t.index[key] = &Row{
			Key:         key,
			Number:      len(t.Rows),
			Version:     r.Version,
			Sides:       r.Sides,
			Verdicts:    map[words.Verdict]int{},
			Effects:     map[words.Effect]int{},
			OpenEffects: map[words.Effect]int{},
		}
		t.Rows = append(t.Rows, t.index[key])
	}
	return t.index[key]
}

// AllExcepted returns how many differences all exceptions accepted.
func (t *Table) AllExcepted() int {
	total := 0
	for _, n := range t.Excepted {
		total += n
	}
	return total
}

// Inputs returns how often the target was compared or faulted.
func (r *Row) Inputs() int {
	inputs := 0
	for verdict, n := range r.Verdicts {
		if verdict != words.Inexpressible {
			inputs += n
		}
	}
	return inputs
}

// Sign returns the sign of a row: it fails the run, it differs as the gate allows, it was never
// compared, or it is as expected.
func (r *Row) Sign() string {
	switch {
	case r.Failing > 0:
		return "✗"
	case r.Allowed > 0:
		return "!"
	case r.Inputs() == 0:
		return "-"
	}
	return "✓"
}

// Column is a number of each row.
type Column struct {
	Heading string
	Number  func(*Row) int
}

// InWords returns a number with the heading, as "1 input" and "2 admits".
func (c Column) InWords(n int) string {
	if c.Heading == inputsHeading {
		return plaintext.Count(n, "input")
	}
	return plaintext.Number(n) + " " + c.Heading
}

// IsZero reports whether the number is zero in all rows.
func (c Column) IsZero(rows []*Row) bool {
	return !slices.ContainsFunc(rows, func(r *Row) bool { return c.Number(r) > 0 })
}

const inputsHeading = "inputs"

// Unguarded is the heading of the column of inputs that a definition refused before any guard was
// asked.
const Unguarded = "unguarded"

// Columns returns the columns of a table. It omits optional ones that are zero in all rows.
func Columns(rows []*Row) []Column {
	all := []Column{{inputsHeading, (*Row).Inputs}}
	optional := []string{
		"unmet",
		Unguarded,
		string(words.Stuck),
		string(words.Admits),
		string(words.Refuses),
		string(words.Ratcheting),
		string(words.Unstable),
		string(words.Inexpressible),
	}
	for _, effect := range []words.Effect{words.Stuck, words.Admits, words.Refuses} {
		all = append(all, Column{string(effect), func(r *Row) int { return r.Effects[effect] }})
	}
	for _, verdict := range words.Verdicts() {
		all = append(all, Column{string(verdict), func(r *Row) int { return r.Verdicts[verdict] }})
	}
	all = append(all, Column{"unmet", func(r *Row) int { return r.Unmet }}, Column{Unguarded, func(r *Row) int { return r.Unguarded }})
	return slices.DeleteFunc(all, func(c Column) bool { return slices.Contains(optional, c.Heading) && c.IsZero(rows) })
}
