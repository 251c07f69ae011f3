package reports

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/jsonwords"
)

// RecordedRun is the report of an earlier run.
type RecordedRun struct {
	Results []Recorded
	// Incomplete says that the run ended early. Narrowed says that it left out cases or
	// errors. What such a run had no use for may be needed all the same.
	Incomplete, Narrowed bool
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

// RecordedDifference is a pair of errors that are not equal. Rule and Exception are
// names, or empty. The bad values of the errors are not read.
type RecordedDifference struct {
	Class               equivalence.Class
	Native, Declarative *field.Error
	Rule, Exception     string
	// NativeCount and DeclarativeCount say how often each side reported its error;
	// CountRule names the rule that allows for them to differ.
	NativeCount, DeclarativeCount int
	CountRule                     string
}

// Explained says that a rule or an exception accepted the difference.
func (d RecordedDifference) Explained() bool { return d.Class == "" || d.Exception != "" }

var errCutShort = errors.New("this is not a complete report of diffrun; write one with -o json or -o jsonl, and let the run end")

// Read gives the results of a report in the format json or jsonl, in their order. The
// error says that the input is not such a report, or that it was cut short.
func Read(r io.Reader) ([]Recorded, error) {
	run, err := ReadRun(r)
	return run.Results, err
}

// ReadRun reads a report as Read does, and says whether the run was a full one.
func ReadRun(r io.Reader) (RecordedRun, error) {
	run := RecordedRun{}
	ended := false
	for decoder := json.NewDecoder(withoutMark(r)); ; {
		var part struct {
			resultObject
			Tool    string          `json:"tool"`
			Results []resultObject  `json:"results"`
			Summary json.RawMessage `json:"summary"`

			Incomplete bool `json:"incomplete"`
			Narrowed   bool `json:"narrowed"`
		}
		var raw json.RawMessage
		err := decoder.Decode(&raw)
		if err == nil {
			err = kjson.UnmarshalCaseSensitivePreserveInts(raw, &part)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return RecordedRun{}, errCutShort
		}
		if err != nil {
			return RecordedRun{}, fmt.Errorf("this is not a report of diffrun; write one with -o json or -o jsonl: %w", jsonwords.Of(err, "it"))
		}
		if part.Case != "" {
			part.Results = append(part.Results, part.resultObject)
		}
		ended = ended || part.Summary != nil
		run.Incomplete, run.Narrowed = run.Incomplete || part.Incomplete, run.Narrowed || part.Narrowed
		for _, result := range part.Results {
			recorded, err := result.recorded()
			if err != nil {
				return RecordedRun{}, err
			}
			run.Results = append(run.Results, recorded)
		}
	}
	if !ended {
		return RecordedRun{}, errCutShort
	}
	return run, nil
}

// withoutMark passes over the byte order mark that some shells begin a file with.
func withoutMark(r io.Reader) io.Reader {
	const mark = "\ufeff"
	in := bufio.NewReader(r)
	if first, err := in.Peek(len(mark)); err == nil && string(first) == mark {
		_, _ = in.Discard(len(mark)) // it was peeked at
	}
	return in
}

func (r resultObject) recorded() (Recorded, error) {
	recorded := Recorded{Case: r.Case, Suite: r.Suite, Verdict: harness.Verdict(r.Verdict), Operation: r.Operation, Subresource: r.Subresource, Effect: harness.Effect(r.Effect)}
	if r.Target != "" {
		version, err := harness.ParseTargetName(r.Target)
		if err != nil {
			return Recorded{}, fmt.Errorf("case %s: %w", r.Case, err)
		}
		recorded.Version = version
	}
	for _, d := range r.Differences {
		recorded.Differences = append(recorded.Differences, RecordedDifference{
			Class: equivalence.Class(d.Class), Native: d.Native.fieldError(), Declarative: d.Declarative.fieldError(),
			Rule: d.Rule, Exception: d.Exception,
			NativeCount: d.NativeCount, DeclarativeCount: d.DeclarativeCount, CountRule: d.CountRule,
		})
	}
	return recorded, nil
}

func (e *Error) fieldError() *field.Error {
	if e == nil {
		return nil
	}
	return &field.Error{Type: field.ErrorType(e.Type), Field: e.Field, Detail: e.Detail, Origin: e.Origin}
}
