package equivalence_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

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

// The mutation test of the set: every rule is needed, and no near miss of one
// slips through another.
func TestBuiltinRules(t *testing.T) {
	for _, finding := range builtinRules(t).Test() {
		t.Error(finding)
	}
}

func TestRuleSetTest(t *testing.T) {
	rules, err := equivalence.LoadRules("rules.yaml", []byte(`
- name: narrow
  why: one word
  type: FieldValueInvalid
  native: must be alpha
  declarative: should be alpha
  examples: {match: [[must be alpha, should be alpha]], differ: [[must be beta, should be beta]]}
- name: wide
  why: two words
  type: FieldValueInvalid
  native: 'must be (?P<word>alpha|beta)'
  declarative: 'should be (?P<word>alpha|beta)'
  examples: {match: [[must be beta, should be beta]], differ: [[must be alpha, should be beta]]}
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`rules.yaml:2: rule "narrow": all its examples are explained without it; it is not needed`,
		`rules.yaml:2: rule "narrow": its example 1 of differ is explained by another rule: "must be beta" at spec.field and "should be beta" at spec.field`,
	}
	if diff := cmp.Diff(want, rules.Test()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if findings := rules.Without("narrow").Test(); len(findings) > 0 {
		t.Errorf("the wide rule alone: %q", findings)
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
