package text

import (
	"strings"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/findings/causetext"
	"github.com/diffrun/diffrun/reports/internal/display"
)

// drawWords ends a report with what the classes in it mean. Headings say it of effects.
func (t *text) drawWords(counted harness.Summary) string {
	var names, means []string
	for _, class := range difference.Classes() {
		if counted.Classes[class] > 0 && (!class.Explained() || t.options.Verbose || t.table.Gate.Ratcheting()) {
			names, means = append(names, string(class)), append(means, causetext.ClassText(counted.Sides, class))
		}
	}
	if len(names) == 0 {
		return ""
	}
	width := display.Widest(names)
	var out strings.Builder
	out.WriteString("\n" + t.paint.bold("what the words mean") + "\n")
	for i, name := range names {
		out.WriteString(t.paragraph("  "+t.paint.yellow(display.Pad(name, width))+"  ", width+4, means[i]))
	}
	out.WriteString("  " + causetext.Glossary + "\n")
	return out.String()
}
