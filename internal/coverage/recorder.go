package coverage

import (
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/apiname"
)

// Recorder collects the coverage of a run. The zero value is ready.
type Recorder struct {
	// Handwritten counts the native validators. It is optional.
	Handwritten Handwritten

	mu      sync.Mutex
	targets []*target
	guards  map[string]*guards // by suite
}

// Handwritten counts what native validators do. Package nativecoverage has an implementation.
type Handwritten interface {
	// Add takes a result.
	Add(*harness.Result)
	// Sites returns the counts of all sites so far.
	Sites() *Sites
}

// target is a version of a kind in a suite.
type target struct {
	suite        string
	version      schema.GroupVersionKind
	coverage     *tally.Coverage // nil: nothing was requested
	inputs       int
	pruned       *int // see Target
	subresources []Subresource
}

// Subresource is a subresource that a version has, or that cases used.
type Subresource struct {
	Name   string `json:"name"`
	Inputs int    `json:"inputs"`
}

// find returns a target of a suite, which it creates if necessary. The caller holds the lock.
func (r *Recorder) find(suite string, version schema.GroupVersionKind) *target {
	for _, t := range r.targets {
		if t.suite == suite && t.version == version {
			return t
		}
	}
	t := &target{suite: suite, version: version}
	r.targets = append(r.targets, t)
	return t
}

// Of returns the counters of the schema of a version. All sets of options of a suite share them. The names
// are the subresources of the version; nil: it is not a version of a CustomResourceDefinition, and unknown
// fields are not pruned.
func (r *Recorder) Of(suite string, version schema.GroupVersionKind, subresources []string) *tally.Coverage {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.find(suite, version)
	if t.coverage == nil {
		t.coverage = &tally.Coverage{}
	}
	if subresources != nil && t.pruned == nil {
		t.pruned = new(int)
	}
	for _, name := range subresources {
		t.subresource(name)
	}
	return t.coverage
}

// Expect adds a version that a suite can compare.
func (r *Recorder) Expect(suite string, version schema.GroupVersionKind) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.find(suite, version)
}

// Add counts a result of a suite.
func (r *Recorder) Add(suite string, result *harness.Result) {
	if result.Version.Empty() || result.Verdict == words.Inexpressible || result.Verdict == words.Faulted || len(result.Stuck) > 0 {
		return // nothing was compared, or no case asked for it
	}
	if r.Handwritten != nil {
		r.Handwritten.Add(result)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if g := r.guards[suite]; g != nil {
		g.add(result)
	}
	t := r.find(suite, result.Version)
	t.inputs++
	if t.pruned != nil && slices.ContainsFunc(result.Omitted, func(o contract.Omission) bool { return o.Why == words.Pruned }) {
		*t.pruned++
	}
	if name := result.Case.Subresource; name != "" {
		t.subresource(name).Inputs++
	}
}

func (t *target) subresource(name string) *Subresource {
	at := slices.IndexFunc(t.subresources, func(s Subresource) bool { return s.Name == name })
	if at < 0 {
		at = len(t.subresources)
		t.subresources = append(t.subresources, Subresource{Name: name})
	}
	return &t.subresources[at]
}

// Report returns the coverage of all targets that are worth a line, by suite and name.
func (r *Recorder) Report() Report { return r.Record().relevant() }

// Record returns the coverage of all targets, for Merge.
func (r *Recorder) Record() Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	report := Report{Targets: []Target{}}
	for _, t := range r.targets {
		made := Target{
			Suite:        t.suite,
			Name:         apiname.Target(t.version),
			Inputs:       t.inputs,
			Pruned:       clonePointer(t.pruned),
			Subresources: slices.Clone(t.subresources),
		}
		sortSubresources(made.Subresources)
		if t.coverage != nil {
			made.places(t.coverage.Places())
		}
		report.Targets = append(report.Targets, made)
	}
	for suite, g := range r.guards {
		report.Targets = append(report.Targets, g.target(suite))
	}
	report.sort()
	if r.Handwritten != nil {
		report.Sites = r.Handwritten.Sites()
	}
	return report
}
