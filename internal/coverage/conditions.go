package coverage

import (
	"strings"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Conditions are those under which the hand-written validators of a target make errors, as their source says.
type Conditions struct {
	Suite  string `json:"suite"`
	Target string `json:"target"`
	// Unknown says why nothing was read; empty: it was.
	Unknown string          `json:"unknown,omitempty"`
	Sites   []ConditionSite `json:"sites"`
}

// ConditionSite is a place that makes an error, on one path of calls.
type ConditionSite struct {
	// At is the file, with the import path of its package, and the line. Error is what the source says about the error.
	At    string `json:"at"`
	Error string `json:"error"`
	// Refuses is true for objects that have the error, an expression of CEL.
	Refuses string `json:"refuses"`
	// Shown is true if it was true for an input.
	Shown bool `json:"shown"`
	// Open says what of the condition is not read. Such a condition counts for nothing.
	Open  []string        `json:"open,omitempty"`
	Atoms []ConditionAtom `json:"atoms,omitempty"`
}

// ConditionAtom is a part of a condition that && and || join, with the values that it had while it alone decided about the
// condition.
type ConditionAtom struct {
	Text  string `json:"text"`
	True  bool   `json:"true"`
	False bool   `json:"false"`
}

// never returns the sides of the atoms that no input shows.
func (s ConditionSite) never() (all []string) {
	for _, atom := range s.Atoms {
		for _, side := range []struct {
			shown bool
			name  string
		}{{atom.True, "true"}, {atom.False, "false"}} {
			if !side.shown {
				all = append(all, "never "+side.name+": "+atom.Text)
			}
		}
	}
	return all
}

// name returns the site for a line, without its package.
func (s ConditionSite) name() string {
	return strings.TrimSpace(s.At[strings.LastIndex(s.At, "/")+1:] + " " + s.Error)
}

// Summary returns the figures in one line.
func (c Conditions) Summary() string {
	if c.Unknown != "" {
		return "conditions of error sites: unknown, because " + c.Unknown
	}
	shown, open, sides, never := 0, 0, 0, 0
	for _, site := range c.Sites {
		switch {
		case len(site.Open) > 0:
			open++
			continue
		case site.Shown:
			shown++
		}
		sides += 2 * len(site.Atoms)
		never += len(site.never())
	}
	text := plaintext.Sprintf("conditions of error sites: %d of %d shown, and %d of %d sides of their atoms", shown, len(c.Sites)-open,
		sides-never, sides)
	if open > 0 {
		text += plaintext.Sprintf("; read in part, and not counted: %d", open)
	}
	return text
}

// lists returns what no input shows.
func (c Conditions) lists() []list {
	sites := list{line: "never shown: ", Title: "never shown: "}
	sides := list{line: "a side of an atom is never shown: ", Title: "a side of an atom is never shown: "}
	open := list{line: "read in part: ", Title: "read in part: "}
	for _, site := range c.Sites {
		name := plaintext.Line(site.name())
		switch never := site.never(); {
		case len(site.Open) > 0:
			open.Items = append(open.Items, item{Name: name, About: plaintext.Line(" (" + strings.Join(site.Open, "; ") + ")")})
		case !site.Shown:
			sites.Items = append(sites.Items, item{Name: name, About: plaintext.Line(": " + site.Refuses)})
		case len(never) > 0:
			sides.Items = append(sides.Items, item{Name: name, About: plaintext.Line(": " + strings.Join(never, "; "))})
		}
	}
	var all []list
	for _, l := range []list{sites, sides, open} {
		if len(l.Items) > 0 {
			all = append(all, l)
		}
	}
	return all
}

// Lines returns each site with its condition, and what no input shows of it.
func (c Conditions) Lines() (lines []string) {
	for _, site := range c.Sites {
		state := "shown"
		if len(site.Open) > 0 {
			state = "read in part"
		} else if !site.Shown {
			state = "never shown"
		}
		lines = append(lines, plaintext.Line(site.At+" "+site.Error+": "+state), plaintext.Line("  refuses "+site.Refuses))
		for _, text := range site.Open {
			lines = append(lines, plaintext.Line("  unread: "+text))
		}
		for _, text := range site.never() {
			if len(site.Open) > 0 {
				break
			}
			lines = append(lines, plaintext.Line("  "+text))
		}
	}
	return lines
}

func (c Conditions) title() string { return c.Suite + ": " + c.Target }

// text writes the figures and the work lists, or all sites.
func (c Conditions) text(out *plaintext.Printer, opts TextOptions) {
	out.Printf("\n%s: %s\n", c.title(), plaintext.Text(plaintext.Line(c.Summary())))
	if opts.Sites {
		for _, line := range c.Lines() {
			out.Printf("  %s\n", plaintext.Text(line))
		}
		return
	}
	for _, l := range c.lists() {
		l.text(out, opts)
	}
}
