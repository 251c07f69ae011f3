package coverage

import (
	"io"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// TextOptions control how much Text writes.
type TextOptions struct {
	// All lists every place, instead of a few of each group.
	All bool
	// Sites lists every error site of hand-written validators with its condition.
	Sites bool
}

// Text writes the figures of each target and the work lists, for people.
func (r Report) Text(w io.Writer, opts TextOptions) error {
	out := plaintext.NewPrinter(w)
	if note := r.narrowedNote(); note != "" {
		out.Printf("%s\n\n", note)
	}
	for i := range r.Targets {
		t := &r.Targets[i]
		if i > 0 {
			out.Printf("\n")
		}
		out.Printf("%s: %s, %s\n", t.Suite, t.Name, plaintext.Count(t.Inputs, "input"))
		for _, note := range t.notes(line) {
			out.Printf("  %s\n", plaintext.Text(note))
		}
		for _, s := range sections() {
			if figure := s.figure(t); t.Inputs > 0 && figure.Of > 0 {
				out.Printf("  %s: %d of %d covered\n", s.name, figure.Covered, figure.Of)
				for _, l := range s.lists(t) {
					l.text(out, opts)
				}
			}
		}
	}
	if r.Sites != nil {
		r.Sites.text(out, opts)
	}
	for _, c := range r.Conditions {
		c.text(out, opts)
	}
	return out.Flush()
}

// line escapes a text so that it stays on a line.
func line(text string) plaintext.Text { return plaintext.Text(plaintext.Line(text)) }

// notReached returns a note if no input had a value that the keyword checks.
func notReached(s section, p tally.Place) string {
	if !s.judges() || p.Reached > 0 {
		return ""
	}
	return " (never reached)"
}

// Lost writes places that were covered before and are no longer covered.
func (c Comparison) Lost(w io.Writer) error {
	out := plaintext.NewPrinter(w)
	for _, l := range c.Lower {
		out.Printf("%s: %s: %d covered, %d in the ratchet; no longer covered:\n", l.Of, l.Section, l.Now, l.Before)
		if l.Places == nil {
			out.Printf("  all of them: the target is no longer compared\n")
		}
		for _, name := range l.Places {
			out.Printf("  %s\n", name)
		}
	}
	return out.Flush()
}
