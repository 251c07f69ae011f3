package equivalence_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
)

// declares is what a schema declares, by full path.
type declares struct {
	fields   []string
	keywords map[string]map[string]string
}

func (s declares) Declares(path string) bool {
	for _, declared := range s.fields {
		if declared == path {
			return true
		}
	}
	return false
}

func (s declares) Keyword(path, keyword string) []string {
	if text, ok := s.keywords[path][keyword]; ok {
		return []string{text}
	}
	return nil
}

func matchBy(m *equivalence.Matcher, native, declarative field.ErrorList, declared difference.Declarations) []equivalence.Pair {
	return m.MatchAnswers(difference.Answer{Errors: native}, difference.Answer{Errors: declarative}, declared)
}

// conditionRules rename a field, and compare a bound whose other end is in two places of the schema.
const conditionRules = `
- name: renamed
  why: the Go field has another name
  text: same
  nativeField: 'spec\.Old(?P<rest>.*)'
  declarativeField: 'spec\.new(?P<rest>.*)'
  examples:
    match: [[{field: spec.Old, detail: must be odd}, {field: spec.new, detail: must be odd}]]
    differ: [[{field: spec.Old, detail: must be odd, declared: true}, {field: spec.new, detail: must be odd}]]
- name: key
  why: the key of a map is written as a field
  text: same
  nativeField: 'spec\.sizes\.(?P<key>disk|a\.b/disk)'
  declarativeField: 'spec\.sizes\[(?P<key>disk|a\.b/disk)\]'
  examples:
    match: [[{field: spec.sizes.disk, detail: must be odd}, {field: 'spec.sizes[disk]', detail: must be odd}]]
    differ: [[{field: spec.sizes.disk, detail: must be odd}, {field: 'spec.sizes[a.b/disk]', detail: must be odd}]]
- name: range
  why: the schema has the other end
  type: FieldValueInvalid
  native: 'must be from (?P<low>\d+) to (?P<high>\d+)'
  declarative: 'should be at least (?P<low>\d+)'
  schema: {maximum: '(?P<high>\d+)'}
  examples:
    match: [[must be from 1 to 5, {detail: should be at least 1, schema: {maximum: 5}}]]
    differ: [[must be from 1 to 5, {detail: should be at least 1, schema: {maximum: 6}}]]
`

func TestConditions(t *testing.T) {
	rules, err := equivalence.LoadRules("rules.yaml", []byte(conditionRules))
	if err != nil {
		t.Fatal(err)
	}
	matcher := equivalence.NewMatcher(rules)
	oldOdd, newOdd := list{invalid("spec.Old", 2, "must be odd")}, list{invalid("spec.new", 2, "must be odd")}
	inRange, atLeast := list{invalid("spec.a", 0, "must be from 1 to 5")}, list{invalid("spec.a", 0, "should be at least 1")}
	for name, test := range map[string]struct {
		why                 string
		native, declarative list
		declared            difference.Declarations
		want                string
	}{
		"a name that the schema does not have": {"it can only mean the other field", oldOdd, newOdd, declares{},
			"renamed: Invalid spec.Old must be odd (2) | Invalid spec.new must be odd (2)"},
		"a field of its own": {"both fields exist, so two fields are wrong", oldOdd, newOdd,
			declares{fields: []string{"spec.Old"}}, "path: Invalid spec.Old must be odd (2) | Invalid spec.new must be odd (2)"},
		"a key as a field": {"in a schema any field of a map counts as declared, and this is the same one",
			list{invalid("spec.sizes.disk", 2, "must be odd")}, list{invalid("spec.sizes[disk]", 2, "must be odd")},
			declares{fields: []string{"spec.sizes.disk"}}, "key: Invalid spec.sizes.disk must be odd (2) | Invalid spec.sizes[disk] " +
				"must be odd (2)"},
		"a key with dots as a field": {"the dots belong to the key", list{invalid("spec.sizes.a.b/disk", 2, "must be odd")},
			list{invalid("spec.sizes[a.b/disk]", 2, "must be odd")}, declares{fields: []string{"spec.sizes.a.b/disk"}},
			"key: Invalid spec.sizes.a.b/disk must be odd (2) | Invalid spec.sizes[a.b/disk] must be odd (2)"},
		"an unknown schema": {"the author of the rule knows the fields", oldOdd, newOdd, nil,
			"renamed: Invalid spec.Old must be odd (2) | Invalid spec.new must be odd (2)"},
		"the other end": {"the schema has it", inRange, atLeast,
			declares{keywords: map[string]map[string]string{"spec.a": {"maximum": "5"}}},
			"range: Invalid spec.a must be from 1 to 5 (0) | Invalid spec.a should be at least 1 (0)"},
		"another end": {"5 and 6 differ", inRange, atLeast, declares{keywords: map[string]map[string]string{"spec.a": {"maximum": "6"}}},
			"detail: Invalid spec.a must be from 1 to 5 (0) | Invalid spec.a should be at least 1 (0)"},
		"no evidence": {"the other end is not known", inRange, atLeast, nil, "detail: Invalid spec.a must be from 1 to 5 (0) " +
			"| Invalid spec.a should be at least 1 (0)"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff([]string{test.want}, summary(matchBy(matcher, test.native, test.declarative, test.declared))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.why, diff)
			}
		})
	}
}
