package lintreport

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/jsonerrors"
)

// Baseline has accepted findings. It ignores files and lines, because a definition may move.
type Baseline struct{ accepted []documentFinding }

// ReadBaseline reads the JSON of a report. The error is a strictyaml.Mistakes.
func ReadBaseline(file string) (*Baseline, error) {
	data, err := infile.ReadFile(file)
	if err != nil {
		return nil, documents.Unreadable(file, err)
	}
	var mistakes strictyaml.Mistakes
	var read document
	if err := json.Unmarshal(data, &read); err != nil {
		mistakes.Addf(strictyaml.Position{File: file, Line: jsonerrors.Line(data, err)}, "not a baseline: %v; write one with: "+
			"diffrun schema lint -o json=%s SCHEMA...", jsonerrors.In(data, err, "the file"), file)
		return nil, mistakes
	}
	if read.Tool != tool || read.Findings == nil {
		mistakes.Addf(strictyaml.Position{File: file}, "%v; write one with: diffrun schema lint -o json=%s SCHEMA...", errNoReport, file)
		return nil, mistakes
	}
	return &Baseline{read.Findings}, nil
}

var errNoReport = errors.New("not a baseline: it is not the JSON of a report of schema lint")

// accepts reports whether the baseline has a finding in each version that now has it.
func (b *Baseline) accepts(f Finding) bool {
	return b != nil && slices.ContainsFunc(b.accepted, func(known documentFinding) bool {
		return known.is(f) && !slices.ContainsFunc(f.Versions, func(v string) bool { return !slices.Contains(known.Versions, v) })
	})
}

// gone counts the findings of the baseline that no longer exist.
func (b *Baseline) gone(found []Finding) int {
	if b == nil {
		return 0
	}
	n := 0
	for _, known := range b.accepted {
		if !slices.ContainsFunc(found, known.is) {
			n++
		}
	}
	return n
}

func (d documentFinding) is(f Finding) bool {
	return d.Of == f.Of && d.Lint == f.Lint && d.Place == f.At && d.What == f.What
}
