package reports

import (
	"html"
	"strings"

	"github.com/diffrun/diffrun/internal/plaintext"
)

// markdownPage is a text that must not become too long. What is added is added as a
// whole or not at all, so that nothing of Markdown stays open.
type markdownPage struct {
	text strings.Builder
	left int
}

// add says whether there was room.
func (p *markdownPage) add(part string) bool {
	if len(part) > p.left {
		return false
	}
	p.left -= len(part)
	p.text.WriteString(part)
	return true
}

// list adds texts under a heading.
func (p *markdownPage) list(heading string, texts []string) {
	if len(texts) == 0 {
		return
	}
	p.add("### " + heading + "\n\n")
	for i, text := range texts {
		if i == markdownItems || !p.add("* "+codeSpan(name(text))+"\n") {
			p.add("* " + plaintext.More(len(texts)-i) + "\n")
			break
		}
	}
	p.add("\n")
}

// codeSpan gives a text that Markdown shows as it is, in which nobody is mentioned and
// nothing is a link.
func codeSpan(text string) string {
	text = plaintext.Cut(text, plaintext.MaxLine)
	if strings.TrimSpace(text) == "" {
		return ""
	}
	longest, run := 0, 0
	for _, r := range text {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if longest > 0 || strings.HasPrefix(text, " ") && strings.HasSuffix(text, " ") {
		text = " " + text + " " // of which Markdown takes one away at each end
	}
	return fence + text + fence
}

// tableCell is a code span in a table, whose cells end at a bar.
func tableCell(text string) string {
	return strings.ReplaceAll(codeSpan(plaintext.Cut(text, plaintext.MaxCell)), "|", `\|`)
}

// htmlCode is a code span within HTML.
func htmlCode(text string) string {
	return "<code>" + html.EscapeString(plaintext.Cut(text, plaintext.MaxCell)) + "</code>"
}

// markdownWidth is how many bytes of an error or a fault are shown.
const markdownWidth = 600

// codeBlock shows a text that others wrote, behind a word so that it cannot end the block.
func codeBlock(word, text string) string {
	return "```\n" + word + " " + plaintext.Cut(text, markdownWidth) + "\n```\n\n"
}

func leftOutTexts(all []LeftOut) []string {
	var texts []string
	for _, left := range all {
		texts = append(texts, count(left.Cases, "case")+" of "+left.Target+" in suite "+left.Suite)
	}
	return texts
}
