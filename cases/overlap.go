package cases

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
)

// comparison is what makes two suites say the same of a case: the builtins of both sides, what is
// compared, and the exceptions.
type comparison struct {
	native, declarative string
	sides               harness.Sides
	scope               harness.Compare
	exceptions          *equivalence.Exceptions
}

// comparison returns that of a suite. It is false if the suite has validators, rules or options of
// its own.
func (s *Suite) comparison() (comparison, bool) {
	return comparison{s.builtins.native, s.builtins.declarative, s.compare, s.scope, s.Exceptions}, s.Bundled() && !s.ownRules && s.Set == ""
}

// Bundled reports whether both sides of the suite are builtins, so that there is a schema for each
// of its Versions.
func (s *Suite) Bundled() bool { return s.builtins.native != "" && s.builtins.declarative != "" }

// LeftTo says which cases that are those of no suite a suite leaves to another one of the plan that
// compares the same: to the first that has cases of the kind, or else to the first.
func (p *Plan) LeftTo(s *Suite) func(harness.Case) bool {
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

// ownKinds are the kinds of the suite's own cases, as far as they are read already.
func (s *Suite) ownKinds() map[schema.GroupKind]bool {
	kinds := map[schema.GroupKind]bool{}
	for _, source := range s.sources {
		if _, known := source.count(); !known {
			continue
		}
		for c, err := range source.cases() {
			if kind := kindOf(c); err == nil && !kind.Empty() {
				kinds[kind] = true
			}
		}
	}
	return kinds
}

// kindOf returns the kind of a case, which is empty if the case does not say it.
func kindOf(c harness.Case) schema.GroupKind {
	if c.Version.Empty() {
		c.Version, _ = versionOf(c)
	}
	return c.Version.GroupKind()
}
