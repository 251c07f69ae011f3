package reports

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/harness"
)

// table counts results by target. It has one row for each target.
type table struct {
	judged
	rows  []*row
	index map[rowKey]*row
}

type rowKey struct{ suite, target string }

type row struct {
	rowKey
	number   int
	version  schema.GroupVersionKind // empty: the suite has no target for the cases
	verdicts map[harness.Verdict]int
	effects  map[harness.Effect]int
	unmet    int
	// unguarded counts the inputs that a definition refused before any guard.
	unguarded int
	failing   int  // results that fail the run
	allowed   int  // results that its gate allows
	whole     bool // the row stands for a whole suite or group
}

// add counts a result, and returns its mark.
func (t *table) add(r harness.Result) mark {
	if t.index == nil {
		t.index = map[rowKey]*row{}
	}
	key := rowKey{r.Suite, targetName(r)}
	counted := t.index[key]
	if counted == nil {
		counted = &row{rowKey: key, number: len(t.rows), version: r.Version, verdicts: map[harness.Verdict]int{}, effects: map[harness.Effect]int{}}
		t.index[key] = counted
		t.rows = append(t.rows, counted)
	}
	counted.verdicts[r.Verdict]++
	counted.effects[r.Effect]++
	if len(r.Unmet) > 0 {
		counted.unmet++
	}
	if r.Unguarded {
		counted.unguarded++
	}
	made := t.judged.add(r)
	switch made {
	case failing:
		counted.failing++
	case allowed:
		counted.allowed++
	}
	return made
}

// inputs returns how often the target was compared or faulted.
func (r *row) inputs() int {
	inputs := 0
	for verdict, n := range r.verdicts {
		if verdict != harness.Inexpressible {
			inputs += n
		}
	}
	return inputs
}

// sign returns the sign of a row: it fails the run, it differs as the gate allows, it was never
// compared, or it is as expected.
func (r *row) sign(paint painter) string {
	switch {
	case r.failing > 0:
		return paint.red("✗")
	case r.allowed > 0:
		return paint.yellow("!")
	case r.inputs() == 0:
		return paint.dim("-")
	default:
		return paint.green("✓")
	}
}

// column is a number of each row. An optional column is omitted if it is zero in all rows.
type column struct {
	heading  string
	number   func(*row) int
	optional bool
}

func (c column) isZero(rows []*row) bool {
	return !slices.ContainsFunc(rows, func(r *row) bool { return c.number(r) > 0 })
}

func columnsOf(rows []*row) []column {
	all := []column{{"inputs", (*row).inputs, false}}
	for _, effect := range []harness.Effect{harness.Admits, harness.Refuses} {
		all = append(all, column{string(effect), func(r *row) int { return r.effects[effect] }, true})
	}
	for _, verdict := range harness.Verdicts() {
		number := func(r *row) int { return r.verdicts[verdict] }
		all = append(all, column{string(verdict), number, verdict == harness.Ratcheted || verdict == harness.Unstable || verdict == harness.Inexpressible})
	}
	all = append(all, column{"unmet", func(r *row) int { return r.unmet }, true}, column{unguarded, func(r *row) int { return r.unguarded }, true})
	return slices.DeleteFunc(all, func(c column) bool { return c.optional && c.isZero(rows) })
}

// draw returns a row for each target in order of appearance, below the names of their suites if
// there are several. It folds many targets unless all is true. If the table is wider than the
// terminal, it leaves out more columns.
func (t *table) draw(paint painter, terminal int, bySuite, all bool) string {
	if len(t.rows) == 0 {
		return ""
	}
	rows, folded := t.rows, ""
	if len(rows) > fewTargets && !all {
		if rows = fold(t.rows, bySuite); len(rows) < len(t.rows) {
			folded = paint.dim(fmt.Sprintf("--verbose lists all %d targets", len(t.rows))) + "\n"
		}
	}
	names := []string{"target"}
	for _, row := range rows {
		names = append(names, row.name())
	}
	width := widest(names)
	columns := columnsOf(t.rows)
	heading := headingOf(columns, width)
	if terminal > 0 && utf8.RuneCountInString(heading) > terminal {
		columns = slices.DeleteFunc(columns, func(c column) bool { return c.isZero(t.rows) })
		heading = headingOf(columns, width)
	}
	var out strings.Builder
	out.WriteString(paint.bold(heading) + "\n")
	suite := ""
	for _, row := range rows {
		if bySuite && row.suite != suite && !row.whole {
			suite = row.suite
			out.WriteString(paint.dim("suite "+name(suite)) + "\n")
		}
		out.WriteString(row.sign(paint) + " " + pad(row.name(), width))
		for _, column := range columns {
			out.WriteString("  " + number(column.number(row), len(column.heading)))
		}
		out.WriteString("\n")
	}
	return out.String() + folded + "\n"
}

// headingOf returns the first line of a table whose names have a width.
func headingOf(columns []column, width int) string {
	heading := "  " + pad("target", width)
	for _, column := range columns {
		heading += "  " + column.heading
	}
	return heading
}

// name returns the title of the row. Cases of kinds without a target have their own row.
func (r *row) name() string {
	if r.target == "" {
		return "(no target)"
	}
	return name(r.target)
}

// number aligns a number to the right of its column. Zero is a dot, so other numbers stand out.
func number(n, width int) string {
	if n == 0 {
		return strings.Repeat(" ", width-1) + "·"
	}
	return fmt.Sprintf("%*d", width, n)
}
