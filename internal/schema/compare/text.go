package compare

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/internal/schema/diff"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// TextOptions control how much is written.
type TextOptions struct {
	// All writes every change. Otherwise only the first ones of each effect are written.
	All bool
}

// Text writes the comparison for people: the changes of each part, by effect.
func (c *Comparison) Text(w io.Writer, opts TextOptions) error {
	out := plaintext.NewPrinter(w)
	out.Printf("A %s\nB %s\n", c.A, c.B)
	quiet := 0 // parts that have a title and no changes
	for _, part := range c.Parts {
		shown := part.shown()
		if part.Title == "" || len(shown) > 0 {
			part.text(out, shown, opts)
		} else {
			quiet++
		}
	}
	switch total := c.Count(Error) + c.Count(Unproven) + c.Count(Warning); {
	case total == 0 && quiet == len(c.Parts) && quiet > 0:
		out.Printf("\nno difference was found in %s\n", plaintext.Text(partNames(c.Parts)))
	case len(c.Parts) > 1 || c.Count(Unproven)+c.Count(Warning)+c.Count(None) > 0:
		out.Printf("\n%s\n", c.summary())
	}
	return out.Flush()
}

func partNames(parts []Part) string {
	var names []string
	for _, part := range parts {
		names = append(names, part.Title)
	}
	return plaintext.List(names)
}

func (c *Comparison) summary() string {
	text := plaintext.Count(c.Count(Error), "error")
	if n := c.Count(Unproven); n > 0 {
		text += ", " + strconv.Itoa(n) + " unproven"
	}
	text += ", " + plaintext.Count(c.Count(Warning), "warning")
	if n := c.Count(None); n > 0 {
		text += "; " + plaintext.Count(n, "change") + " of level none not shown"
	}
	return text
}

func (p Part) shown() []Change {
	return slices.DeleteFunc(slices.Clone(p.Changes), func(c Change) bool { return c.Level == None })
}

func (p Part) text(out *plaintext.Printer, changes []Change, opts TextOptions) {
	if p.Title != "" {
		out.Printf("\n%s\n", p.Title)
	}
	if o := p.Outcome; o != nil {
		out.Printf("%s, seed %d: A accepts %d, B %d\n", plaintext.Count(o.Objects, "object"), o.Seed, o.AcceptedA, o.AcceptedB)
	}
	if len(changes) == 0 {
		out.Printf("\nno difference was found\n")
	}
	for _, effect := range diff.Effects() {
		of := slices.DeleteFunc(slices.Clone(changes), func(c Change) bool { return c.Effect != effect })
		if len(of) == 0 {
			continue
		}
		out.Printf("\n%s:\n", effectTitle(effect, of))
		shown, more := plaintext.First(of)
		if opts.All {
			shown, more = of, 0
		}
		for _, change := range shown {
			change.text(out)
		}
		if more > 0 {
			out.Printf("  %s; --all shows them\n", plaintext.More(more))
		}
	}
}

// effectTitle returns a heading for the changes of an effect.
func effectTitle(effect diff.Effect, changes []Change) string {
	switch effect {
	case diff.Narrower:
		return "B rejects what A accepts"
	case diff.Wider:
		return "B accepts what A rejects"
	case diff.Other:
		if !changes[0].Shown {
			return "B behaves differently"
		}
		return "B accepts what A rejects, and the reverse"
	case diff.Stored:
		return "A and B accept the same object, and store it differently"
	}
	return "unknown: the schemas alone do not say what this accepts"
}

func (c Change) text(out *plaintext.Printer) {
	level := ""
	if c.Level != Error {
		level = " (" + string(c.Level) + ")"
	}
	out.Printf("  %s: %s%s\n", c.place(), strings.Join(strings.Fields(c.What), " "), level)
	if c.From != "" || c.To != "" {
		out.Printf("    - %s\n    + %s\n", strings.Join(strings.Fields(c.From), " "), strings.Join(strings.Fields(c.To), " "))
	}
	for _, example := range c.Examples {
		if example.Effect == diff.Stored {
			out.Printf("    of         %s\n    A stores   %s\n    B stores   %s\n", objectText(example.Object),
				objectText(example.StoredA), objectText(example.StoredB))
			continue
		}
		accepts, rejects := sides(example.Effect)
		if example.Old != nil {
			out.Printf("    stored is  %s\n", objectText(example.Old))
		}
		out.Printf("    %s accepts  %s\n    %s says     %s\n", accepts, objectText(example.Object), rejects, example.Text)
		if stored := example.OnceStored; stored.State != "" {
			out.Printf("    if stored  %s\n", onceStored(stored))
			if stored.Worst != nil {
				out.Printf("    as of      %s\n    B says     %s\n", objectText(stored.Worst), stored.Rejection.Text)
			}
		}
	}
	if c.Shown && len(c.Examples) == 0 {
		out.Printf("    no object that shows it was found\n")
	}
}

func (c Change) place() string {
	if c.Path == "" {
		return "(the object)"
	}
	return c.Path
}

// sides returns the side that accepts an example, and the side that rejects it.
func sides(effect diff.Effect) (accepts, rejects string) {
	if effect == diff.Wider {
		return "B", "A"
	}
	return "A", "B"
}

// The limits on how much of an object is written. A longer one is counted instead.
const (
	mostItems      = 3
	mostCharacters = 60
)

// objectText returns an object on one line, with long lists and texts shortened.
func objectText(object map[string]any) string {
	text, err := plaintext.JSON(shortened(object))
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func shortened(value any) any {
	switch value := value.(type) {
	case map[string]any:
		short := map[string]any{}
		names := make([]string, 0, len(value))
		for name := range value {
			names = append(names, name)
		}
		slices.Sort(names)
		for i, name := range names {
			if len(names) > 4*mostItems && i == mostItems {
				short["…"] = fmt.Sprintf("%d more fields", len(names)-i)
				break
			}
			short[name] = shortened(value[name])
		}
		return short
	case []any:
		short := make([]any, 0, len(value))
		for i, item := range value {
			if len(value) > 2*mostItems && i == mostItems {
				return append(short, fmt.Sprintf("… %d more items", len(value)-i))
			}
			short = append(short, shortened(item))
		}
		return short
	case string:
		if all := []rune(value); len(all) > mostCharacters {
			return fmt.Sprintf("%s… %d more characters", string(all[:mostCharacters/2]), len(all)-mostCharacters/2)
		}
	}
	return value
}
