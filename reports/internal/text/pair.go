package text

import (
	"strings"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/sidebyside"
	"github.com/diffrun/diffrun/reports/internal/display"
	"github.com/diffrun/diffrun/reports/internal/summary"
)

// drawPair shows both errors of a difference, one below the other, with a line of tildes below the
// parts that differ.
func (t *text) drawPair(r harness.Result, pair equivalence.Pair) string {
	var out strings.Builder
	heading := "    " + t.paint.yellow(string(pair.Class))
	if sidebyside.AtOnePlace(pair) {
		heading += "  " + sidebyside.PairPlace(pair)
	}
	if often := pair.FrequencyOf(r.Sides.Labels()); often != "" {
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
	first, second := r.Sides.Labels()
	t.drawLines(&out, sidebyside.Pair(first, second, pair, t.width))
	if t.options.Verbose || fielderror.IsPolicy(pair.Native) || fielderror.IsPolicy(pair.Declarative) {
		for _, one := range pair.Declared {
			t.drawLines(&out, sidebyside.Declared(first, second, display.Declared(one), t.width))
		}
	}
	return out.String()
}

func (t *text) drawLines(out *strings.Builder, lines []sidebyside.Line) {
	for _, line := range lines {
		out.WriteString(line.Text + "\n")
		if line.Marks != "" {
			out.WriteString(t.paint.red(line.Marks) + "\n")
		}
	}
}
