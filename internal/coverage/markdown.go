package coverage

import (
	"io"
	"strings"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// mostMarkdown limits the page in bytes, so it fits into a comment (65,536 characters).
const mostMarkdown = 48_000

// Markdown writes a table of the figures, and the work lists that fit into a comment.
func (r Report) Markdown(w io.Writer) error { return r.MarkdownPart(w, mostMarkdown) }

// MarkdownPart is like Markdown with another limit in bytes. It counts the work lists that do not fit, and
// always writes the tables of figures.
func (r Report) MarkdownPart(w io.Writer, most int) error {
	var page strings.Builder
	if note := r.narrowedNote(); note != "" {
		page.WriteString(plaintext.Sprintf("%s\n\n", plaintext.MarkdownCode(note)))
	}
	page.WriteString("| suite | target | inputs |")
	for _, s := range r.used() {
		page.WriteString(plaintext.Sprintf(" %s |", cell(s.total)))
	}
	page.WriteString("\n| --- | --- | ---: |" + strings.Repeat(" ---: |", len(r.used())) + "\n")
	for i := range r.Targets {
		t := &r.Targets[i]
		page.WriteString(plaintext.Sprintf("| %s | %s | %d |", cell(t.Suite), cell(t.Name), t.Inputs))
		for _, s := range r.used() {
			figure := s.figure(t)
			page.WriteString(plaintext.Sprintf(" %d of %d |", figure.Covered, figure.Of))
		}
		page.WriteString("\n")
	}
	parts := []string{}
	for i := range r.Targets {
		t := &r.Targets[i]
		name := plaintext.Sprintf("%s: %s", cell(t.Suite), cell(t.Name))
		parts = append(parts, folded(name, t.notes(cell), t.lists()))
	}
	if r.Sites != nil {
		page.WriteString(r.Sites.table())
		for i := range r.Sites.Packages {
			p := &r.Sites.Packages[i]
			parts = append(parts, folded(string(cell(p.Path)), nil, p.lists()))
		}
	}
	for _, c := range r.Conditions {
		page.WriteString(plaintext.Sprintf("\n%s: %s\n", cell(c.title()), cell(c.Summary())))
		parts = append(parts, folded(string(cell(c.title()))+", conditions of error sites", nil, c.lists()))
	}
	const note = "\nThe lists of %d targets or packages do not fit here; the report as JSON has them.\n"
	left := 0
	for _, part := range parts {
		if part == "" {
			continue
		}
		if page.Len()+len(part)+len(note)+10 > most {
			left++
			continue
		}
		page.WriteString(part)
	}
	if left > 0 {
		page.WriteString(plaintext.Sprintf(note, left))
	}
	_, err := io.WriteString(w, page.String())
	return err
}

// cell escapes Markdown and HTML in a text.
func cell(text string) plaintext.Text { return plaintext.Markdown(text) }
