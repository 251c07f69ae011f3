package equivalence_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
)

// kindRules has a rule of each kind.
const kindRules = `
- name: stops-at-template
  why: nobody looks into a template that may not change
  hides: spec.items[*].template
  type: FieldValueInvalid
  native: field is immutable
  examples:
    match:
    - native: [field is immutable]
      declarative: [field is immutable, {field: 'spec.items[0].template.a', detail: must be odd}]
    differ:
    - native: [field is immutable]
      declarative: [field is immutable, {field: 'spec.items[1].template.a', detail: must be odd}]
- name: schema-stops-at-mode
  why: rules do not run on what has the wrong shape
  field: spec.mode
  hides: spec.options
  type: FieldValueTypeInvalid
  declarative: 'must be a string'
  examples:
    match:
    - native: [must be a string, {field: spec.options, detail: must be odd}]
      declarative: [must be a string]
    differ:
    - native: [{field: spec.options, detail: must be odd}]
      declarative: [must be a string]
- name: stops-at-second
  why: nobody looks into a source that is one too many
  hides: .**
  type: FieldValueForbidden
  native: more than one source
  examples:
    match:
    - native: [more than one source]
      declarative: [more than one source, {field: spec.field.a, detail: must be odd}]
    differ:
    - native: [more than one source]
      declarative: [more than one source, {field: spec.fields, detail: must be odd}]
- name: one-line
  why: the schema says all about a name at once
  joins: declarative
  separator: ' and '
  type: FieldValueInvalid
  native: '(?P<part>must be (?:odd|lower case))'
  declarative: '(?P<part>must be (?:odd|lower case) and .+)'
  examples:
    match: [{native: [must be odd, must be lower case], declarative: [must be lower case and must be odd]}]
    differ: [{native: [must be odd], declarative: [must be lower case and must be odd]}]
- name: said-twice
  why: two functions check it
  repeats: native
  type: FieldValueInvalid
  field: metadata.labels
  native: must be odd
  examples:
    match: [{native: [must be odd, must be odd], declarative: [must be odd]}]
    differ: [{native: [must be odd, must be odd], declarative: []}]
- name: renamed
  why: the field moved
  text: same
  nativeField: 'spec\.old(?P<rest>.*)'
  declarativeField: 'spec\.new(?P<rest>.*)'
  examples:
    match: [[{field: spec.old, detail: must be odd}, {field: spec.new, detail: must be odd}]]
    differ: [[{field: spec.old, detail: must be odd}, {field: spec.new, detail: must be even}]]
`

func TestKinds(t *testing.T) {
	rules, err := equivalence.LoadRules("rules.yaml", []byte(kindRules))
	if err != nil {
		t.Fatal(err)
	}
	immutable := invalid("spec.items[1].template", nil, "field is immutable")
	odd := func(at string) *field.Error { return invalid(at, nil, "must be odd") }
	lower := invalid("spec.name", nil, "must be lower case")
	for name, test := range map[string]struct {
		why                 string
		native, declarative field.ErrorList
		want                []string
	}{
		"children of an agreed parent": {
			why:         "hand-written code stopped there",
			native:      field.ErrorList{immutable},
			declarative: field.ErrorList{odd("spec.items[1].template.a"), immutable, odd("spec.items[1].template.b[0].c")},
			want: []string{
				"=: Invalid spec.items[1].template field is immutable | Invalid spec.items[1].template field is immutable",
				"stops-at-template: - | Invalid spec.items[1].template.a must be odd",
				"stops-at-template: - | Invalid spec.items[1].template.b[0].c must be odd",
			},
		},
		"children of an agreed error anywhere": {
			why: "the rule names no field, and neither the neighbours nor the error itself are hidden",
			native: field.ErrorList{
				{Type: field.ErrorTypeForbidden, Field: "spec.a[1].b", Detail: "more than one source"},
				{Type: field.ErrorTypeForbidden, Field: "spec.c", Detail: "more than one source"},
			},
			declarative: field.ErrorList{
				{Type: field.ErrorTypeForbidden, Field: "spec.a[1].b", Detail: "more than one source"}, odd("spec.a[1].b"),
				odd("spec.a[1].b.c.d"), odd("spec.a[10].b.c"), odd("spec.cc.d"),
				{Type: field.ErrorTypeForbidden, Field: "spec.c", Detail: "more than one source"}, odd("spec.c.d"),
			},
			want: []string{
				"=: Forbidden spec.a[1].b more than one source | Forbidden spec.a[1].b more than one source",
				"too-strict: - | Invalid spec.a[1].b must be odd",
				"stops-at-second: - | Invalid spec.a[1].b.c.d must be odd",
				"too-strict: - | Invalid spec.a[10].b.c must be odd",
				"=: Forbidden spec.c more than one source | Forbidden spec.c more than one source",
				"stops-at-second: - | Invalid spec.c.d must be odd",
				"too-strict: - | Invalid spec.cc.d must be odd",
			},
		},
		"children of an agreed error at another field": {
			why:    "the side that goes on uses its own field",
			native: field.ErrorList{{Type: field.ErrorTypeForbidden, Field: "spec.old.a", Detail: "more than one source"}},
			declarative: field.ErrorList{
				{Type: field.ErrorTypeForbidden, Field: "spec.new.a", Detail: "more than one source"},
				odd("spec.new.a.b"),
				odd("spec.new.b"),
			},
			want: []string{
				"stops-at-second: - | Invalid spec.new.a.b must be odd",
				"too-strict: - | Invalid spec.new.b must be odd",
				"renamed: Forbidden spec.old.a more than one source | Forbidden spec.new.a more than one source",
			},
		},
		"children of another item": {
			why:         "[*] means the same item in the parent and in the child",
			native:      field.ErrorList{immutable},
			declarative: field.ErrorList{immutable, odd("spec.items[10].template.a"), odd("spec.items[1].templates")},
			want: []string{
				"=: Invalid spec.items[1].template field is immutable | Invalid spec.items[1].template field is immutable",
				"too-strict: - | Invalid spec.items[1].templates must be odd",
				"too-strict: - | Invalid spec.items[10].template.a must be odd",
			},
		},
		"children without their parent": {
			why:         "a side that lacks the parent has not found the mistake",
			native:      field.ErrorList{immutable},
			declarative: field.ErrorList{odd("spec.items[1].template.a")},
			want: []string{
				"path: Invalid spec.items[1].template field is immutable | Invalid spec.items[1].template.a must be odd",
			},
		},
		"children of the side that stops": {
			why:         "hand-written code stops, so errors that it reports nevertheless count",
			native:      field.ErrorList{immutable, odd("spec.items[1].template.a")},
			declarative: field.ErrorList{immutable},
			want: []string{
				"=: Invalid spec.items[1].template field is immutable | Invalid spec.items[1].template field is immutable",
				"too-loose: Invalid spec.items[1].template.a must be odd | -",
			},
		},
		"another parent": {
			why:         "only the error that the rule names ends the search",
			native:      field.ErrorList{odd("spec.items[1].template")},
			declarative: field.ErrorList{odd("spec.items[1].template"), odd("spec.items[1].template.a")},
			want: []string{
				"=: Invalid spec.items[1].template must be odd | Invalid spec.items[1].template must be odd",
				"too-strict: - | Invalid spec.items[1].template.a must be odd",
			},
		},
		"a schema that stops": {
			why: "hides works on both sides, and next to the error",
			native: field.ErrorList{
				{Type: field.ErrorTypeTypeInvalid, Field: "spec.mode", Detail: "must be a string"},
				odd("spec.options"),
				odd("spec.options.a"),
			},
			declarative: field.ErrorList{{Type: field.ErrorTypeTypeInvalid, Field: "spec.mode", Detail: "must be a string"}},
			want: []string{
				"=: TypeInvalid spec.mode must be a string | TypeInvalid spec.mode must be a string",
				"schema-stops-at-mode: Invalid spec.options must be odd | -",
				"schema-stops-at-mode: Invalid spec.options.a must be odd | -",
			},
		},
		"two in one": {
			why:         "each text has its error on the other side",
			native:      field.ErrorList{odd("spec.name"), lower},
			declarative: field.ErrorList{invalid("spec.name", nil, "must be odd and must be lower case")},
			want: []string{
				"one-line: Invalid spec.name must be lower case | Invalid spec.name must be odd and must be lower case",
				"one-line: Invalid spec.name must be odd | Invalid spec.name must be odd and must be lower case",
			},
		},
		"two of three in one": {
			why:         "one text more than there are errors: all or none",
			native:      field.ErrorList{odd("spec.name"), lower},
			declarative: field.ErrorList{invalid("spec.name", nil, "must be odd and must be lower case and must be odd")},
			want: []string{
				"detail: Invalid spec.name must be lower case | Invalid spec.name must be odd and must be lower case and must be odd",
				"too-loose: Invalid spec.name must be odd | -",
			},
		},
		"values of a joined error": {
			why:         "texts about different values are not joined",
			native:      field.ErrorList{invalid("spec.name", "a", "must be odd"), invalid("spec.name", "b", "must be lower case")},
			declarative: field.ErrorList{invalid("spec.name", "a", "must be odd and must be lower case")},
			want: []string{
				"too-loose: Invalid spec.name must be lower case (b) | -",
				"detail: Invalid spec.name must be odd (a) | Invalid spec.name must be odd and must be lower case (a)",
			},
		},
		"said twice": {
			why:         "the copy of an error that both report",
			native:      field.ErrorList{odd("metadata.labels"), odd("metadata.labels")},
			declarative: field.ErrorList{odd("metadata.labels")},
			want:        []string{"said-twice 2:1: Invalid metadata.labels must be odd | Invalid metadata.labels must be odd"},
		},
		"said twice by one side only": {
			why:         "the schema has no such error, so it has no rule for it either",
			native:      field.ErrorList{odd("metadata.labels"), odd("metadata.labels")},
			declarative: nil,
			want:        []string{"too-loose 2:0: Invalid metadata.labels must be odd | -"},
		},
		"said twice by the other side": {
			why:         "the rule is about hand-written code",
			native:      field.ErrorList{odd("metadata.labels")},
			declarative: field.ErrorList{odd("metadata.labels"), odd("metadata.labels")},
			want:        []string{"count 1:2: Invalid metadata.labels must be odd | Invalid metadata.labels must be odd"},
		},
		"renamed": {
			why:         "any type, any text, if they are the same",
			native:      field.ErrorList{required("spec.old[0].a", ""), odd("spec.old.b"), odd("spec.old.c")},
			declarative: field.ErrorList{odd("spec.new.b"), required("spec.new[0].a", ""), required("spec.new.c", "")},
			want: []string{
				"too-strict: - | Required spec.new.c",
				"renamed: Invalid spec.old.b must be odd | Invalid spec.new.b must be odd",
				"too-loose: Invalid spec.old.c must be odd | -",
				"renamed: Required spec.old[0].a | Required spec.new[0].a",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := summary(equivalence.NewMatcher(rules).Match(test.native, test.declarative))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.why, diff)
			}
		})
	}
}

func TestByOrigin(t *testing.T) {
	from := func(err *field.Error, origin string) *field.Error { return err.WithOrigin(origin) }
	native := field.ErrorList{
		from(invalid("spec.a", 1, "must be tiny"), "maximum"),
		from(invalid("spec.b", 1, "must be tiny"), "maximum"),
		from(invalid("spec.c", 1, "must be tiny"), "maximum"),
		invalid("spec.d", 1, "must be tiny"),
	}
	declarative := field.ErrorList{
		from(invalid("spec.a", 1, "should be at most 0"), "maximum"),
		from(invalid("spec.b", 1, "should be at least 2"), "minimum"),
		from(invalid("spec.c", 2, "should be at most 0"), "maximum"),
		invalid("spec.d", 1, "should be at most 0"),
	}
	want := []string{
		"origin: Invalid spec.a must be tiny (1) | Invalid spec.a should be at most 0 (1)",
		"detail: Invalid spec.b must be tiny (1) | Invalid spec.b should be at least 2 (1)",
		"detail: Invalid spec.c must be tiny (1) | Invalid spec.c should be at most 0 (2)",
		"detail: Invalid spec.d must be tiny (1) | Invalid spec.d should be at most 0 (1)",
	}
	if diff := cmp.Diff(want, summary(equivalence.NewMatcher(nil).ByOrigin().Match(native, declarative))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Only an error that both sides report stops the check of later ones.
func TestHidesAfterWhatBothReport(t *testing.T) {
	rules, err := equivalence.LoadRules("rules.yaml", []byte(kindRules+`
- name: schema-stops-at-template
  why: rules do not run on what has the wrong shape
  field: spec.items[*].template.mode
  hides: spec.items[*].options
  type: FieldValueTypeInvalid
  declarative: 'must be a string'
  examples:
    match:
    - native: [must be a string, {field: 'spec.items[0].options', detail: must be odd}]
      declarative: [must be a string]
    differ:
    - native: [{field: 'spec.items[0].options', detail: must be odd}]
      declarative: [must be a string]
`))
	if err != nil {
		t.Fatal(err)
	}
	immutable := invalid("spec.items[1].template", nil, "field is immutable")
	mode := &field.Error{Type: field.ErrorTypeTypeInvalid, Field: "spec.mode", Detail: "must be a string"}
	templateMode := &field.Error{Type: field.ErrorTypeTypeInvalid, Field: "spec.items[1].template.mode", Detail: "must be a string"}
	options, templateOptions := invalid("spec.options", nil, "must be odd"), invalid("spec.items[1].options", nil, "must be odd")
	dropped := required("spec.z", "give it")
	for name, test := range map[string]struct {
		why                                    string
		native, declarative, withoutRatcheting list
		want                                   []string
	}{
		"both": {
			why:    "the schema stopped there",
			native: list{mode, options}, declarative: list{mode},
			want: []string{
				"=: TypeInvalid spec.mode must be a string | TypeInvalid spec.mode must be a string",
				"schema-stops-at-mode: Invalid spec.options must be odd | -",
			},
		},
		"the schema alone": {
			why:    "the schema reports what it should not",
			native: list{options}, declarative: list{mode},
			want: []string{"too-strict: - | TypeInvalid spec.mode must be a string", "too-loose: Invalid spec.options must be odd | -"},
		},
		"the schema alone, on an update that drops another error": {
			why:    "that an update drops something makes no difference",
			native: list{options}, declarative: list{mode}, withoutRatcheting: list{mode, dropped},
			want: []string{"too-strict: - | TypeInvalid spec.mode must be a string", "too-loose: Invalid spec.options must be odd | -"},
		},
		"an error that is dropped": {
			why:    "a create would hide the other one",
			native: list{mode, options}, withoutRatcheting: list{mode},
			want: []string{"ratcheting: TypeInvalid spec.mode must be a string | -", "ratcheting: Invalid spec.options must be odd | -"},
		},
		"an error that is hidden itself": {
			why:    "hand-written code did not report the error at which the schema stopped",
			native: list{immutable, templateOptions}, declarative: list{immutable, templateMode},
			want: []string{
				"too-loose: Invalid spec.items[1].options must be odd | -",
				"=: Invalid spec.items[1].template field is immutable | Invalid spec.items[1].template field is immutable",
				"stops-at-template: - | TypeInvalid spec.items[1].template.mode must be a string",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := summary(equivalence.NewMatcher(rules).MatchAnswers(difference.Answer{Errors: test.native},
				difference.Answer{Errors: test.declarative, WithoutRatcheting: test.withoutRatcheting}, nil))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.why, diff)
			}
		})
	}
}
