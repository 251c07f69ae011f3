package equivalence_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
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

// The built-in rules are held against what LoadRules demands of any rule, which no process does again. Then
// comes the mutation test of the set: every rule is needed, and no near miss passes because of a different rule.
func TestBuiltinRules(t *testing.T) {
	files, err := filepath.Glob("rules/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files of rules: %v", err)
	}
	count := 0
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rules, err := equivalence.LoadTested(file, content)
		if err != nil {
			t.Error(err)
		}
		count += len(rules.All())
	}
	if all := len(builtinRules(t).All()); !t.Failed() && count != all {
		t.Errorf("the files have %d rules, BuiltinRules %d", count, all)
	}
	for _, finding := range builtinRules(t).Test() {
		t.Error(finding)
	}
}

func TestRuleSetTest(t *testing.T) {
	const narrow = `
- name: narrow
  why: one word
  type: FieldValueInvalid
  native: must be alpha
  declarative: should be alpha
  examples: {match: [[must be alpha, should be alpha]], differ: [[must be beta, should be beta]]}
`
	const wide = `- name: wide
  why: two words
  type: FieldValueInvalid
  native: 'must be (?P<word>alpha|beta)'
  declarative: 'should be (?P<word>alpha|beta)'
  examples: {match: [[must be beta, should be beta]], differ: [[must be alpha, should be beta]]}
`
	rules, err := equivalence.LoadRules("rules.yaml", []byte(narrow+wide))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`rules.yaml:2: rule "narrow": all its examples are explained without it; it is not needed`,
		`rules.yaml:2: rule "narrow": its example 1 of differ is explained by another rule: "must be beta" at spec.field and ` +
			`"should be beta" at spec.field`,
	}
	if diff := cmp.Diff(want, rules.Test()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	alone, err := equivalence.LoadRules("rules.yaml", []byte(wide))
	if err != nil {
		t.Fatal(err)
	}
	if findings := alone.Test(); len(findings) > 0 {
		t.Errorf("the wide rule alone: %q", findings)
	}
}

// No rule matches the example of another rule's other side: the texts of a pair match one rule, so a report
// names the right one.
func TestRulesAreToldApart(t *testing.T) {
	all := builtinRules(t)
	for _, rule := range all.All() {
		rules := all
		if rule.Target() != "" {
			rules = all.For(concerned(t, rule))
		}
		for _, example := range rule.Match {
			pairs := equivalence.NewMatcher(rules).MatchAnswers(difference.Answer{Errors: example.Native},
				difference.Answer{Errors: example.Declarative}, example.Declared)
			for _, pair := range pairs {
				if pair.Rule != rule && pair.Repeats != rule && !pair.Exact() {
					t.Errorf("%s: an example of rule %s is explained otherwise: %q", rule.Position, rule.Name, summary(pairs))
				}
			}
		}
	}
}

// concerned returns a version of a kind that a rule is about.
func concerned(t *testing.T, rule *equivalence.Rule) schema.GroupVersionKind {
	t.Helper()
	version, kind, _ := strings.Cut(strings.ReplaceAll(rule.Target(), "*", "x"), " ")
	parsed, err := schema.ParseGroupVersion(version)
	if err != nil || !rule.AppliesTo(parsed.WithKind(kind)) {
		t.Fatalf("rule %s: %s of %q: %v", rule.Name, parsed.WithKind(kind), rule.Target(), err)
	}
	return parsed.WithKind(kind)
}

// targetRules rewrite one field in two ways, each for its own versions.
const targetRules = `
- name: beta
  why: v1beta1 has the field elsewhere
  target: example.com/v1beta1 Widget
  text: same
  nativeField: 'spec\.(?P<rest>.+)'
  declarativeField: 'spec\.beta\.(?P<rest>.+)'
  examples:
    match: [[{field: spec.size, detail: too big}, {field: spec.beta.size, detail: too big}]]
    differ: [[{field: spec.size, detail: too big}, {field: spec.beta.color, detail: too big}]]
- name: alpha
  why: and so have the versions of another group
  target: example.org/* *
  text: same
  nativeField: 'spec\.(?P<rest>.+)'
  declarativeField: 'spec\.beta\.(?P<rest>.+)'
  examples:
    match: [[{field: spec.size, detail: too big}, {field: spec.beta.size, detail: too big}]]
    differ: [[{field: spec.size, detail: too big}, {field: spec.beta.color, detail: too big}]]
`

// A rule with a target explains nothing in other versions, nor does it prevent rules for them.
func TestTargetsOfRules(t *testing.T) {
	rules, err := equivalence.LoadRules("rules.yaml", []byte(targetRules))
	if err != nil {
		t.Fatal(err)
	}
	if findings := rules.Test(); len(findings) > 0 {
		t.Errorf("two rules that never meet: %q", findings)
	}
	native, declarative := field.ErrorList{invalid("spec.size", 1, "too big")}, field.ErrorList{invalid("spec.beta.size", 1, "too big")}
	for _, tc := range []struct{ why, apiVersion, kind, want string }{
		{"the version that the rule is for", "example.com/v1beta1", "Widget", "beta: Invalid spec.size too big (1) | Invalid " +
			"spec.beta.size too big (1)"},
		{"a different version", "example.com/v1", "Widget", "path: Invalid spec.size too big (1) | Invalid spec.beta.size too big (1)"},
		{"a different kind", "example.com/v1beta1", "Gadget", "path: Invalid spec.size too big (1) | Invalid spec.beta.size too big (1)"},
		{"any version of a group", "example.org/v7", "Gadget", "alpha: Invalid spec.size too big (1) | Invalid spec.beta.size too big (1)"},
	} {
		concerned := rules.For(schema.FromAPIVersionAndKind(tc.apiVersion, tc.kind))
		if diff := cmp.Diff([]string{tc.want}, summary(equivalence.NewMatcher(concerned).Match(native, declarative))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.why, diff)
		}
	}
	if _, err := equivalence.LoadRules("rules.yaml", []byte(strings.Replace(targetRules, "example.org/* *", "v*", 1))); err == nil {
		t.Error("a rule for no target was taken")
	}
}

// TestFieldsOfOtherKinds: a peculiarity of the validator of one kind explains nothing of another kind with a
// field of the same name.
func TestFieldsOfOtherKinds(t *testing.T) {
	rules := builtinRules(t)
	declared := declares{fields: []string{"spec.limits[0]", "spec.limits[0].limits"}}
	native, declarative := field.ErrorList{
		field.Required(field.NewPath("spec.limits[0].limits"), "is empty"),
	}, field.ErrorList{field.Required(field.NewPath("spec.limits[0]"), "is empty")}
	for kind, want := range map[schema.GroupVersionKind]bool{
		{Version: "v1", Kind: "LimitRange"}:                     true,
		{Group: "example.com", Version: "v1", Kind: "Throttle"}: false,
	} {
		pairs := equivalence.NewMatcher(rules.For(kind)).MatchAnswers(difference.Answer{Errors: native},
			difference.Answer{Errors: declarative}, declared)
		if got := len(pairs) == 1 && pairs[0].Explained(); got != want {
			t.Errorf("%s: explained: %v, %q", kind, got, summary(pairs))
		}
	}
}

func TestRuleSetWith(t *testing.T) {
	rules := builtinRules(t)
	if _, err := rules.With(nil, &equivalence.RuleSet{}); err != nil {
		t.Errorf("joining with nothing: %v", err)
	}
	if _, err := rules.With(rules); err == nil {
		t.Error("two rules of one name were joined")
	}
}

// A group captures the text in its place: a missing text is not an empty one, and a key may end in a space.
func TestGroupsAreExact(t *testing.T) {
	rules, err := equivalence.LoadRules("rules.yaml", []byte(`
- name: optional
  why: both name the place, or neither does
  type: FieldValueInvalid
  native: 'must be set(?: in "(?P<place>\w*)")?'
  declarative: 'should be set(?: in "(?P<place>\w*)")?'
  examples: {match: [['must be set in "a"', 'should be set in "a"']], differ: [['must be set in "a"', 'should be set in "b"']]}
- name: key
  why: the schema reports the map and names the key
  type: FieldValueInvalid
  nativeField: '(?P<map>data)\[(?P<key>.+)\]'
  declarativeField: '(?P<map>data)'
  native: must be a word
  declarative: 'key "(?P<key>.+)": must be a word'
  examples: {match: [[{field: 'data[a]', detail: must be a word}, {field: data, detail: 'key "a": must be a word'}]], `+
		`differ: [[{field: 'data[a]', detail: must be a word}, {field: data, detail: 'key "b": must be a word'}]]}
`))
	if err != nil {
		t.Fatal(err)
	}
	matcher := equivalence.NewMatcher(rules)
	for _, test := range []struct {
		native, declarative *field.Error
		want                bool
	}{
		{invalid("spec.a", nil, "must be set"), invalid("spec.a", nil, "should be set"), true},
		{invalid("spec.a", nil, `must be set in ""`), invalid("spec.a", nil, `should be set in ""`), true},
		{invalid("spec.a", nil, "must be set"), invalid("spec.a", nil, `should be set in ""`), false},
		{invalid("data[a ]", nil, "must be a word"), invalid("data", nil, `key "a ": must be a word`), true},
		{invalid("data[a ]", nil, "must be a word"), invalid("data", nil, `key "a": must be a word`), false},
	} {
		pairs := matcher.Match(list{test.native}, list{test.declarative})
		if got := pairs[0].Agrees(); got != test.want {
			t.Errorf("%v and %v: agree %t, want %t", test.native, test.declarative, got, test.want)
		}
	}
}

// Lists in a different order are equal only if their items are, regardless of quotes.
func TestUnorderedLists(t *testing.T) {
	rules, err := equivalence.LoadRules("rules.yaml", []byte(`
- name: choices
  why: the order of choices means nothing
  type: FieldValueInvalid
  native: 'must be one of (?P<choices>.+)'
  declarative: 'should be one of (?P<choices>.+)'
  unordered: [choices]
  examples:
    match: [['must be one of a, b', 'should be one of b, a']]
    differ: [['must be one of a, b', 'should be one of a, c']]
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		why, native, declarative string
		agree                    bool
	}{
		{"double quotes", `"a", "b"`, `"b", "a"`, true},
		{"single quotes", `'a', 'b'`, `'b', 'a'`, true},
		{"how often an item is there", `a, a, b`, `a, b, b`, false},
		{"a comma in double quotes", `"a, b", c`, `"a, c", b`, false},
		{"a comma in single quotes", `'x, a, y', b`, `'x, b, y', a`, false},
		{"a comma in other quotes", "`x, a, y`, b", "`x, b, y`, a", false},
		{"an apostrophe", `the pod's name, the pod's image`, `the pod's image, the pod's name`, true},
		{"a quote in quotes", `"a\", b", c`, `"a\", c", b`, false},
	} {
		pairs := equivalence.NewMatcher(rules).Match(list{invalid("spec.a", nil, "must be one of "+test.native)},
			list{invalid("spec.a", nil, "should be one of "+test.declarative)})
		if got := len(pairs) == 1 && pairs[0].Agrees(); got != test.agree {
			t.Errorf("%s: %s and %s agree: %t", test.why, test.native, test.declarative, got)
		}
	}
}
