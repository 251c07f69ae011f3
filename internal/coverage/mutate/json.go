package mutate

import (
	"io"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

type document struct {
	Tool      string         `json:"tool"`
	Version   string         `json:"version"`
	Narrowed  []string       `json:"narrowed"`
	Inputs    int            `json:"inputs"`
	Undecided int            `json:"undecided"`
	Of        int            `json:"of"`
	Seed      *uint64        `json:"seed,omitempty"`
	Counts    map[Status]int `json:"counts"`
	Mutants   []Mutant       `json:"mutants"`
	// Unfinished counts the mutants that an interrupted run did not decide.
	Unfinished int `json:"unfinished,omitempty"`
}

// JSON writes the report with all mutants as one JSON document.
func (r Report) JSON(w io.Writer, version string) error {
	d := document{
		Tool:      "diffrun mutate",
		Version:   version,
		Narrowed:  append([]string{}, r.Narrowed...),
		Inputs:    r.Inputs,
		Undecided: r.Undecided,
		Of:        r.Of,
		Counts:    map[Status]int{},
		Mutants:   r.Mutants,

		Unfinished: r.Unfinished,
	}
	if r.isSample() {
		d.Seed = &r.Seed
	}
	if d.Mutants == nil {
		d.Mutants = []Mutant{}
	}
	for _, status := range statuses() {
		d.Counts[status] = r.Count(status)
	}
	text, err := plaintext.JSON(d)
	if err != nil {
		return err
	}
	return plaintext.Fprintf(w, "%s\n", plaintext.Text(text))
}
