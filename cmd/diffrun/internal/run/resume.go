package run

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"slices"
	"time"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/recorded"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/files/bucket"
	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/reports"
)

// checkResume refuses --resume without the flags that it needs.
func (o *Options) checkResume() error {
	if o.resume && (o.shard == shard{} || o.recordFile() == "") {
		return errors.New("--resume looks for the report of a part of a run; add --shard and -o jsonl=FILE")
	}
	return nil
}

// lockShard waits until no other process runs the same shard into the same file; its report then
// serves this process. The lock is nil without --resume, and for a report in a bucket, which has no
// locks: there two processes write the same report, one after the other.
func (s *session) lockShard(ctx context.Context) (*outfile.Lock, error) {
	file := s.options.recordFile()
	if !s.options.resume || bucket.Is(file) {
		return nil, nil
	}
	lock, err := outfile.LockFile(ctx, file, 0)
	if held := (*outfile.HeldError)(nil); errors.As(err, &held) {
		s.env.Warn("diffrun: part %s waits: %v\n", s.options.shard, err)
		lock, err = outfile.LockFile(ctx, file, time.Duration(math.MaxInt64))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // opening the report fails for the same reason
	}
	return lock, err
}

// alreadyRun reports whether the complete report of this shard exists, with the same version, flags,
// suites, and files that they name. It does not compare the cases; merge does.
func (s *session) alreadyRun() bool {
	if !s.options.resume {
		return false
	}
	file := s.options.recordFile()
	var header reports.Header
	var footer reports.Footer
	err := recorded.Play(s.env.Console, file, recorded.Handler{
		Header: func(h reports.Header) { header = h },
		Footer: func(f reports.Footer) { footer = f },
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false
	case err != nil:
		s.env.Warn("diffrun: warning: --resume: %v; the part is run again\n", err)
		return false
	case footer.Tally == nil || footer.Incomplete || !sameHeader(header, s.header()) || footer.Tally.Files != s.plan.Digest:
		s.env.Warn("diffrun: warning: --resume: %s is of another run, or incomplete; the part is run again\n", file)
		return false
	}
	s.env.Warn("diffrun: part %s was run before: %s\n", s.options.shard, file)
	return true
}

func sameHeader(a, b reports.Header) bool {
	return a.Version == b.Version && a.Shard == b.Shard && slices.Equal(a.Options, b.Options) && slices.Equal(a.FailOn, b.FailOn) && slices.Equal(a.Suites, b.Suites)
}

// leaveToMerge lets the pod of an Indexed Job succeed if its report is complete. Kubernetes would run
// a failed pod again, with the same result; diffrun merge judges all parts.
func (s *session) leaveToMerge(verdict error) error {
	ended := (*terminal.ExitError)(nil)
	if s.options.shardText != jobShard || s.options.recordFile() == "" || !errors.As(verdict, &ended) || ended.Status != terminal.Different && ended.Status != terminal.Fault {
		return verdict
	}
	s.env.Warn("diffrun: part %s would end with status %d; its report is complete, and diffrun merge judges\n", s.options.shard, ended.Status)
	return nil
}
