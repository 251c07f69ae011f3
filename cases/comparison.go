package cases

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
)

// comparison is what determines the result of a case. Two suites with equal comparisons have the same
// results.
type comparison struct {
	native, declarative string
	sides               harness.Sides
	scope               words.Compare
	exceptions          *equivalence.Exceptions
}

// comparison returns the comparison of a suite, and false if the suite has validators, rules or
// options of its own.
func (s *Suite) comparison() (comparison, bool) {
	return comparison{s.builtins.native, s.builtins.declarative, s.compare, s.scope, s.Exceptions}, s.Bundled() && !s.ownRules &&
		s.Set == ""
}

// Bundled reports whether both sides of the suite are builtins, so that there is a schema for each
// of its Versions.
func (s *Suite) Bundled() bool { return s.builtins.native != "" && s.builtins.declarative != "" }

// Redundant returns a function for cases that are not from a suite. It reports whether s leaves a case
// to another suite with the same comparison. One suite of these takes the case: the first that has
// cases of its kind, or else the first of all.
func (p *Plan) Redundant(s *Suite) func(harness.Case) bool {
	owner := map[schema.GroupKind]*Suite{}
	var first *Suite
	own, plain := s.comparison()
	for _, other := range p.Suites {
		if same, also := other.comparison(); !plain || !also || same != own {
			continue
		}
		if first == nil {
			first = other
		}
		for kind := range other.ownKinds() {
			if owner[kind] == nil {
				owner[kind] = other
			}
		}
	}
	return func(c harness.Case) bool {
		if owned := owner[kindOf(c)]; owned != nil {
			return owned != s
		}
		return first != nil && first != s
	}
}

// ownKinds returns the kinds of the suite's own cases that are already in memory.
func (s *Suite) ownKinds() map[schema.GroupKind]bool {
	kinds := map[schema.GroupKind]bool{}
	for _, file := range s.files {
		if _, known := file.Count(); !known {
			continue
		}
		for c, err := range file.Cases() {
			if kind := kindOf(c); err == nil && !kind.Empty() {
				kinds[kind] = true
			}
		}
	}
	return kinds
}

// kindOf returns the kind of a case, or the empty one if the case does not name it.
func kindOf(c harness.Case) schema.GroupKind {
	if c.Version.Empty() {
		c.Version, _ = versionOf(c)
	}
	return c.Version.GroupKind()
}
