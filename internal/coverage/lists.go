package coverage

import (
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// list is a work list of a target or a package: what no case tests. Text, Markdown and HTML write the same lists.
type list struct {
	// line and Title stand before the number of items: line in a text, below the figure of its section.
	line  string
	Title string
	Items []item
}

// item is a place or a site.
type item struct {
	Name   string
	About  string // what follows the name; may be empty
	Object string // that fails a place; may be empty
}

// few is the number of items of a list that are written unless all are requested.
const few = 5

// shown returns the first few items, or all, and how many are left.
func (l list) shown(all bool) (shown []item, left int) {
	if all || len(l.Items) <= few {
		return l.Items, 0
	}
	return l.Items[:few], len(l.Items) - few
}

// text writes the list for people.
func (l list) text(out *plaintext.Printer, opts TextOptions) {
	out.Printf("    %s%d\n", l.line, len(l.Items))
	shown, left := l.shown(opts.All)
	for _, one := range shown {
		out.Printf("      %s%s\n", one.Name, one.About)
		if one.Object != "" {
			out.Printf("        %s\n", plaintext.Text(one.Object))
		}
	}
	if left > 0 {
		out.Printf("      %s; -v lists all\n", plaintext.More(left))
	}
}

// folded returns notes and lists as a folded part of a Markdown page; empty if there are none.
func folded(summary string, notes []string, lists []list) string {
	var lines []string
	for _, note := range notes {
		lines = append(lines, "- "+note)
	}
	for _, l := range lists {
		lines = append(lines, plaintext.Sprintf("- %s%d", plaintext.Text(l.Title), len(l.Items)))
		shown, left := l.shown(false)
		for _, one := range shown {
			lines = append(lines, plaintext.Sprintf("  - %s%s", cell(one.Name), cell(one.About)))
			if one.Object != "" {
				lines = append(lines, plaintext.Sprintf("    - %s", cell(one.Object)))
			}
		}
		if left > 0 {
			lines = append(lines, "  - "+plaintext.More(left))
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return "\n<details><summary>" + summary + "</summary>\n\n" + strings.Join(lines, "\n") + "\n\n</details>\n"
}

// lists returns the work lists of a section of a target.
func (s section) lists(t *Target) []list {
	var all []list
	for _, group := range worklist(s.open(t)) {
		made := list{line: s.titled(group) + ": ", Title: groupName(s, group) + ": " + s.titled(group) + ", "}
		if s.judges() {
			made.line = group.keyword + ", " + made.line
		}
		for _, p := range group.places {
			made.Items = append(made.Items, item{plaintext.Line(placeName(p)), plaintext.Line(t.about(s, p)), t.object(p).String()})
		}
		all = append(all, made)
	}
	return all
}

// groupName returns the name of a group of a section.
func groupName(s section, group work) string {
	switch group.keyword {
	case tally.FieldPlace, tally.EnumValuePlace:
		return s.name
	}
	return group.keyword
}

// lists returns the work lists of all sections.
func (t *Target) lists() []list {
	var all []list
	for _, s := range sections() {
		all = append(all, s.lists(t)...)
	}
	return all
}

// notes returns what was not compared at all, one note each. Escape makes names safe for the page.
func (t *Target) notes(escape func(string) plaintext.Text) []string {
	if t.Inputs == 0 {
		return []string{"never compared"}
	}
	var notes []string
	for _, s := range t.Subresources {
		if s.Inputs == 0 {
			notes = append(notes, plaintext.Sprintf("subresource %s: never compared", escape(s.Name)))
		}
	}
	if t.pruningOpen() {
		notes = append(notes, pruningNote)
	}
	return notes
}

// lists returns the work lists of a package.
func (p *SitePackage) lists() []list {
	var all []list
	for _, l := range siteLists() {
		made := list{line: l.title + ": ", Title: l.title + ": "}
		for _, site := range p.list(l) {
			made.Items = append(made.Items, item{Name: plaintext.Line(site.line())})
		}
		if len(made.Items) > 0 {
			all = append(all, made)
		}
	}
	return all
}
