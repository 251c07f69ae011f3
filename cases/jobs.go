package cases

import (
	"iter"
	"regexp"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/harness"
)

// JobOptions are the options of Suite.Jobs.
type JobOptions struct {
	// Harness controls the comparison. The rules and exceptions of the suite are not added; set
	// them to those of the Suite.
	Harness harness.Options
	// Only selects cases by their id. If nil, all cases are selected.
	Only *regexp.Regexp
	// Other is called with the id of each case that Only leaves out. Optional.
	Other func(id string)
	// Broken is called once for each version whose schema does not compile. Each case of the
	// version is a fault that does not repeat the reason. Optional.
	Broken func(version schema.GroupVersionKind, why error)
	// Empty is called for each file that was read completely and contains no case. Optional.
	Empty func(file string)
	// Mine reports whether to read a file of cases. It is called for each file, in their order. If
	// nil, all files are read.
	Mine func(file string) bool
	// CheckRecorded compares recorded errors with those that the suite's native validator
	// reports now, in place of the schema. Cases without recorded errors are skipped. If nil,
	// the schema is compared.
	CheckRecorded *RecordedCheck
	// Unrecorded is called for each case that CheckRecorded skips. Optional.
	Unrecorded func()
	// Missing is called for each case of a version that the suite has no target for, and the case
	// is skipped. If nil, the case is a fault.
	Missing func(version schema.GroupVersionKind)
	// LeftOut is called for each recorded request that is no case, such as a deletion in an
	// audit log, with the reason. Optional.
	LeftOut func(reason string)
	// Coverage returns the counters for the schema of a version. subresources are those of the
	// version, if its schema names them. It must be safe for concurrent use. Optional.
	Coverage func(version schema.GroupVersionKind, subresources []string) *declarative.Coverage
	// Schema is called once for each version whose schema compiled. A definition is a
	// CustomResourceDefinition, or what a suite uses as one. It is called by several goroutines.
	// Optional.
	Schema func(version schema.GroupVersionKind, document declarative.Document, definition bool)
	// Compared names the two backends to compare, in place of those of the suite. Suite.Comparing
	// says whether the suite has them.
	Compared harness.Sides
	// Native replaces the native backend of the suite, for example by one that counts. Optional.
	Native func(harness.Backend) harness.Backend
}

// leavesOut reports whether Only does not select a case.
func (o JobOptions) leavesOut(id string) bool {
	if o.Only == nil || o.Only.MatchString(id) {
		return false
	}
	if o.Other != nil {
		o.Other(id)
	}
	return true
}

// Jobs returns each case with the harness of its kind: in the order of the suite's patterns and,
// within a pattern, of the file names. The validators of a kind are created for its first case.
func (s *Suite) Jobs(options JobOptions) iter.Seq2[harness.Job, error] {
	targets := s.targets(options)
	return func(yield func(harness.Job, error) bool) {
		recorded, err := s.toCheck(options)
		if err != nil {
			yield(harness.Job{}, err)
			return
		}
		targets.recorded = recorded
		for c, err := range s.cases(options) {
			if err != nil {
				yield(harness.Job{}, err)
				return
			}
			if options.leavesOut(c.ID) {
				continue
			}
			if recorded != nil && !recorded.has(c.ID) {
				if options.Unrecorded != nil {
					options.Unrecorded()
				}
				continue
			}
			job, taken, err := targets.take(c)
			if !taken {
				continue
			}
			if !yield(job, err) || err != nil {
				return
			}
		}
	}
}

// Taker gives what makes jobs of cases from elsewhere than the files of the suite. It says
// false of a case that it left out: one that JobOptions.Missing or LeftOut was called for.
// It must not be called by several goroutines at once.
func (s *Suite) Taker(options JobOptions) func(harness.Case) (harness.Job, bool, error) {
	return s.targets(options).take
}

func (o JobOptions) emptied(file string) {
	if o.Empty != nil {
		o.Empty(file)
	}
}
