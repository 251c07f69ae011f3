package text

import (
	"slices"
	"strings"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/reports/internal/display"
	"github.com/diffrun/diffrun/reports/internal/summary"
)

// drawPair shows both errors of a difference, one below the other, with a line of tildes below the
// parts that differ.
func (t *text) drawPair(r harness.Result, pair equivalence.Pair) string {
	sides := r.Sides
	var out strings.Builder
	heading := "    " + t.paint.yellow(string(pair.Class))
	samePlace := pair.Native == nil || pair.Declarative == nil || pair.Native.Field == pair.Declarative.Field
	if samePlace {
		heading += "  " + display.PairPlace(pair)
	}
	if often := pair.Frequency(); often != "" {
		heading += "  " + often
	}
	if pair.Class.Explained() {
		heading += "  " + t.paint.dim("explained: the value did not change")
	}
	if pair.Exception != nil {
		heading += "  " + t.paint.dim("accepted by "+display.Name(pair.Exception.ID))
	}
	if t.table.Gate.Fails(r) && t.table.Gate.Differs(pair) && t.table.Gate.Allows(r, pair) {
		heading += "  " + t.paint.dim("allowed by "+summary.GateFlag(t.table.Gate)) // the block is about what is not
	}
	out.WriteString(heading + "\n")
	native, declarative := display.Columns(pair)
	switch {
	case samePlace:
		t.drawSides(&out, sides, native, declarative)
	case slices.Equal(native, declarative):
		t.drawSides(&out, sides, []string{display.ErrorPlace(pair.Native)}, []string{display.Place(pair.Declarative.Field)})
		t.drawLines(&out, side{"both", display.Plain(native)}.lines(columnWidths(native, nil), t.width))
	default:
		t.drawSides(&out, sides, []string{display.ErrorPlace(pair.Native)}, []string{display.Place(pair.Declarative.Field)})
		t.drawSides(&out, sides, native, declarative)
	}
	if t.options.Verbose || fielderror.IsPolicy(pair.Native) || fielderror.IsPolicy(pair.Declarative) {
		for _, one := range pair.Declared {
			t.drawLines(&out, side{"declared", display.Plain([]string{display.Declared(one)})}.lines([]int{t.width}, t.width))
		}
	}
	return out.String()
}

// drawSides writes two errors with aligned columns.
func (t *text) drawSides(out *strings.Builder, sides harness.Sides, native, declarative []string) {
	nativeCells, declarativeCells := display.Compare(native, declarative)
	widths := columnWidths(native, declarative)
	first, second := sides.Names()
	above := side{first, nativeCells}.lines(widths, t.width)
	below := side{second, declarativeCells}.lines(widths, t.width)
	if len(above) == 1 && len(below) == 1 && above[0].marks.lineUp(below[0].marks) {
		below[0].marks = append(below[0].marks, above[0].marks...)
		above[0].marks = nil
	}
	t.drawLines(out, above)
	t.drawLines(out, below)
}

func (t *text) drawLines(out *strings.Builder, lines []line) {
	for _, line := range lines {
		out.WriteString(strings.TrimRight(line.text, " ") + "\n")
		if marks := line.marks.String(); marks != "" {
			out.WriteString(t.paint.red(marks) + "\n")
		}
	}
}
