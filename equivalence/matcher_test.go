package equivalence_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// invalid, required and duplicate make the errors of the tables below.
func invalid(at string, value any, detail string) *field.Error {
	return &field.Error{Type: field.ErrorTypeInvalid, Field: at, BadValue: value, Detail: detail}
}

func required(at, detail string) *field.Error {
	return &field.Error{Type: field.ErrorTypeRequired, Field: at, BadValue: "", Detail: detail}
}

func duplicate(at string, value any) *field.Error {
	return &field.Error{Type: field.ErrorTypeDuplicate, Field: at, BadValue: value}
}

func builtin(t testing.TB) *equivalence.Matcher {
	t.Helper()
	rules, err := equivalence.BuiltinRules()
	if err != nil {
		t.Fatal(err)
	}
	return equivalence.NewMatcher(rules)
}

// summary prints each pair as "class native | declarative", an exact one as "=", one that a rule explains as
// the rule's name, followed by how often each side reports it if one repeats it.
func summary(pairs []equivalence.Pair) []string {
	lines := []string{}
	for _, pair := range pairs {
		how := string(pair.Class)
		switch {
		case pair.Exact():
			how = "="
		case pair.Agrees():
			how = ruleNames(pair)
		}
		if natives, declaratives := pair.Counts(); max(natives, declaratives) > 1 {
			how += fmt.Sprintf(" %d:%d", natives, declaratives)
		}
		lines = append(lines, how+": "+short(pair.Native)+" | "+short(pair.Declarative))
	}
	return lines
}

func ruleNames(pair equivalence.Pair) string {
	var names []string
	for _, rule := range []*equivalence.Rule{pair.Rule, pair.Repeats} {
		if rule != nil {
			names = append(names, rule.Name)
		}
	}
	return strings.Join(names, "+")
}

func short(err *field.Error) string {
	if err == nil {
		return "-"
	}
	text := strings.TrimPrefix(string(err.Type), "FieldValue") + " " + err.Field
	if err.Detail != "" {
		text += " " + err.Detail
	}
	if err.BadValue != nil && err.BadValue != "" {
		text += fmt.Sprintf(" (%v)", err.BadValue)
	}
	return text
}

// matching is a table row: two lists of errors and the result with the built-in rules.
type matching struct {
	why                 string
	native, declarative list
	declared            difference.Declarations
	want                []string
}

type list = field.ErrorList

func checkMatches(t *testing.T, tests map[string]matching) {
	t.Helper()
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := summary(matchBy(builtin(t), test.native, test.declarative, test.declared))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.why, diff)
			}
		})
	}
}

func TestMatch(t *testing.T) {
	checkMatches(t, map[string]matching{
		"nothing": {
			why: "two valid verdicts agree without a line", want: []string{},
		},
		"exact": {
			why:         "the same type, field and text",
			native:      list{invalid("spec.a", 1, "must be odd")},
			declarative: list{invalid("spec.a", int64(1), "must be odd")},
			want:        []string{"=: Invalid spec.a must be odd (1) | Invalid spec.a must be odd (1)"},
		},
		"white space": {
			why:         "a line break at the end of a message does not matter",
			native:      list{invalid("spec.a", nil, "must be odd")},
			declarative: list{invalid("spec.a", nil, " must be odd\n")},
			want:        []string{"=: Invalid spec.a must be odd | Invalid spec.a  must be odd\n"},
		},
		"own name": {
			why:         "kube-openapi puts the field before the text",
			native:      list{invalid("spec.a", nil, "must be odd")},
			declarative: list{invalid("spec.a", nil, "spec.a in body must be odd")},
			want:        []string{"=: Invalid spec.a must be odd | Invalid spec.a spec.a in body must be odd"},
		},
		"another name": {
			why:         "a text about a different field is a different text",
			native:      list{invalid("spec.a", nil, "must be odd")},
			declarative: list{invalid("spec.a", nil, "spec.b in body must be odd")},
			want:        []string{"detail: Invalid spec.a must be odd | Invalid spec.a spec.b in body must be odd"},
		},
		"root": {
			why:         "apimachinery prints a nil path as <nil>, others print nothing",
			native:      list{invalid("<nil>", nil, "must be odd")},
			declarative: list{invalid("", nil, "must be odd")},
			want:        []string{"=: Invalid <nil> must be odd | Invalid  must be odd"},
		},
		"rule": {
			why:         "the two sides word a bound differently",
			native:      list{invalid("spec.replicas", -1, "must be greater than or equal to 0")},
			declarative: list{invalid("spec.replicas", int64(-1), "spec.replicas in body should be greater than or equal to 0")},
			want: []string{"minimum: Invalid spec.replicas must be greater than or equal to 0 (-1) | Invalid spec.replicas " +
				"spec.replicas in body should be greater than or equal to 0 (-1)"},
		},
		"rule at another field": {
			why:         "a rule is about wording; the fields must still be equal",
			native:      list{invalid("spec.a", nil, "must be greater than or equal to 0")},
			declarative: list{invalid("spec.b", nil, "spec.b in body should be greater than or equal to 0")},
			want: []string{
				"too-loose: Invalid spec.a must be greater than or equal to 0 | -",
				"too-strict: - | Invalid spec.b spec.b in body should be greater than or equal to 0",
			},
		},
		"rule about another value": {
			why:         "a rule about the text does not make two values equal",
			native:      list{invalid("spec.a", -1, "must be greater than or equal to 0")},
			declarative: list{invalid("spec.a", -2, "should be greater than or equal to 0")},
			want: []string{"detail: Invalid spec.a must be greater than or equal to 0 (-1) | Invalid spec.a should be " +
				"greater than or equal to 0 (-2)"},
		},
		"rule that rewrites the field": {
			why:         "hand-written code reports the key of a list item, list-type map reports the item",
			native:      list{duplicate("spec.containers[1].name", "a")},
			declarative: list{duplicate("spec.containers[1]", map[string]any{"name": "a"})},
			declared:    declares{keywords: map[string]map[string]string{"spec.containers[1]": {"x-kubernetes-list-map-keys": "name"}}},
			want:        []string{"duplicate-item: Duplicate spec.containers[1].name (a) | Duplicate spec.containers[1] (map[name:a])"},
		},
		"exact before a rule": {
			why: "where either would do, the equal words are taken together",
			native: list{
				invalid("spec.a", nil, "must be greater than or equal to 0"),
				invalid("spec.a", nil, "must be non-negative"),
			},
			declarative: list{
				invalid("spec.a", nil, "must be greater than or equal to 0"),
				invalid("spec.a", nil, "should be greater than or equal to 0"),
			},
			want: []string{
				"=: Invalid spec.a must be greater than or equal to 0 | Invalid spec.a must be greater than or equal to 0",
				"minimum-zero: Invalid spec.a must be non-negative | Invalid spec.a should be greater than or equal to 0",
			},
		},
		"exact twice before a rule twice": {
			why: "a rule that accepts either wording on both sides does not mix up equal errors",
			native: list{
				invalid("spec.a", nil, "must be no more than 63 bytes"),
				invalid("spec.a", nil, "must be no more than 63 characters"),
			},
			declarative: list{
				invalid("spec.a", nil, "must be no more than 63 characters"),
				invalid("spec.a", nil, "must be no more than 63 bytes"),
			},
			want: []string{
				"=: Invalid spec.a must be no more than 63 bytes | Invalid spec.a must be no more than 63 bytes",
				"=: Invalid spec.a must be no more than 63 characters | Invalid spec.a must be no more than 63 characters",
			},
		},
		"one exact, one rule possible": {
			why:    "of two possible partners the one with the equal text is chosen, although it comes later",
			native: list{invalid("spec.a", nil, "must be no more than 63 characters")},
			declarative: list{invalid("spec.a", nil, "must be no more than 63 bytes"),
				invalid("spec.a", nil, "must be no more than 63 characters")},
			want: []string{
				"too-strict: - | Invalid spec.a must be no more than 63 bytes",
				"=: Invalid spec.a must be no more than 63 characters | Invalid spec.a must be no more than 63 characters",
			},
		},
		"values decide": {
			why: "among errors with equal texts those with equal values are paired",
			native: list{
				invalid("metadata.labels", "-a", "must be odd"),
				invalid("metadata.labels", "-b", "must be odd"),
			},
			declarative: list{
				invalid("metadata.labels", "-b", "must be odd"),
				invalid("metadata.labels", "object", "must be odd"),
			},
			want: []string{
				"=: Invalid metadata.labels must be odd (-a) | Invalid metadata.labels must be odd (object)",
				"=: Invalid metadata.labels must be odd (-b) | Invalid metadata.labels must be odd (-b)",
			},
		},
		"natural order": {
			why: "a parent first, item 2 before item 10, and indices before keys that only begin with a digit",
			native: list{required("data[1a]", ""), required("data[10]", ""), required("data[2]", ""), required("data", ""),
				required("data[b].c]", "")},
			want: []string{
				"too-loose: Required data | -",
				"too-loose: Required data[2] | -",
				"too-loose: Required data[10] | -",
				"too-loose: Required data[1a] | -",
				"too-loose: Required data[b].c] | -",
			},
		},
	})
}

// A rule that could explain a pair is not used if the errors are equal anyway, and without rules only equal
// errors agree.
func TestMatchWithoutRules(t *testing.T) {
	native := field.ErrorList{invalid("spec.a", nil, "must be greater than or equal to 0")}
	declarative := field.ErrorList{invalid("spec.a", nil, "should be greater than or equal to 0")}
	for name, rules := range map[string]*equivalence.RuleSet{"nil": nil, "empty": {}} {
		pairs := equivalence.NewMatcher(rules).Match(native, declarative)
		if len(pairs) != 1 || pairs[0].Class != difference.Detail || pairs[0].Explained() {
			t.Errorf("%s set: %v", name, summary(pairs))
		}
	}
}

// Pairing equal errors first would leave two errors that each have a partner by a rule: the explanation with
// fewer differences is better.
func TestMatchExplainsAsMuchAsPossible(t *testing.T) {
	rules, err := equivalence.LoadRules("rules.yaml", []byte(`
- name: alpha
  why: the words of one side
  type: FieldValueInvalid
  native: alpha text
  declarative: gamma text
  examples: {match: [[alpha text, gamma text]], differ: [[beta text, gamma text]]}
- name: beta
  why: the words of one side
  type: FieldValueInvalid
  native: beta text
  declarative: alpha text
  examples: {match: [[beta text, alpha text]], differ: [[alpha text, alpha text]]}
`))
	if err != nil {
		t.Fatal(err)
	}
	got := summary(equivalence.NewMatcher(rules).Match(
		field.ErrorList{invalid("spec.a", nil, "alpha text"), invalid("spec.a", nil, "beta text")},
		field.ErrorList{invalid("spec.a", nil, "alpha text"), invalid("spec.a", nil, "gamma text")}))
	want := []string{
		"alpha: Invalid spec.a alpha text | Invalid spec.a gamma text",
		"beta: Invalid spec.a beta text | Invalid spec.a alpha text",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Validators that iterate over a map report errors in a different order in each run.
func TestCanonical(t *testing.T) {
	given := field.ErrorList{
		invalid("spec.items[10]", nil, "b"), invalid("spec.items[2]", nil, "b"), invalid("spec", nil, "b"),
		field.Required(field.NewPath("spec"), ""), invalid("spec", nil, "a"), nil,
	}
	want := []string{" ", "spec a", "spec b", "spec ", "spec.items[2] b", "spec.items[10] b"}
	var got []string
	for _, err := range fielderror.Canonical(given) {
		got = append(got, err.Field+" "+err.Detail)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if given[0].Field != "spec.items[10]" {
		t.Error("the list that was given has changed")
	}
}
