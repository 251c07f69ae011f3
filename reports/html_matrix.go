package reports

import (
	"slices"

	"github.com/diffrun/diffrun/harness"
)

// htmlMatrix counts results by kind, version and verdict.
type htmlMatrix struct {
	Suites  bool // there are several, so each row names its own
	Columns []string
	Kinds   []htmlKind
}

// htmlKind is a kind with its versions in all groups.
type htmlKind struct {
	Kind     string
	Versions []htmlVersion
}

// htmlVersion is a row of the matrix. Row is its number in the table of targets.
type htmlVersion struct {
	Row            int
	Version, Suite string
	Cells          []htmlCell
}

// htmlCell is a number of a row. Filter and Value select the results that it counts.
type htmlCell struct {
	Name, Number, Sign, Filter, Value, Says string
}

// newMatrix returns the matrix, or nil without results.
func (h *htmlReport) newMatrix() *htmlMatrix {
	if len(h.table.rows) == 0 {
		return nil
	}
	columns := columnsOf(h.table.rows)
	matrix := &htmlMatrix{Suites: len(h.header.Suites) > 1}
	for _, column := range columns {
		matrix.Columns = append(matrix.Columns, column.heading)
	}
	kinds := map[string]int{}
	for _, row := range h.table.rows {
		at, known := kinds[row.version.Kind]
		if !known {
			at = len(matrix.Kinds)
			kinds[row.version.Kind] = at
			kind := htmlKind{Kind: name(row.version.Kind)}
			if row.target == "" {
				kind.Kind = row.name()
			}
			matrix.Kinds = append(matrix.Kinds, kind)
		}
		version := htmlVersion{Row: row.number, Version: name(row.version.GroupVersion().String()), Suite: name(row.suite)}
		for _, column := range columns {
			version.Cells = append(version.Cells, h.table.newHTMLCell(row, column))
		}
		matrix.Kinds[at].Versions = append(matrix.Kinds[at].Versions, version)
	}
	return matrix
}

func (t *table) newHTMLCell(row *row, column column) htmlCell {
	n := column.number(row)
	cell := htmlCell{Name: column.heading, Number: grouped(n), Says: count(n, "result") + " of " + row.name() + ": " + column.heading}
	if n == 0 {
		return htmlCell{Number: "·"}
	}
	switch verdict := harness.Verdict(column.heading); {
	case slices.Contains(harness.Verdicts(), verdict):
		cell.Filter, cell.Value, cell.Sign = "verdict", column.heading, t.verdictSign(verdict)
	case slices.Contains(harness.Effects(), harness.Effect(column.heading)):
		cell.Filter, cell.Value, cell.Sign = "effect", column.heading, t.effectSign(harness.Effect(column.heading))
	case column.heading == "unmet":
		cell.Filter, cell.Value, cell.Sign = "verdict", "unmet", t.unmetSign()
	case column.heading == unguarded:
		cell.Filter, cell.Value, cell.Sign = "verdict", unguarded, "noted"
	default: // all inputs of the row
		cell.Filter, cell.Value = "verdict", "inputs"
	}
	return cell
}
