package html

import (
	"slices"

	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/internal/display"
	"github.com/diffrun/diffrun/reports/internal/summary"
)

// matrixData counts results by kind, version and verdict.
type matrixData struct {
	Suites  bool // there are several, so each row names its own
	Columns []string
	Kinds   []kindData
}

// kindData is a kind with its versions in all groups.
type kindData struct {
	Kind     string
	Versions []versionData
}

// versionData is a row of the matrix. Row is its number in the table of targets.
type versionData struct {
	Row            int
	Version, Suite string
	Cells          []cellData
}

// cellData is a number of a row. Filter and Value select the results that it counts.
type cellData struct {
	Name, Number, Sign, Filter, Value, Says string
}

// newMatrix returns the matrix, or nil without results.
func (h *report) newMatrix() *matrixData {
	if len(h.table.Rows) == 0 {
		return nil
	}
	columns := summary.Columns(h.table.Rows)
	matrix := &matrixData{Suites: len(h.header.Suites) > 1}
	for _, column := range columns {
		matrix.Columns = append(matrix.Columns, column.Heading)
	}
	kinds := map[string]int{}
	for _, row := range h.table.Rows {
		at, known := kinds[row.Version.Kind]
		if !known {
			at = len(matrix.Kinds)
			kinds[row.Version.Kind] = at
			kind := kindData{Kind: display.Name(row.Version.Kind)}
			if row.Target == "" {
				kind.Kind = row.Name()
			}
			matrix.Kinds = append(matrix.Kinds, kind)
		}
		version := versionData{Row: row.Number, Version: display.Name(row.Version.GroupVersion().String()), Suite: display.Name(row.Suite)}
		if row.Target == "" {
			version.Version = "–"
		}
		for _, column := range columns {
			version.Cells = append(version.Cells, h.newCell(row, column))
		}
		matrix.Kinds[at].Versions = append(matrix.Kinds[at].Versions, version)
	}
	return matrix
}

func (h *report) newCell(row *summary.Row, column summary.Column) cellData {
	n := column.Number(row)
	cell := cellData{
		Name:   column.Heading,
		Number: plaintext.Number(n),
		Says:   plaintext.Count(n, "result") + " of " + row.Name() + ": " + column.Heading,
	}
	if n == 0 {
		return cellData{Number: "·"}
	}
	switch verdict := words.Verdict(column.Heading); {
	case slices.Contains(words.Verdicts(), verdict):
		cell.Filter, cell.Value, cell.Sign = "verdict", column.Heading, h.verdictSign(verdict)
	case slices.Contains(words.Effects(), words.Effect(column.Heading)):
		cell.Filter, cell.Value, cell.Sign = "effect", column.Heading, h.effectSign(words.Effect(column.Heading), row.OpenEffects)
	case column.Heading == "unmet":
		cell.Filter, cell.Value, cell.Sign = "verdict", "unmet", h.unmetSign()
	case column.Heading == summary.Unguarded:
		cell.Filter, cell.Value, cell.Sign = "verdict", summary.Unguarded, "noted"
	default: // all inputs of the row
		cell.Filter, cell.Value = "verdict", "inputs"
	}
	return cell
}
