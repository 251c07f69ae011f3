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
}

// few is the number of places of a group that are listed without TextOptions.All.
const few = 5

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
		if t.Inputs == 0 {
			out.Printf("  never compared\n")
			continue
		}
		for _, s := range t.Subresources {
			if s.Inputs == 0 {
				out.Printf("  subresource %s: never compared\n", s.Name)
			}
		}
		if t.pruningOpen() {
			out.Printf("  %s\n", pruningNote)
		}
		for _, s := range sections() {
			writeSection(out, t, s, opts)
		}
	}
	if r.Sites != nil {
		r.Sites.text(out, opts)
	}
	return out.Flush()
}

func writeSection(out *plaintext.Printer, t *Target, s section, opts TextOptions) {
	figure := s.figure(t)
	if figure.Of == 0 {
		return
	}
	out.Printf("  %s: %d of %d covered\n", s.name, figure.Covered, figure.Of)
	for _, group := range worklist(s.open(t)) {
		label := ""
		if s.judges() {
			label = group.keyword + ", "
		}
		out.Printf("    %s%s: %d\n", label, s.titled(group), len(group.places))
		shown := group.places
		if !opts.All && len(shown) > few {
			shown = shown[:few]
		}
		for _, p := range shown {
			out.Printf("      %s%s\n", placeName(p), t.about(s, p))
			if object := t.object(p).String(); object != "" {
				out.Printf("        %s\n", plaintext.Text(object))
			}
		}
		if more := len(group.places) - len(shown); more > 0 {
			out.Printf("      %s; -v lists all\n", plaintext.More(more))
		}
	}
}

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
