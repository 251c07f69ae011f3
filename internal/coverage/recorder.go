package coverage

import (
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/harness"
)

// Recorder collects the coverage of a run. The zero value is ready.
type Recorder struct {
	// Handwritten counts the native validators as well; nil: only the schemas are counted.
	Handwritten *Handwritten

	mu      sync.Mutex
	targets []*target
}

// target is a version of a kind in a suite.
type target struct {
	suite        string
	version      schema.GroupVersionKind
	coverage     *declarative.Coverage // nil: nothing was asked for
	inputs       int
	subresources []Subresource
}

// Subresource is one that a version has, or that cases used.
type Subresource struct {
	Name   string `json:"name"`
	Inputs int    `json:"inputs"`
}

// find gives a target of a suite, a new one if there is none. The caller holds the lock.
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

// Of gives what counts what the schema of a version does. The sets of options of a suite count
// together. The names are the subresources of the version, where they are known.
func (r *Recorder) Of(suite string, version schema.GroupVersionKind, subresources []string) *declarative.Coverage {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.find(suite, version)
	if t.coverage == nil {
		t.coverage = &declarative.Coverage{}
	}
	for _, name := range subresources {
		t.subresource(name)
	}
	return t.coverage
}

// Expect names a version that a suite can compare.
func (r *Recorder) Expect(suite string, version schema.GroupVersionKind) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.find(suite, version)
}

// omitted says that a target has no inputs and is not worth a line: another suite compares the
// version, or is nearer to the kind because it compares another version of it. A kind that no
// suite compares is reported for the first.
func (r *Recorder) omitted(t *target) bool {
	if t.inputs > 0 {
		return false
	}
	same, kindHere, kindAnywhere := false, false, false
	first := t
	for _, other := range r.targets {
		if other.version.GroupKind() != t.version.GroupKind() {
			continue
		}
		same = same || other.version == t.version && other.inputs > 0
		kindHere = kindHere || other.suite == t.suite && other.inputs > 0
		kindAnywhere = kindAnywhere || other.inputs > 0
		if other.version == t.version && other.suite < first.suite {
			first = other
		}
	}
	return same || kindAnywhere && !kindHere || !kindAnywhere && first != t
}

// Add takes a result of a suite.
func (r *Recorder) Add(suite string, result *harness.Result) {
	if result.Version.Empty() || result.Verdict == harness.Inexpressible || result.Verdict == harness.Faulted {
		return // nothing was compared
	}
	if r.Handwritten != nil {
		r.Handwritten.Add(result)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.find(suite, result.Version)
	t.inputs++
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

// Report gives the coverage of all targets, by suite and name.
func (r *Recorder) Report() Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	report := Report{Targets: []Target{}}
	for _, t := range r.targets {
		if r.omitted(t) {
			continue
		}
		made := Target{Suite: t.suite, Name: harness.TargetName(t.version), Inputs: t.inputs, Subresources: slices.Clone(t.subresources)}
		slices.SortFunc(made.Subresources, func(a, b Subresource) int { return strings.Compare(a.Name, b.Name) })
		if t.coverage != nil {
			made.places(t.coverage.Places())
		}
		report.Targets = append(report.Targets, made)
	}
	slices.SortFunc(report.Targets, func(a, b Target) int {
		return strings.Compare(a.Suite+"\x00"+a.Name, b.Suite+"\x00"+b.Name)
	})
	if r.Handwritten != nil {
		report.Sites = r.Handwritten.sitesOf()
	}
	return report
}
