package soak

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/bucket"
	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/live/counters"
)

// maxFindings limits the number of signatures. Further findings are only counted.
const maxFindings = 10_000

// interval is the time between two writes of the state; see journal.go.
const interval = time.Second

// Names in a folder.
const (
	stateFile   = "state.json"
	lockFile    = "state.lock"
	differences = "differences"
	caseFile    = ".jsonl"
	textFile    = ".txt"
)

// Folder keeps the findings of soaks. A directory belongs to one soak at a time and has the counts of
// all. A bucket may belong to many soaks at once, which share their findings but no counts.
type Folder struct {
	// Replay compares a written case again, in the suite of a result. It is called for redacted cases, to
	// see whether they still show the finding. It is optional.
	Replay func(suite string, line []byte) []harness.Result

	to     keeper
	dir    string // of the state; empty: there is none
	redact bool
	now    func() time.Time

	state   State
	journal *outfile.Log           // nil: in a bucket
	lock    *outfile.Lock          // nil: in a bucket
	changed map[string]FindingSeen // the findings of the last case
	last    *harness.Case          // whose results are coming in
	failed  bool                   // a finding of it was not kept, so it does not count as compared
	written time.Time              // when the state was written
	began   time.Time
	before  float64 // seconds of earlier soaks
}

// Options of a Folder.
type Options struct {
	// Suites and Source name the cases of the run.
	Suites []string
	Source string
	// Redact: the results have no texts of objects, see package redaction.
	Redact bool
	Now    func() time.Time
	// OnFinding is called with the fate of each new finding, for a bucket from another goroutine. why is
	// the error if it failed or was dropped. A finding without a class is about the bucket itself.
	OnFinding func(found Found, fate counters.Fate, why error)
}

// Open opens a folder: a directory, which is created if necessary, or the URL of a bucket with the
// prefix of its objects. It returns an error if the folder cannot be used, for instance because other
// suites were run in the directory.
func Open(ctx context.Context, name string, options Options) (*Folder, error) {
	f := &Folder{redact: options.Redact, now: options.Now, began: options.Now()}
	f.state = State{
		Suites: options.Suites, Source: options.Source, Redacted: options.Redact,
		Counts: Counts{Verdicts: map[string]int{}, Effects: map[string]int{}}, Findings: map[string]FindingSeen{},
	}
	if bucket.Is(name) {
		f.state.shared = true
		to, err := openShared(ctx, name, options.OnFinding)
		if err != nil {
			return nil, err
		}
		f.to = to
		return f, f.adopt()
	}
	to, err := openDirectory(name, options.OnFinding)
	if err != nil {
		return nil, err
	}
	f.to, f.dir = to, name
	if f.lock, err = outfile.LockDirectory(ctx, name, lockFile, lockTimeout); err != nil {
		if held := (*outfile.HeldError)(nil); errors.As(err, &held) {
			return nil, fmt.Errorf("%w: a folder belongs to one soak at a time; name another folder, or wait for its end", err)
		}
		return nil, err
	}
	if err := f.resume(); err != nil {
		return nil, errors.Join(err, f.lock.Unlock())
	}
	return f, nil
}

// lockTimeout is how long a soak waits for a previous one in its folder to end.
const lockTimeout = time.Second

// resume continues from the state of earlier soaks in the directory.
func (f *Folder) resume() error {
	err := f.read()
	if err != nil {
		return err
	}
	if f.journal, err = outfile.OpenLog(filepath.Join(f.dir, journalFile)); err != nil {
		return err
	}
	f.before = f.state.Elapsed
	if err := errors.Join(f.adopt(), f.Save()); err != nil {
		return errors.Join(err, f.journal.Close())
	}
	f.written = time.Time{} // the first case writes it again
	return nil
}

// adopt adds findings that the state does not have: findings that were written after it, before the
// process was killed, and those of other processes.
func (f *Folder) adopt() error {
	names, err := f.to.names()
	if err != nil {
		return err
	}
	for _, name := range names {
		class, signature := cut(name)
		if _, known := f.state.Findings[signature]; class != "" && !known && len(f.state.Findings) < maxFindings {
			f.state.Findings[signature] = FindingSeen{Text: class, First: f.now().UTC()}
		}
	}
	return nil
}

// cut splits the name of a finding. Classes may also have hyphens.
func cut(name string) (class, signature string) {
	i := strings.LastIndex(name, "-")
	if i < 0 {
		return "", name
	}
	return name[:i], name[i+1:]
}

// State returns the progress of all soaks in the folder.
func (f *Folder) State() State {
	state := f.state
	state.Elapsed = f.before + f.now().Sub(f.began).Seconds()
	return state
}

// Take counts a result and keeps its new findings. The results of a case must come one after the other.
func (f *Folder) Take(r harness.Result) error {
	if err := f.Count(r); err != nil {
		return err
	}
	for _, finding := range causes.Findings(&r) {
		if err := f.add(finding, &r); err != nil {
			return err
		}
	}
	return nil
}

// Count counts a result and its known findings. The results of a case must come one after the other.
func (f *Folder) Count(r harness.Result) error {
	if r.Case != f.last {
		if err := f.finish(); err != nil {
			return err
		}
		f.last = r.Case
	}
	f.state.count(&r)
	for _, finding := range causes.Findings(&r) {
		if seen, known := f.state.Findings[finding.Signature]; known {
			seen.Text, seen.Message = finding.Text, finding.Message // adopted ones have the name of their class
			seen.Count++
			f.found(finding.Signature, seen)
		}
	}
	return nil
}

// Keep keeps the new findings of a result that is not counted: that of a small case.
func (f *Folder) Keep(r harness.Result) error {
	for _, finding := range causes.Findings(&r) {
		if err := f.add(finding, &r); err != nil {
			return err
		}
	}
	return nil
}

// add keeps a finding if it is new.
func (f *Folder) add(finding causes.Finding, r *harness.Result) error {
	if _, known := f.state.Findings[finding.Signature]; known {
		return nil
	}
	if len(f.state.Findings) >= maxFindings {
		f.state.More++
		return nil
	}
	kept, err := f.keep(finding, r)
	switch {
	case err != nil:
		f.failed = true
		return err
	case !kept:
		f.state.Dropped++
		return nil
	}
	f.found(finding.Signature, FindingSeen{Text: finding.Text, Message: finding.Message, First: f.now().UTC(), Count: 1})
	return nil
}

// found records how often a finding was seen.
func (f *Folder) found(signature string, seen FindingSeen) {
	f.state.Findings[signature] = seen
	if f.changed == nil {
		f.changed = map[string]FindingSeen{}
	}
	f.changed[signature] = seen
}

// finish counts the last case and records it.
func (f *Folder) finish() error {
	if f.last == nil {
		return nil
	}
	defer clear(f.changed)
	f.last = nil
	f.state.Cases++
	f.state.Position++
	if f.now().Sub(f.written) < interval {
		return f.log()
	}
	return f.Save()
}

// Pass ends a pass over all cases.
func (f *Folder) Pass() error {
	if err := f.finish(); err != nil {
		return err
	}
	f.state.Passes++
	f.state.Position = 0
	return f.Save()
}

// Close writes the final state, after all results of the last case. If a finding was not kept, the state
// on disk remains that of the previous cases, so the next soak compares the case again. Close waits until
// the bucket has all findings or the context ends, and returns an error for those that were not written.
func (f *Folder) Close(ctx context.Context) error {
	var err error
	if !f.failed {
		err = errors.Join(f.finish(), f.Save())
	}
	err = errors.Join(err, f.to.close(ctx))
	if f.journal != nil {
		err = errors.Join(err, f.journal.Close(), f.lock.Unlock())
	}
	return err
}

// Save writes the state of a directory.
func (f *Folder) Save() error {
	if f.dir == "" {
		return nil
	}
	data, err := f.State().encode()
	if err != nil {
		return err
	}
	f.written = f.now()
	if err := outfile.Write(filepath.Join(f.dir, stateFile), data); err != nil {
		return err
	}
	return f.journal.Empty()
}

// Found is a new finding.
type Found struct {
	causes.Finding
	// Path is the file of the text. The case is beside it.
	Path string
	// Line is its case, or nil if the case could not be read.
	Line []byte
	// Weaker is true if the redacted case does not show the finding.
	Weaker bool
}

// keep writes a finding: its case, if it could be read, and the text about it.
func (f *Folder) keep(finding causes.Finding, r *harness.Result) (bool, error) {
	found := Found{Finding: finding, Path: f.to.path(finding.Name())}
	if r.Case.Object != nil {
		line, err := caseLine(finding, r.Case)
		if err != nil {
			return false, err
		}
		found.Line, found.Weaker = line, f.redact && f.Replay != nil && !shows(f.Replay(r.Suite, line), finding.Signature)
	}
	return f.to.keep(found, []byte(f.text(&found, r)))
}

// shows reports whether results have a finding.
func shows(results []harness.Result, signature string) bool {
	return slices.ContainsFunc(results, func(r harness.Result) bool {
		return slices.ContainsFunc(causes.Findings(&r), func(again causes.Finding) bool { return again.Signature == signature })
	})
}
