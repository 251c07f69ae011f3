package compare

import (
	"io"
	"strings"

	"github.com/diffrun/diffrun/internal/schema/diff"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

type document struct {
	Tool    string          `json:"tool"`
	Version string          `json:"version"`
	A       string          `json:"a"`
	B       string          `json:"b"`
	Summary documentSummary `json:"summary"`
	Parts   []documentPart  `json:"parts"`
}

type documentSummary struct {
	Errors   int `json:"errors"`
	Unproven int `json:"unproven"`
	Warnings int `json:"warnings"`
	None     int `json:"none"`
}

type documentPart struct {
	Title   string           `json:"title"`
	Objects *documentObjects `json:"objects,omitempty"`
	Changes []documentChange `json:"changes"`
}

type documentObjects struct {
	Generated int    `json:"generated"`
	Seed      uint64 `json:"seed"`
	AcceptedA int    `json:"acceptedA"`
	AcceptedB int    `json:"acceptedB"`
}

type documentChange struct {
	Level    Level             `json:"level"`
	Effect   diff.Effect       `json:"effect"`
	Kind     string            `json:"kind"`
	Path     string            `json:"path"`
	What     string            `json:"what"`
	From     string            `json:"from,omitempty"`
	To       string            `json:"to,omitempty"`
	Examples []documentExample `json:"examples,omitempty"`
}

// documentExample says who accepts and who rejects an object or, if both accept it, what they
// store.
type documentExample struct {
	Accepts   string         `json:"accepts,omitempty"`
	Rejects   string         `json:"rejects,omitempty"`
	Object    map[string]any `json:"object"`
	OldObject map[string]any `json:"oldObject,omitempty"`
	StoredA   map[string]any `json:"storedA,omitempty"`
	StoredB   map[string]any `json:"storedB,omitempty"`
	Field     string         `json:"field,omitempty"`
	Text      string         `json:"text,omitempty"`
	// OnceStored is "dropped", "editable", "restricted" or "stuck" if B rejects the object: what it does with a stored one.
	OnceStored diff.StoredState `json:"onceStored,omitempty"`
	Updates    *documentUpdates `json:"updates,omitempty"`
}

// documentUpdates has the updates of stored objects that were tried, by what they change.
type documentUpdates struct {
	Objects  int      `json:"objects"`
	Accepted []string `json:"accepted"`
	Refused  []string `json:"refused"`
	// Varies reports whether other values are better off.
	Varies bool `json:"varies,omitempty"`
	// Worst is an object that is worse off than the one of the example, and Text is what B says about its update.
	Worst map[string]any `json:"worst,omitempty"`
	Text  string         `json:"text,omitempty"`
}

func documentUpdatesOf(of diff.OnceStored) *documentUpdates {
	if of.State == "" {
		return nil
	}
	made := &documentUpdates{
		Objects:  of.Objects,
		Accepted: append([]string{}, of.Accepted...),
		Refused:  append([]string{}, of.Refused...),
		Varies:   of.Varies,
		Worst:    of.Worst,
	}
	if len(of.Refused) > 0 {
		made.Text = of.Rejection.Text
	}
	return made
}

func documentOf(e diff.Example) documentExample {
	made := documentExample{
		Object:     e.Object,
		OldObject:  e.Old,
		StoredA:    e.StoredA,
		StoredB:    e.StoredB,
		Field:      e.Field,
		Text:       e.Text,
		OnceStored: e.OnceStored.State,
		Updates:    documentUpdatesOf(e.OnceStored),
	}
	if e.Effect != diff.Stored {
		made.Accepts, made.Rejects = sides(e.Effect)
	}
	return made
}

// JSON writes the comparison as one JSON document, with changes of every level.
func (c *Comparison) JSON(w io.Writer, version string) error {
	d := document{
		Tool:    "diffrun schema compare",
		Version: version,
		A:       c.A,
		B:       c.B,
		Summary: documentSummary{c.Count(Error), c.Count(Unproven), c.Count(Warning), c.Count(None)},
	}
	for _, part := range c.Parts {
		made := documentPart{Title: part.Title, Changes: []documentChange{}}
		if o := part.Outcome; o != nil {
			made.Objects = &documentObjects{o.Objects, o.Seed, o.AcceptedA, o.AcceptedB}
		}
		for _, change := range part.Changes {
			one := documentChange{
				Level:  change.Level,
				Effect: change.Effect,
				Kind:   change.Kind,
				Path:   change.Path,
				What:   change.What,
				From:   change.From,
				To:     change.To,
			}
			for _, example := range change.Examples {
				one.Examples = append(one.Examples, documentOf(example))
			}
			made.Changes = append(made.Changes, one)
		}
		d.Parts = append(d.Parts, made)
	}
	text, err := plaintext.JSON(d)
	if err != nil {
		return err
	}
	return plaintext.Fprintf(w, "%s\n", plaintext.Text(text))
}

// Markdown writes the comparison for a comment on a pull request.
func (c *Comparison) Markdown(w io.Writer) error {
	out := plaintext.NewPrinter(w)
	out.Printf("# %s → %s\n\n%s\n", code(c.A), code(c.B), c.summary())
	for _, part := range c.Parts {
		changes := part.shown()
		if len(changes) == 0 {
			continue
		}
		if part.Title != "" {
			out.Printf("\n## %s\n", escaped(part.Title))
		}
		for _, effect := range diff.Effects() {
			first := true
			for _, change := range changes {
				if change.Effect != effect {
					continue
				}
				if first {
					out.Printf("\n**%s**\n\n", effectTitle(effect, []Change{change}))
					first = false
				}
				change.markdown(out)
			}
		}
	}
	return out.Flush()
}

func (c Change) markdown(out *plaintext.Printer) {
	out.Printf("- %s: %s: %s\n", c.Level, code(c.place()), code(strings.Join(strings.Fields(c.What), " ")))
	if c.From != "" || c.To != "" {
		out.Printf("  - was %s\n  - is %s\n", code(c.From), code(c.To))
	}
	for _, example := range c.Examples {
		if example.Effect == diff.Stored {
			out.Printf("  - of %s A stores %s, B %s\n", code(objectText(example.Object)), code(objectText(example.StoredA)),
				code(objectText(example.StoredB)))
			continue
		}
		accepts, rejects := sides(example.Effect)
		update := ""
		if example.Old != nil {
			update = " after " + code(objectText(example.Old))
		}
		out.Printf("  - %s accepts %s%s, %s says %s\n", accepts, code(objectText(example.Object)), plaintext.Text(update),
			rejects, code(example.Text))
		if stored := example.OnceStored; stored.State != "" {
			out.Printf("    - if stored: %s\n", escaped(onceStored(stored)))
			if stored.Worst != nil {
				out.Printf("    - as of %s, B says %s\n", code(objectText(stored.Worst)), code(stored.Rejection.Text))
			}
		}
	}
}

// code returns a text as Markdown code. It uses more backticks than the text has in a row.
func code(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + text + " " + fence
	}
	return fence + text + fence
}

// escaped returns a text in which no character has a meaning in Markdown.
func escaped(text string) string {
	var out strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_{}[]<>#|", r) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}
