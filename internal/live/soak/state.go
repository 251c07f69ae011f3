package soak

import (
	"time"

	"github.com/diffrun/diffrun/harness"
)

// State is how far a soak came. It is kept in the folder.
type State struct {
	// Suites and Source name what is run: the next soak in the folder must have the same.
	Suites []string `json:"suites"`
	Source string   `json:"source"`
	// Redacted: no text in the folder is of an object.
	Redacted bool `json:"redacted,omitempty"`
	// Passes counts the times that all cases were run.
	Passes int `json:"passes"`
	Counts
	// Findings are all findings since the first start, by signature.
	Findings map[string]FindingSeen `json:"findings"`
	// Dropped counts findings that could not wait for a bucket. They are new again if they come
	// again.
	Dropped int `json:"-"`
	// Elapsed is the time of all soaks in the folder, in seconds.
	Elapsed float64 `json:"seconds"`
	// Digest is that of the state without it.
	Digest string `json:"digest,omitempty"`
	// shared: findings without a count are those of other processes.
	shared bool
}

// Counts are what each case changes. Position counts the cases of the pass after the whole passes;
// the others count since the first start.
type Counts struct {
	Position int            `json:"position"`
	Cases    int            `json:"cases"`
	Inputs   int            `json:"inputs"`
	Verdicts map[string]int `json:"verdicts"`
	Effects  map[string]int `json:"effects"`
	// More counts findings of further signatures than maxFindings.
	More int `json:"more"`
}

// FindingSeen is how often a finding was seen, and when first.
type FindingSeen struct {
	Text  string    `json:"text"`
	First time.Time `json:"first"`
	Count int       `json:"count"`
}

// inexpressible results are no inputs.
const inexpressible = harness.Inexpressible

// count adds a result to the counts.
func (s *State) count(r *harness.Result) {
	if r.Verdict != inexpressible {
		s.Inputs++
	}
	s.Verdicts[string(r.Verdict)]++
	if r.Effect != "" {
		s.Effects[string(r.Effect)]++
	}
}

// Open counts what fails a soak: differences that nothing explains, and inputs without a
// verdict.
func (s *State) Open() (different, faults int) {
	return s.Verdicts[string(harness.Different)] + s.Verdicts[string(harness.Unstable)], s.Verdicts[string(harness.Faulted)]
}
