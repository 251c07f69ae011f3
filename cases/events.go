package cases

import (
	"iter"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/harness"
)

// Event is what Suite.Events returns: a Job, Skipped, BrokenSchema, CompiledSchema, EmptyFile or Unlooked.
type Event interface{ isEvent() }

// Job is a case to compare, with the harness of its kind.
type Job struct{ harness.Job }

// Skipped is a case, or a recorded request, that is not compared.
type Skipped struct {
	Reason SkipReason
	// Case is the id of the case.
	Case string
	// Version is the version of the case, if the reason is NoTarget or NoGuard.
	Version schema.GroupVersionKind
	// Detail says why a recorded request is not a case, if the reason is NotACase.
	Detail string
}

// SkipReason is why a case is not compared.
type SkipReason string

const (
	// NotSelected: JobOptions.Only does not match the id of the case.
	NotSelected SkipReason = "not selected"
	// NotRecorded: JobOptions.CheckRecorded is set and the case has no recorded errors.
	NotRecorded SkipReason = "not recorded"
	// NoTarget: JobOptions.SkipMissing is set and the suite has no target for the case.
	NoTarget SkipReason = "no target"
	// NoGuard: no webhook, policy or mutation of the suite can see objects of the kind.
	NoGuard SkipReason = "no guard"
	// NotACase: a recorded request, such as a deletion in an audit log, validates no object.
	NotACase SkipReason = "not a case"
)

// BrokenSchema is a version whose schema does not compile. It precedes the first case of its kind.
// Each case of the version is a fault that does not repeat the reason.
type BrokenSchema struct {
	Version schema.GroupVersionKind
	Err     error
}

// CompiledSchema is a version whose schema compiled, if JobOptions.Schemas is set. It precedes the
// first case of its kind.
type CompiledSchema struct {
	Version  schema.GroupVersionKind
	Document tally.Document
	// Definition is true for a schema of files: of a CustomResourceDefinition, or used as one.
	Definition bool
}

// EmptyFile is a file that was read completely and contains no case that can be compared.
type EmptyFile struct {
	Path string
	// Reasons are why its samples or recorded requests are not cases, sorted; none: it has none.
	Reasons []string
}

// Unlooked is an expectation of a file of cases that nothing is compared with. Problem has its file and line.
type Unlooked struct{ Problem string }

func (Job) isEvent()            {}
func (Skipped) isEvent()        {}
func (BrokenSchema) isEvent()   {}
func (CompiledSchema) isEvent() {}
func (EmptyFile) isEvent()      {}
func (Unlooked) isEvent()       {}

// Events returns each case with the harness of its kind, and what else is found on the way: in the
// order of the suite's patterns and, within a pattern, of the file names. The validators of a kind
// are created for its first case, and kept if the events are read again. An error comes last.
func (s *Suite) Events(options JobOptions) iter.Seq2[Event, error] {
	targets := s.targets(options)
	return func(yield func(Event, error) bool) {
		recorded, err := s.toCheck(options)
		if err != nil {
			yield(nil, err)
			return
		}
		targets.recorded = recorded
		for _, file := range s.files {
			if options.SelectFile != nil && !options.SelectFile(file.Path()) {
				continue
			}
			content := fileContent{reasons: map[string]bool{}}
			for c, err := range s.casesOf(file) {
				var events []Event
				if err == nil {
					events, err = targets.bind(c)
				}
				for _, event := range events {
					content.add(event)
					if !yield(event, nil) {
						return
					}
				}
				if err != nil {
					yield(nil, err)
					return
				}
			}
			if !content.compared && !yield(EmptyFile{file.Path(), slices.Sorted(maps.Keys(content.reasons))}, nil) {
				return
			}
		}
	}
}

// fileContent is what was found in a file of cases.
type fileContent struct {
	// compared is true if the file has a case, even one that the run or the suite leaves out.
	compared bool
	reasons  map[string]bool // of what is no case
}

func (f *fileContent) add(event Event) {
	switch event := event.(type) {
	case Job:
		f.compared = true
	case Skipped:
		if event.Reason == NotACase {
			f.reasons[event.Detail] = true
			return
		}
		f.compared = true
	}
}

// Jobs returns the jobs among Events.
func (s *Suite) Jobs(options JobOptions) iter.Seq2[harness.Job, error] {
	events := s.Events(options)
	return func(yield func(harness.Job, error) bool) {
		for event, err := range events {
			job, isJob := event.(Job)
			if (isJob || err != nil) && !yield(job.Job, err) {
				return
			}
		}
	}
}

// Binder returns a function that returns the events of a case that is not in the files of the
// suite. A Job is the last of them. The function must not be called concurrently.
func (s *Suite) Binder(options JobOptions) func(harness.Case) ([]Event, error) {
	return s.targets(options).bind
}
