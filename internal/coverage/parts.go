package coverage

import (
	"html/template"
	"io"
)

// MarkdownPart writes what Markdown does in at most so many bytes: work lists that do not fit
// are left out and counted.
func (r Report) MarkdownPart(w io.Writer, most int) error { return r.markdown(w, most) }

// HTMLPart writes what HTML does as a part of another page.
func (r Report) HTMLPart(w io.Writer) error {
	made, err := template.New("coverage").Parse(page)
	if err != nil {
		return err
	}
	return made.ExecuteTemplate(w, "part", r.html())
}
