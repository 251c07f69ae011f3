package equivalence_test

import (
	"slices"
	"testing"

	"github.com/diffrun/diffrun/equivalence"
)

func builtinRules(t testing.TB) *equivalence.RuleSet {
	t.Helper()
	rules, err := equivalence.BuiltinRules()
	if err != nil {
		t.Fatal(err)
	}
	if len(rules.All()) == 0 {
		t.Fatal("no built-in rule: the tests below would test nothing")
	}
	return rules
}

func agree(rules *equivalence.RuleSet, example equivalence.Example) bool {
	pairs := equivalence.NewMatcher(rules).Match(example.Native, example.Declarative)
	return !slices.ContainsFunc(pairs, func(pair equivalence.Pair) bool { return !pair.Agrees() })
}

// A near miss of one rule must not slip through another one.
func TestNearMissesAreNotExplainedByAnyRule(t *testing.T) {
	rules := builtinRules(t)
	for _, rule := range rules.All() {
		for _, example := range rule.Differ {
			if agree(rules, example) {
				t.Errorf("%s: a near miss of rule %s is explained: %v and %v", rule.Position, rule.Name, example.Native, example.Declarative)
			}
		}
	}
}

// The mutation test of the set: every rule is needed.
func TestEveryRuleIsNeeded(t *testing.T) {
	rules := builtinRules(t)
	for _, rule := range rules.All() {
		needed := false
		for _, example := range rule.Match {
			if !agree(rules, example) {
				t.Errorf("%s: rule %s: the whole set does not explain %v and %v", rule.Position, rule.Name, example.Native, example.Declarative)
			}
			if !agree(rules.Without(rule.Name), example) {
				needed = true
			}
		}
		if !needed {
			t.Errorf("%s: without rule %s all its examples are explained all the same; it is not needed", rule.Position, rule.Name)
		}
	}
}

// No rule takes the example of another rule's other side for its own: the
// texts of a pair fit one rule, so a report names the one that is meant.
func TestRulesAreToldApart(t *testing.T) {
	rules := builtinRules(t)
	for _, rule := range rules.All() {
		for _, example := range rule.Match {
			pairs := equivalence.NewMatcher(rules).Match(example.Native, example.Declarative)
			for _, pair := range pairs {
				if pair.Rule != rule && !pair.Exact() {
					t.Errorf("%s: an example of rule %s is explained otherwise: %q", rule.Position, rule.Name, summary(pairs))
				}
			}
		}
	}
}

func TestJoinRules(t *testing.T) {
	rules := builtinRules(t)
	if _, err := equivalence.JoinRules(rules, nil, &equivalence.RuleSet{}); err != nil {
		t.Errorf("joining with nothing: %v", err)
	}
	if _, err := equivalence.JoinRules(rules, rules); err == nil {
		t.Error("two rules of one name were joined")
	}
	if _, ok := rules.Lookup("minimum"); !ok {
		t.Error("rule minimum was not found")
	}
	if _, ok := rules.Without("minimum").Lookup("minimum"); ok {
		t.Error("rule minimum is in the set without it")
	}
}
