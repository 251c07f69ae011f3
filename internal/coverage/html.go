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
	Notes       []string
	Lists       []list
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
	for _, c := range r.Conditions {
		made.Conditions = append(made.Conditions, htmlConditions{line(c.title()), line(c.Summary()), c.lists(), c.Lines()})
	}
	return made
}

type htmlReport struct {
	Narrowed string
	Columns  []string
	Targets  []htmlTarget
	Packages []htmlPackage
	Notes    []string
	// Conditions are those of hand-written validators.
	Conditions []htmlConditions
}

type htmlConditions struct {
	Title, Summary plaintext.Text
	Lists          []list
	Sites          []string
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
	made := htmlTarget{Suite: line(t.Suite), Name: line(t.Name), Inputs: t.Inputs, Notes: t.notes(line), Lists: t.lists()}
	for _, s := range used {
		made.Figures = append(made.Figures, s.figure(t))
	}
	return made
}
