package reports

import (
	"bufio"
	"errors"
	"io"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
)

// RecordedRun is the report of an earlier run.
type RecordedRun struct {
	Results []Recorded
	// Incomplete is true if the run ended early.
	Incomplete bool
	// Checksum is the hash of the run: two reports that have one are copies.
	Checksum string
	// Narrowed says what the run skipped on purpose. Rules and exceptions that such a run did not
	// use may still be needed.
	Narrowed []string
}

// Recorded is a result in the report of an earlier run.
type Recorded struct {
	Case        string
	Suite       string
	Version     schema.GroupVersionKind
	Operation   string
	Subresource string
	Verdict     harness.Verdict
	Effect      harness.Effect
	Differences []RecordedDifference
}

// RecordedDifference is a pair of errors that differ. Rule and Exception are names, or empty. Bad
// values are not read.
type RecordedDifference struct {
	Class               equivalence.Class
	Native, Declarative *field.Error
	Rule, Exception     string
	// NativeCount and DeclarativeCount are how often each side reported its error. CountRule is
	// the name of the rule that accepts different counts.
	NativeCount, DeclarativeCount int
	CountRule                     string
}

// Explained reports whether a rule or an exception accepted the difference.
func (d RecordedDifference) Explained() bool { return d.Class == "" || d.Exception != "" }

var errCutShort = errors.New("this is not a complete report of diffrun; write one with -o json or -o jsonl, and let the run end")

// Read returns the results of a report in the format json or jsonl, in their order. It returns an
// error if the input is not such a report or was cut short.
func Read(r io.Reader) ([]Recorded, error) {
	run, err := ReadRun(r)
	return run.Results, err
}

// ReadRun is like Read, and also returns whether the run was complete. A shard is not: join all
// shards first.
func ReadRun(r io.Reader) (RecordedRun, error) {
	var run recorder
	if err := Play(r, &run); err != nil {
		return RecordedRun{}, err
	}
	return run.RecordedRun, nil
}

// recorder collects the results that Play sends to it.
type recorder struct {
	RecordedRun
	shard string
}

func (r *recorder) Begin(header Header) error {
	r.shard = header.Shard
	return nil
}

func (r *recorder) Result(result harness.Result) error {
	r.Results = append(r.Results, recorded(result))
	return nil
}

func (r *recorder) End(footer Footer) error {
	r.Checksum = footer.Checksum
	r.Incomplete, r.Narrowed = footer.Incomplete, footer.NarrowedTexts(r.shard)
	return nil
}

// withoutMark skips the byte order mark that some shells write.
func withoutMark(r io.Reader) io.Reader {
	const mark = "\ufeff"
	in := bufio.NewReader(r)
	if first, err := in.Peek(len(mark)); err == nil && string(first) == mark {
		_, _ = in.Discard(len(mark)) // it was peeked at
	}
	return in
}

func recorded(r harness.Result) Recorded {
	kept := Recorded{
		Case: r.Case.ID, Suite: r.Suite, Version: r.Version, Verdict: r.Verdict, Effect: r.Effect,
		Operation: string(r.Case.Operation()), Subresource: r.Case.Subresource,
	}
	for _, pair := range r.Pairs {
		d := RecordedDifference{
			Class: pair.Class, Native: withoutValue(pair.Native), Declarative: withoutValue(pair.Declarative),
			NativeCount: pair.NativeCount, DeclarativeCount: pair.DeclarativeCount,
		}
		if pair.Rule != nil {
			d.Rule = pair.Rule.Name
		}
		if pair.Repeats != nil {
			d.CountRule = pair.Repeats.Name
		}
		if pair.Exception != nil {
			d.Exception = pair.Exception.ID
		}
		kept.Differences = append(kept.Differences, d)
	}
	return kept
}

// withoutValue removes the bad value, which may be large.
func withoutValue(err *field.Error) *field.Error {
	if err == nil {
		return nil
	}
	kept := *err
	kept.BadValue = nil
	return &kept
}

func (e *Error) fieldError() *field.Error {
	if e == nil {
		return nil
	}
	return &field.Error{Type: field.ErrorType(e.Type), Field: e.Field, Detail: e.Detail, Origin: e.Origin}
}
