package cases

import (
	"io"
	"iter"
	"regexp"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/cases/internal/casefile"
	"github.com/diffrun/diffrun/harness"
)

// JobOptions are the options of Suite.Events and Suite.Jobs.
type JobOptions struct {
	// Harness controls the comparison. The rules and exceptions of the suite are not added; set
	// them to those of the Suite.
	Harness harness.Options
	// Compared names the two backends to compare, in place of those of the suite. Suite.Comparing
	// checks the names.
	Compared harness.Sides
	// CheckRecorded compares recorded errors with those that the suite's native validator
	// reports now, in place of the schema. If nil, the schema is compared.
	CheckRecorded *RecordedCheck

	// Only selects cases by their id. If nil, all cases are selected.
	Only *regexp.Regexp
	// SelectFile reports whether to read a file of cases. It is called for each file, in their
	// order. If nil, all files are read.
	SelectFile func(path string) bool
	// SkipMissing skips cases that the suite has no target for. Otherwise they are faults.
	SkipMissing bool

	// Schemas adds an event for each schema that compiled.
	Schemas bool
	// Coverage returns the counters for the schema of a version. subresources are those of the
	// version, if its schema names them. It must be safe for concurrent use. Optional.
	Coverage func(version schema.GroupVersionKind, subresources []string) *tally.Coverage
	// Native replaces the native backend of the suite, for example by one that counts. Optional.
	Native func(harness.Backend) harness.Backend
}

// Lines returns the cases of lines of JSON as they come, for instance from a pipe. The name is that
// of the stream in ids and positions. Nothing is kept of a line, so ids may repeat. An error of the
// reader comes last.
func Lines(in io.Reader, name string) iter.Seq2[harness.Case, error] { return casefile.Lines(in, name) }

// Review returns the case of an AdmissionReview that an API server sent. Its id is the uid of the
// request. Suite.Binder skips a request without an object.
func Review(review []byte) harness.Case { return casefile.Review(review) }
