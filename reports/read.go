package reports

import (
	"bufio"
	"errors"
	"io"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
)

// Run is the report of an earlier run.
type Run struct {
	// Results have the differences of the recorded results, without bad values and other errors.
	Results []harness.Result
	// Incomplete is true if the run ended early.
	Incomplete bool
	// Checksum is the hash of the run. Two reports with one Checksum are copies.
	Checksum string
	// Narrowed lists what the run skipped on purpose. Rules and exceptions that such a run did not use
	// may still be needed.
	Narrowed []string
}

var errCutShort = errors.New("this is not a complete report of diffrun; write one with -o json or -o jsonl, and let the run end")

// Read returns a report in the format json or jsonl. It returns an error if the input is not such a
// report or was cut short. A shard is not a complete run: join all shards first.
func Read(r io.Reader) (Run, error) {
	var read reader
	if err := Play(r, &read); err != nil {
		return Run{}, err
	}
	return read.Run, nil
}

// reader collects the results that Play sends to it.
type reader struct {
	Run
	shard string
}

func (r *reader) Begin(header Header) error {
	r.shard = header.Shard
	return nil
}

func (r *reader) Result(result harness.Result) error {
	r.Results = append(r.Results, brief(result))
	return nil
}

func (r *reader) End(footer Footer) error {
	r.Checksum, r.Incomplete, r.Narrowed = footer.Checksum, footer.Incomplete, footer.NarrowedTexts(r.shard)
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

// brief returns the parts of a result that Run keeps: a run may have many.
func brief(r harness.Result) harness.Result {
	kept := harness.Result{Suite: r.Suite, Case: r.Case, Version: r.Version, Verdict: r.Verdict, Effect: r.Effect}
	for _, pair := range r.Pairs {
		if !pair.Exact() {
			pair.Native, pair.Declarative = withoutValue(pair.Native), withoutValue(pair.Declarative)
			kept.Pairs = append(kept.Pairs, pair)
		}
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
