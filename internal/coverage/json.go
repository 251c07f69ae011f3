package coverage

import (
	"encoding/json"
	"io"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

type document struct {
	Tool    string `json:"tool"`
	Version string `json:"version"`
	// Narrowed lists what the run left out on purpose.
	Narrowed []string         `json:"narrowed"`
	Targets  []documentTarget `json:"targets"`
	// Handwritten is omitted unless it was measured.
	Handwritten *Sites `json:"handwritten,omitempty"`
	// Conditions are omitted unless hand-written validators were measured.
	Conditions []Conditions `json:"conditions,omitempty"`
}

type documentTarget struct {
	Suite        string        `json:"suite"`
	Target       string        `json:"target"`
	Inputs       int           `json:"inputs"`
	Pruned       *int          `json:"pruned,omitempty"`
	Subresources []Subresource `json:"subresources"`
	Keywords     Figure        `json:"keywords"`
	Fields       Figure        `json:"fields"`
	Values       Figure        `json:"values"`
	// Guards is omitted for targets of other kinds than webhooks and policies.
	Guards Figure          `json:"guards,omitzero"`
	Places []documentPlace `json:"places"`
}

type documentPlace struct {
	Path    string `json:"path"`
	Within  string `json:"within,omitempty"`
	Keyword string `json:"keyword"`
	Index   *int   `json:"index,omitempty"`
	Value   string `json:"value,omitempty"`
	// Declared are the places of the schema that have the keyword, Lines their files and lines, and Object
	// an object that fails it; null: none was found.
	Declared []string        `json:"declared,omitempty"`
	Lines    []string        `json:"lines,omitempty"`
	Object   json.RawMessage `json:"object,omitempty"`
	// OldObject is the old object, if an update fails it.
	OldObject json.RawMessage `json:"oldObject,omitempty"`

	Reached int `json:"reached"`
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
}

// JSON writes the report with all places as one JSON document.
func (r Report) JSON(w io.Writer, version string) error {
	d := document{
		Tool:        "diffrun coverage",
		Version:     version,
		Narrowed:    append([]string{}, r.Narrowed...),
		Targets:     []documentTarget{},
		Handwritten: r.Sites,
		Conditions:  r.Conditions,
	}
	for i := range r.Targets {
		t := &r.Targets[i]
		made := documentTarget{
			Suite:        t.Suite,
			Target:       t.Name,
			Inputs:       t.Inputs,
			Pruned:       t.Pruned,
			Subresources: t.Subresources,
			Places:       []documentPlace{},
		}
		if made.Subresources == nil {
			made.Subresources = []Subresource{}
		}
		figures := []*Figure{&made.Keywords, &made.Fields, &made.Values, &made.Guards}
		for at, s := range sections() {
			*figures[at] = s.figure(t)
			for _, p := range s.of(t) {
				made.Places = append(made.Places, documented(t, p))
			}
		}
		d.Targets = append(d.Targets, made)
	}
	text, err := plaintext.JSON(d)
	if err != nil {
		return err
	}
	return plaintext.Fprintf(w, "%s\n", plaintext.Text(text))
}

func documented(t *Target, p tally.Place) documentPlace {
	made := documentPlace{
		Path:     p.Path,
		Within:   p.Within,
		Keyword:  p.Keyword,
		Value:    p.Value,
		Declared: p.Declared,
		Reached:  p.Reached,
		Passed:   p.Passed,
		Failed:   p.Failed,
	}
	if p.Keyword == openapi.XValidations {
		made.Index = &p.Index
	}
	made.Lines, made.Object, made.OldObject = t.linesOf(p), t.object(p).JSON, t.object(p).Old
	return made
}
