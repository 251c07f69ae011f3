package reports

import (
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// drawPrunedBy lists the fields of a case that only one side did not see, because its definition
// does not have them.
func (t *text) drawPrunedBy(side harness.NamedOutcome) string {
	pruned := omitted(side.Omitted, harness.Pruned)
	if len(pruned) == 0 {
		return ""
	}
	return t.paragraph("    "+t.paint.dim("pruned by "+side.Name)+"  ", hanging, plaintext.List(pruned))
}
