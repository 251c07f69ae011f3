package mutate

import (
	"context"
	"iter"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/remembered"
)

// Suite is a suite of a run.
type Suite struct {
	Name string
	// Jobs are its cases.
	Jobs iter.Seq2[harness.Job, error]
	// Options are those of its comparisons.
	Options harness.Options
}

// Group is a group of suites that may run together, see cases.Suite.Alone.
type Group struct {
	// Enter prepares the process for the suites, and returns a function that ends this. It is optional.
	Enter  func() (leave func(), err error)
	Suites []Suite
}

// mutable is a declarative backend whose schema can be counted and changed.
type mutable interface {
	Covered(version schema.GroupVersionKind, c *tally.Coverage) (harness.Backend, error)
	Changed(version schema.GroupVersionKind, change func(tally.Document) tally.Document) (harness.Backend, error)
}

// target is a version of a kind in a suite.
type target struct {
	suite    string
	group    int
	version  harness.Version
	of       *harness.Target
	options  harness.Options
	mutable  mutable      // nil: the schema cannot be changed
	guarded  *world.World // nil: there are no policies
	document tally.Document
	coverage tally.Coverage
	baseline *harness.Harness
	// violated and undecided have the inputs of each place of the schema, see seen, in the order of the
	// cases.
	violated, undecided map[string][]*input
	everyInput          bool // see Options
	// asked and acted have the inputs that a part of a policy was asked about, and those on which it acted,
	// in the order of the cases.
	asked, acted map[guardPart][]*input
}

// newTarget returns a version as a target of its own, which asks the native validator once for each input and
// counts the coverage of the schema.
func newTarget(group int, of *harness.Target, version harness.Version, options harness.Options) (*target, error) {
	t := &target{
		suite:     of.Suite,
		group:     group,
		version:   version,
		of:        of,
		options:   options,
		violated:  map[string][]*input{},
		undecided: map[string][]*input{},
		asked:     map[guardPart][]*input{},
		acted:     map[guardPart][]*input{},
	}
	t.options.Ledger = nil // the use of exceptions is not reported
	t.version.Native = remembered.New(version.Native, true)
	counting := version.Declarative
	if of, is := version.Declarative.(world.World); is {
		t.guarded = &of
	}
	if can, ok := version.Declarative.(mutable); ok {
		t.mutable = can
		var err error
		if counting, err = can.Covered(version.GroupVersionKind, &t.coverage); err != nil {
			return nil, err
		}
		if _, err = can.Changed(version.GroupVersionKind, func(d tally.Document) tally.Document {
			t.document = d
			return d
		}); err != nil {
			return nil, err
		}
	}
	var err error
	t.baseline, err = t.compare(counting)
	return t, err
}

// name returns the name of the target in reports.
func (t *target) name() string {
	return t.suite + ": " + apiname.Target(t.version.GroupVersionKind)
}

// compare returns the harness of the version with a declarative backend.
func (t *target) compare(schema harness.Backend) (*harness.Harness, error) {
	alone := *t.of
	version := t.version
	version.Declarative = schema
	alone.Versions = []harness.Version{version}
	return harness.New(&alone, t.options)
}

// input is a case in the version of a target.
type input struct {
	*target
	of  harness.Case
	was outcome
}

// check compares an input.
func (in *input) check(ctx context.Context, by *harness.Harness) (harness.Result, error) {
	results, err := by.Check(ctx, in.of)
	if err != nil {
		return harness.Result{}, err
	}
	return results[0], nil
}
