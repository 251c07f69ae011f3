package coverage

import (
	"path"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// text writes the figures of each package and the work lists.
func (s *Sites) text(out *plaintext.Printer, opts TextOptions) {
	for i := range s.Packages {
		p := &s.Packages[i]
		out.Printf("\nhand-written: %s, calls that make errors: %d\n", p.Path, len(p.Sites))
		out.Printf("  %s\n", p.figures())
		for _, l := range p.lists() {
			l.text(out, opts)
		}
	}
	for _, note := range s.notes() {
		out.Printf("\n%s\n", note)
	}
}

// figures returns the figures of a package in one line.
func (p *SitePackage) figures() string {
	var parts []string
	for _, f := range siteFigures() {
		figure := p.figure(f)
		parts = append(parts, f.name+": "+strconv.Itoa(figure.Covered)+" of "+strconv.Itoa(figure.Of))
	}
	return strings.Join(parts, ", ")
}

// line returns a site with its place, and how often its error differs.
func (s Site) line() string {
	text := s.place() + " " + s.Name
	if s.Differs > 0 {
		text += plaintext.Sprintf(" (%s of %s)", plaintext.Count(s.Differs, "difference"), plaintext.Count(s.Seen, "error"))
	}
	return text
}

// place returns the file without its package, and the line.
func (s Site) place() string { return path.Base(s.File) + ":" + strconv.Itoa(s.Line) }

// notes returns notes about errors without a site.
func (s *Sites) notes() []string {
	var notes []string
	if s == nil {
		return nil
	}
	if s.Elsewhere > 0 {
		notes = append(notes, plaintext.Sprintf("Errors from calls outside of these packages: %d", s.Elsewhere))
	}
	if s.Ambiguous > 0 {
		notes = append(notes, plaintext.Sprintf("Errors that several calls can have made, which count for none of them: %d", s.Ambiguous))
	}
	return notes
}

// table returns the figures of all packages as Markdown.
func (s *Sites) table() string {
	var page strings.Builder
	page.WriteString("\n| package | calls that make errors | executed | error seen | error matched |\n| --- | ---: | ---: | " +
		"---: | ---: |\n")
	for i := range s.Packages {
		p := &s.Packages[i]
		page.WriteString(plaintext.Sprintf("| %s | %d |", cell(p.Path), len(p.Sites)))
		for _, f := range siteFigures() {
			page.WriteString(plaintext.Sprintf(" %d |", p.figure(f).Covered))
		}
		page.WriteString("\n")
	}
	for _, note := range s.notes() {
		page.WriteString("\n" + note + "\n")
	}
	return page.String()
}

type htmlPackage struct {
	Path    plaintext.Text
	Figures string
	Lists   []list
}

func (s *Sites) html() []htmlPackage {
	var packages []htmlPackage
	for i := 0; s != nil && i < len(s.Packages); i++ {
		p := &s.Packages[i]
		packages = append(packages, htmlPackage{line(p.Path), p.figures(), p.lists()})
	}
	return packages
}
