package soak

import (
	"strings"
	"time"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
)

// State is the progress of a soak. It is kept in the folder.
type State struct {
	// Suites and Source name the cases. The next soak in the folder must have the same.
	Suites []string `json:"suites"`
	Source string   `json:"source"`
	// Redacted is true if the folder has no texts of objects.
	Redacted bool `json:"redacted,omitempty"`
	// Passes counts the times that all cases were run.
	Passes int `json:"passes"`
	Counts
	// Findings are all findings since the first start, by signature.
	Findings map[string]FindingSeen `json:"findings"`
	// Dropped counts findings that were dropped because too many waited for a bucket. They count as new
	// when they are found again.
	Dropped int `json:"-"`
	// Elapsed is the time of all soaks in the folder, in seconds.
	Elapsed float64 `json:"seconds"`
	// Digest is the digest of the state without this key.
	Digest string `json:"digest,omitempty"`
	// shared: findings without a count are those of other processes.
	shared bool
}

// Counts are the counts that each case changes. Position counts the cases of the current pass; the
// others count since the first start.
type Counts struct {
	Position int            `json:"position"`
	Cases    int            `json:"cases"`
	Inputs   int            `json:"inputs"`
	Verdicts map[string]int `json:"verdicts"`
	Effects  map[string]int `json:"effects"`
	// More counts findings beyond the first maxFindings signatures.
	More int `json:"more"`
}

// FindingSeen records how often a finding was seen, and when first.
type FindingSeen struct {
	Text string `json:"text"`
	// Message is what both sides said about a difference, without the values of one object.
	Message string    `json:"message,omitempty"`
	First   time.Time `json:"first"`
	Count   int       `json:"count"`
}

// effect returns the effect in the text of a difference, which is "CLASS (EFFECT): …", or "".
func (f FindingSeen) effect() words.Effect {
	head, _, _ := strings.Cut(f.Text, "): ")
	_, effect, _ := strings.Cut(head, "(")
	return words.Effect(effect)
}

// count adds a result to the counts.
func (s *State) count(r *harness.Result) {
	if r.Verdict != words.Inexpressible {
		s.Inputs++
	}
	s.Verdicts[string(r.Verdict)]++
	if r.Effect != "" {
		s.Effects[string(r.Effect)]++
	}
}

// Open returns the counts that fail a soak: inputs with unexplained differences, and faults.
func (s *State) Open() (different, faults int) {
	return s.Verdicts[string(words.Different)] + s.Verdicts[string(words.Unstable)], s.Verdicts[string(words.Faulted)]
}
