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
	"github.com/diffrun/diffrun/reports/record"
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
// suites, files that they name, and cases.
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
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	why := ""
	switch {
	case err != nil:
		why = err.Error()
	case footer.Tally == nil || footer.Incomplete || !sameHeader(header, s.header()) || footer.Tally.Files != s.plan.Digest:
		why = file + " is of another run, or incomplete"
	case s.recorded != nil:
		why = "--check-recorded compares what the cases record, and a report does not show whether that is the same"
	case footer.Tally.Own == "" && footer.Summary.Cases > 0:
		why = file + " has no hash of its cases, so it is unknown whether they are the same"
	default:
		why = s.otherCases(footer.Tally)
	}
	if why != "" {
		s.env.Warn("diffrun: warning: --resume: %s; the part is run again\n", why)
		return false
	}
	s.env.Warn("diffrun: part %s was run before: %s\n", s.options.shard, file)
	return true
}

// otherCases reads the cases of the shard, and returns how they differ from those of a report; empty: they are the
// same.
func (s *session) otherCases(of *record.Tally) string {
	defer func() { s.selection = selection{} }() // the run reads them again
	for suites := range Together(s.plan.Suites) {
		leave, err := suites[0].Enter()
		if err != nil {
			return err.Error()
		}
		for _, err := range s.jobs(suites) {
			if err != nil {
				leave()
				return err.Error()
			}
		}
		leave()
	}
	now := &s.selection
	same := now.own.sum() == of.Own && now.digest.sum() == of.Digest && (s.options.byFile() || now.cases == of.Cases)
	if !same || !slices.Equal(sorted(now.empty), of.Empty) || !slices.Equal(sorted(now.broken), of.Broken) {
		return s.options.recordFile() + " is of other cases"
	}
	return ""
}

func sameHeader(a, b reports.Header) bool {
	return a.Version == b.Version && a.Shard == b.Shard && slices.Equal(a.Options, b.Options) &&
		slices.Equal(a.FailOn, b.FailOn) && slices.Equal(a.Suites, b.Suites)
}

// leaveToMerge lets the pod of an Indexed Job succeed if its report is complete. Kubernetes would run
// a failed pod again, with the same result; diffrun merge judges all parts.
func (s *session) leaveToMerge(verdict error) error {
	ended := (*terminal.ExitError)(nil)
	if s.options.shardText != jobShard || s.options.recordFile() == "" || !errors.As(verdict, &ended) ||
		ended.Status != terminal.Different && ended.Status != terminal.Fault {
		return verdict
	}
	s.env.Warn("diffrun: part %s would end with status %d; its report is complete, and diffrun merge judges\n", s.options.shard,
		ended.Status)
	return nil
}
