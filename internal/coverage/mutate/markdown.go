package mutate

import (
	"io"
	"strings"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// mostMarkdown limits the page in bytes, so it fits into a comment of GitHub (65,536 characters).
const mostMarkdown = 60_000

// Markdown writes a table of the figures by keyword, and the surviving mutants that fit into a comment.
func (r Report) Markdown(w io.Writer) error {
	var page strings.Builder
	page.WriteString(plaintext.Sprintf("%s\n\n", r.score()))
	if note := r.narrowedNote(); note != "" {
		page.WriteString(plaintext.Sprintf("%s\n\n", plaintext.MarkdownCode(note)))
	}
	page.WriteString("| keyword | mutants |")
	for _, status := range statuses() {
		page.WriteString(plaintext.Sprintf(" %s |", string(status)))
	}
	page.WriteString("\n| --- |" + strings.Repeat(" ---: |", 1+len(statuses())) + "\n")
	keywords, counts := r.byKeyword()
	for _, keyword := range keywords {
		total, row := 0, ""
		for _, status := range statuses() {
			n := counts[keyword][status]
			total += n
			row += plaintext.Sprintf(" %d |", n)
		}
		page.WriteString(plaintext.Sprintf("| %s | %d |", plaintext.Markdown(keyword), total) + row + "\n")
	}
	survived := r.With(Survived)
	if len(survived) > 0 {
		page.WriteString("\nInputs violate these, but no comparison would change if they were weaker:\n\n")
	}
	for i, m := range survived {
		line := plaintext.Sprintf("- %s<br>%s\n", plaintext.Markdown(m.name()), plaintext.Markdown(m.where()))
		if page.Len()+len(line) > mostMarkdown {
			page.WriteString("- " + plaintext.More(len(survived)-i) + "; the report as JSON has them\n")
			break
		}
		page.WriteString(line)
	}
	_, err := io.WriteString(w, page.String())
	return err
}
