package markdown

import (
	"strings"

	"github.com/diffrun/diffrun/internal/findings/causetext"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/internal/display"
)

// boundedPage is a text of limited length. A part is added completely or not at all, so no
// Markdown element is left open.
type boundedPage struct {
	text strings.Builder
	left int
}

// add adds a part, and reports whether it fitted.
func (p *boundedPage) add(part string) bool {
	if len(part) > p.left {
		return false
	}
	p.left -= len(part)
	p.text.WriteString(part)
	return true
}

// list adds texts below a heading.
func (p *boundedPage) list(heading string, texts []string) {
	if len(texts) == 0 {
		return
	}
	p.add("### " + heading + "\n\n")
	for i, text := range texts {
		if i == maxItems || !p.add("* "+causetext.CodeSpan(display.Name(text))+"\n") {
			p.add("* " + plaintext.More(len(texts)-i) + "\n")
			break
		}
	}
	p.add("\n")
}

// tableCell is a code span in a table, where a bar ends a cell.
func tableCell(text string) string {
	return strings.ReplaceAll(causetext.CodeSpan(plaintext.Cut(text, plaintext.MaxCell)), "|", `\|`)
}
