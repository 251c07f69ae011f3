package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/reports/internal/display"
	"github.com/diffrun/diffrun/reports/internal/summary"
)

// fewTargets is how many targets have a row each. If there are more, one row stands for all targets
// of a suite, or of an API group if there is one suite, that are as expected.
const fewTargets = 15

// tableRow is a row of the table. whole is true if the row is for a whole suite or group.
type tableRow struct {
	*summary.Row
	whole bool
}

// drawTable returns a row for each target in order of appearance, below the names of their suites if
// there are several. It folds many targets unless all is to be shown. If the table is wider than the
// terminal, it omits more columns, and then writes the rows in words.
func (t *text) drawTable() string {
	all := t.table.Rows
	if len(all) == 0 {
		return ""
	}
	var rows []tableRow
	for _, row := range all {
		rows = append(rows, tableRow{Row: row})
	}
	bySuite, folded := len(t.suites) > 1, ""
	if len(rows) > fewTargets && !t.options.Verbose {
		if rows = fold(rows, bySuite); len(rows) < len(all) {
			folded = t.paint.dim(fmt.Sprintf("--verbose lists all %d targets", len(all))) + "\n"
		}
	}
	names := []string{"target"}
	for _, row := range rows {
		names = append(names, row.Name())
	}
	width := display.Widest(names)
	columns := summary.Columns(all)
	heading := headingOf(columns, width)
	if t.options.Width > 0 && utf8.RuneCountInString(heading) > t.options.Width {
		columns = slices.DeleteFunc(columns, func(c summary.Column) bool { return c.IsZero(all) })
		heading = headingOf(columns, width)
	}
	inWords := t.options.Width > 0 && utf8.RuneCountInString(heading) > t.options.Width
	var out strings.Builder
	if !inWords {
		out.WriteString(t.paint.bold(heading) + "\n")
	}
	suite := ""
	for _, row := range rows {
		if bySuite && row.Suite != suite && !row.whole {
			suite = row.Suite
			out.WriteString(t.paint.dim("suite "+display.Name(suite)) + "\n")
		}
		if inWords {
			out.WriteString(t.paragraph(t.paint.sign(row.Sign())+" ", hanging, row.Name()+": "+inWordsOf(row.Row, columns)))
			continue
		}
		out.WriteString(t.paint.sign(row.Sign()) + " " + display.Pad(row.Name(), width))
		for _, column := range columns {
			out.WriteString("  " + display.Number(column.Number(row.Row), len(column.Heading)))
		}
		out.WriteString("\n")
	}
	return out.String() + folded + "\n"
}

// inWordsOf returns the numbers of a row that are not zero, for terminals that are too narrow for the table.
func inWordsOf(row *summary.Row, columns []summary.Column) string {
	var counts []string
	for _, column := range columns {
		if n := column.Number(row); n != 0 {
			counts = append(counts, column.InWords(n))
		}
	}
	return strings.Join(counts, ", ")
}

// headingOf returns the first line of a table whose names have a width.
func headingOf(columns []summary.Column, width int) string {
	heading := "  " + display.Pad("target", width)
	for _, column := range columns {
		heading += "  " + column.Heading
	}
	return heading
}

// fold returns the rows to draw, with those of one suite or group together. Rows that are not as
// expected come first and are not folded.
func fold(rows []tableRow, bySuite bool) []tableRow {
	key := func(r tableRow) string {
		if bySuite {
			return r.Suite
		}
		return cmp.Or(r.Version.Group, "core")
	}
	var keys []string
	members := map[string][]tableRow{}
	for _, row := range rows {
		if members[key(row)] == nil {
			keys = append(keys, key(row))
		}
		members[key(row)] = append(members[key(row)], row)
	}
	var drawn []tableRow
	for _, key := range keys {
		var expected []tableRow
		for _, row := range members[key] {
			if row.Failing+row.Allowed > 0 {
				drawn = append(drawn, row)
			} else {
				expected = append(expected, row)
			}
		}
		switch {
		case len(expected) == 1:
			drawn = append(drawn, expected[0])
		case len(expected) == len(members[key]):
			drawn = append(drawn, tableRow{sum(expected, fmt.Sprintf("%s, %d targets", key, len(expected))), true})
		case len(expected) > 1:
			drawn = append(drawn, tableRow{sum(expected, fmt.Sprintf("%d other targets of %s", len(expected), key)), false})
		}
	}
	return drawn
}

// sum adds rows of one suite.
func sum(rows []tableRow, title string) *summary.Row {
	total := &summary.Row{
		Key:      summary.Key{Suite: rows[0].Suite, Target: title},
		Verdicts: map[words.Verdict]int{},
		Effects:  map[words.Effect]int{},
	}
	for _, row := range rows {
		for verdict, n := range row.Verdicts {
			total.Verdicts[verdict] += n
		}
		for effect, n := range row.Effects {
			total.Effects[effect] += n
		}
		total.Unguarded += row.Unguarded
	}
	return total
}
