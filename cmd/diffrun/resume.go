package main

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/diffrun/diffrun/reports"
)

// record is the file of the first report that diffrun merge could read; empty: there is none.
func (o runOptions) record() string {
	for _, out := range o.outputs {
		if (out.format == "json" || out.format == "jsonl") && out.file != "" {
			return out.file
		}
	}
	return ""
}

// checkResume says what --resume lacks.
func (o runOptions) checkResume() error {
	if o.resume && (o.shard == shard{} || o.record() == "") {
		return errors.New("--resume looks for the report of a part of a run; add --shard and -o jsonl=FILE")
	}
	return nil
}

// ranBefore says whether the report of this shard is there: of the same version, flags, suites
// and files that they name, and complete. Whether the cases are the same, merge finds.
func (p *program) ranBefore(s *session) bool {
	if !s.options.resume {
		return false
	}
	file := s.options.record()
	var header reports.Header
	var footer reports.Footer
	err := p.play(file, taking{
		header: func(h reports.Header) { header = h },
		footer: func(f reports.Footer) { footer = f },
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false
	case err != nil:
		p.warn("diffrun: warning: --resume: %v; the part is run again\n", err)
		return false
	case footer.Tally == nil || footer.Incomplete || !sameHeader(header, s.header()) || footer.Tally.Files != s.plan.Digest:
		p.warn("diffrun: warning: --resume: %s is of another run, or incomplete; the part is run again\n", file)
		return false
	}
	p.warn("diffrun: part %s was run before: %s\n", s.options.shard, file)
	return true
}

func sameHeader(a, b reports.Header) bool {
	return a.Version == b.Version && a.Shard == b.Shard && slices.Equal(a.Options, b.Options) && slices.Equal(a.FailOn, b.FailOn) && slices.Equal(a.Suites, b.Suites)
}
