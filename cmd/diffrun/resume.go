package main

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"slices"
	"time"

	"github.com/diffrun/diffrun/internal/files/bucket"
	"github.com/diffrun/diffrun/internal/files/outfile"
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

// lockPart waits until no other process runs this part of the run into the same file: its report is
// then that of this one. It is nil without --resume, and for a report in a bucket, which has no locks:
// there two processes write the same report, one after the other.
func (p *program) lockPart(ctx context.Context, options runOptions) (*outfile.Lock, error) {
	file := options.record()
	if !options.resume || bucket.Is(file) {
		return nil, nil
	}
	lock, err := outfile.LockFile(ctx, file, 0)
	if held := (*outfile.HeldError)(nil); errors.As(err, &held) {
		p.warn("diffrun: part %s waits: %v\n", options.shard, err)
		lock, err = outfile.LockFile(ctx, file, time.Duration(math.MaxInt64))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // there is no such directory, which the report says
	}
	return lock, err
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
