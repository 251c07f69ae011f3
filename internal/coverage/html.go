package coverage

import (
	_ "embed"
	"html/template"
	"io"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

//go:embed page.html
var page string

type htmlTarget struct {
	Suite, Name plaintext.Text
	Inputs      int
	Figures     []Figure
	Never       []plaintext.Text // subresources
	Notes       []string
	Groups      []htmlGroup
}

type htmlGroup struct {
	Name, Title string
	Places      []htmlPlace
}

type htmlPlace struct {
	Name           string
	Never          string
	Object         string
	Reached, Right int
}

// HTML writes the report as one page that needs no network.
func (r Report) HTML(w io.Writer) error {
	made, err := template.New("coverage").Parse(page)
	if err != nil {
		return err
	}
	return made.Execute(w, r.html())
}

// HTMLPart writes the report as a part of another page.
func (r Report) HTMLPart(w io.Writer) error {
	made, err := template.New("coverage").Parse(page)
	if err != nil {
		return err
	}
	return made.ExecuteTemplate(w, "part", r.html())
}

func (r Report) html() htmlReport {
	made := htmlReport{
		Columns:  columns(r.used()),
		Narrowed: plaintext.Line(r.narrowedNote()),
		Packages: r.Sites.html(),
		Notes:    r.Sites.notes(),
	}
	for i := range r.Targets {
		made.Targets = append(made.Targets, r.Targets[i].html(r.used()))
	}
	return made
}

type htmlReport struct {
	Narrowed string
	Columns  []string
	Targets  []htmlTarget
	Packages []htmlPackage
	Notes    []string
}

// columns returns the headings of the figures of sections.
func columns(used []section) []string {
	var all []string
	for _, s := range used {
		all = append(all, s.total)
	}
	return all
}

func (t *Target) html(used []section) htmlTarget {
	made := htmlTarget{Suite: plaintext.Text(plaintext.Line(t.Suite)), Name: plaintext.Text(plaintext.Line(t.Name)), Inputs: t.Inputs}
	for _, s := range t.Subresources {
		if s.Inputs == 0 {
			made.Never = append(made.Never, plaintext.Text(plaintext.Line(s.Name)))
		}
	}
	if t.pruningOpen() {
		made.Notes = append(made.Notes, pruningNote)
	}
	for _, s := range used {
		made.Figures = append(made.Figures, s.figure(t))
		for _, group := range worklist(s.open(t)) {
			one := htmlGroup{Name: groupName(s, group), Title: s.titled(group)}
			for _, p := range group.places {
				one.Places = append(one.Places, htmlPlace{
					Name:    plaintext.Line(placeName(p)),
					Never:   plaintext.Line(t.about(s, p)),
					Object:  t.object(p).String(),
					Reached: p.Reached,
					Right:   p.Passed,
				})
			}
			made.Groups = append(made.Groups, one)
		}
	}
	return made
}
