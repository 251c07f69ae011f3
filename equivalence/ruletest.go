package equivalence

import (
	"fmt"
	"slices"

	"github.com/diffrun/diffrun/equivalence/difference"
)

// Test checks the examples of each rule with the whole set; loading checks them with their own rule only.
// It reports near misses that a different rule explains, examples that are not explained if all rules
// apply, and rules whose examples are all explained without them. A finding begins with "file:line".
func (s *RuleSet) Test() []string {
	var findings []string
	for _, rule := range s.All() {
		overlapping := s.overlapping(rule)
		all := NewMatcher(overlapping)
		addf := func(format string, args ...any) {
			findings = append(findings, fmt.Sprintf("%s: rule %q: ", rule.Position, rule.Name)+fmt.Sprintf(format, args...))
		}
		without, needed := NewMatcher(overlapping.without(rule.Name)), false
		for i, example := range rule.Match {
			if !all.agree(example) {
				addf("its example %d of match is not explained beside the other rules: %s and %s", i+1, quoteAll(example.Native),
					quoteAll(example.Declarative))
			}
			needed = needed || !without.agree(example)
		}
		if !needed {
			addf("all its examples are explained without it; it is not needed")
		}
		for i, example := range rule.Differ {
			if all.agree(example) {
				addf("its example %d of differ is explained by another rule: %s and %s", i+1, quoteAll(example.Native),
					quoteAll(example.Declarative))
			}
		}
	}
	return findings
}

// agree reports whether both sides of an example agree.
func (m *Matcher) agree(example Example) bool {
	return !slices.ContainsFunc(m.MatchAnswers(difference.Answer{Errors: example.Native},
		difference.Answer{Errors: example.Declarative}, example.Declared), func(pair Pair) bool { return !pair.Agrees() })
}
