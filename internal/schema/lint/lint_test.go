package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/reference"
	schemalint "github.com/diffrun/diffrun/internal/schema/lint"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// in is an object with a field f of this schema.
func in(schema string) string {
	return fmt.Sprintf(`{type: object, properties: {f: %s}}`, schema)
}

const ruled = `x-kubernetes-validations: [{rule: "%s", message: m}]`

// TestLints: each row is a schema and the findings of one lint in it; rows without findings are near misses.
func TestLints(t *testing.T) {
	seen := map[string]bool{}
	for _, tt := range []struct {
		lint, why, schema string
		want              []string // "place: what"
	}{
		{"rule-cost", "a bound of the list bounds the cost",
			in(`{type: array, maxItems: 100, items: {type: string, maxLength: 100, x-kubernetes-validations: [{rule: ` +
				`"self.contains('abc')"}]}}`),
			nil},
		{"rule-cost", "more than half of what the API server lets a rule cost",
			in(`{type: array, maxItems: 150000, items: {type: string, maxLength: 100, x-kubernetes-validations: [{rule: ` +
				`"self.contains('abc')"}]}}`),
			[]string{
				"properties[f].items.x-kubernetes-validations[0].rule: the rule is estimated to cost 6150000 of at most " +
					"10000000: 61 % of the limit",
			}},
		{"rule-costs", "no rules, no costs", in(`{type: string}`), nil},
		{"rule-costs", "each is below its limit and all together are not", manyRules(),
			[]string{": all rules are estimated to cost 61500000 of at most 100000000: 61 % of the limit"}},
		{"unbounded-in-rule", "what the rule does not read is left alone, and an enum is a bound",
			in(`{type: object, properties: {a: {type: string}, b: {type: string, maxLength: 5}, c: {type: string, enum: [x]}, d: ` +
				`{type: string, pattern: "^a$"}, l: {type: array, items: {type: string}}},
		  ` + fmt.Sprintf(ruled, "self.b == self.c && self.l.all(x, x == self.d)") + `}`), []string{
				"properties[f].properties[d]: no maxLength, and a rule reads it: properties[f].x-kubernetes-validations[0]",
				"properties[f].properties[l]: no maxItems, and a rule reads it: properties[f].x-kubernetes-validations[0]",
				"properties[f].properties[l].items: no maxLength, and a rule reads it: properties[f].x-kubernetes-validations[0]",
			}},
		{"unbounded-string", "a length, a format, an enum and a pattern without repetition bound it",
			in(`{type: object, properties: {a: {type: string, maxLength: 5}, b: {type: string, format: date-time}, c: {type: ` +
				`string, enum: [x]}, d: {type: string, pattern: "^[a-z]{1,5}$"}, n: {type: integer}}}`), nil},
		{"unbounded-string", "a format without a length and a pattern that repeats do not",
			in(`{type: object, properties: {a: {type: string, format: uri}, b: {type: string, pattern: "^[a-z]+$"}}}`), []string{
				"properties[f].properties[a]: a string without maxLength", "properties[f].properties[b]: a string without maxLength",
			}},
		{"unanchored-pattern", "both ends, or a word that anything may stand there",
			in(`{type: object, properties: {a: {type: string, pattern: "^(a|b)$"}, b: {type: string, pattern: "^(a$|b$)"}, c: ` +
				`{type: string, pattern: ".*a.*"}, d: {type: string, pattern: '\Aa\z'}}}`), nil},
		{"unanchored-pattern", "the alternatives of ^a|b$ have one end each; those of junctors count too",
			in(`{type: string, pattern: "^a|b$", anyOf: [{pattern: "^a"}, {pattern: "a$"}]}`), []string{
				`properties[f].anyOf[0].pattern: the pattern "^a" has no end`,
				`properties[f].anyOf[1].pattern: the pattern "a$" has no beginning`,
				`properties[f].pattern: the pattern "^a|b$" has no beginning and no end`,
			}},
		{"list-without-type", "atomic is a type",
			in(`{type: array, x-kubernetes-list-type: atomic, items: {type: array, items: {type: string}}}`),
			[]string{"properties[f].items: a list without x-kubernetes-list-type"}},
		{"default-under-nullable", "one without the other is fine",
			in(`{type: object, properties: {a: {type: string, nullable: true}, b: {type: string, default: x}, c: {type: string, ` +
				`nullable: true, default: x}}}`), []string{"properties[f].properties[c].default: a default of a nullable field"}},
		{"negated-all", "escape 3",
			in(`{type: array, maxItems: 9, items: {type: integer}, ` + fmt.Sprintf(ruled, "!self.all(x, x > 5)") + `}`),
			[]string{"properties[f].x-kubernetes-validations[0].rule: the rule negates an all()"}},
		{"negated-all", "an exists, and an all of negations",
			in(`{type: array, maxItems: 9, items: {type: integer}, ` +
				fmt.Sprintf(ruled, "!self.exists(x, x > 5) && self.all(x, !(x > 5))") + `}`),
			nil},
		{"negated-all", "the condition of an implication",
			in(`{type: array, maxItems: 9, items: {type: integer}, ` + fmt.Sprintf(ruled, "!self.all(x, x > 5) || self.size() < 3") + `}`),
			nil},
		{"rule-without-message", "a messageExpression is one",
			in(`{type: integer, x-kubernetes-validations: [{rule: "self > 5", messageExpression: "'no'"}, {rule: "self > 6"}]}`),
			[]string{"properties[f].x-kubernetes-validations[1]: a rule without a message"}},
		{"required-undeclared", "kind needs no property at the root, and keys of a map none at all",
			`{type: object, required: [kind, a], properties: {m: {type: object, required: [b], additionalProperties: {type: string}}}}`,
			[]string{`required[1]: "a" is required, but not declared`}},
		{"required-but-empty", "whatever refuses the empty string is enough",
			in(`{type: object, required: [a, b, c, d, e], properties: {a: {type: string}, b: {type: string, minLength: 1}, c: ` +
				`{type: string, enum: [x]}, d: {type: integer}, e: {type: string, maxLength: 9, ` + fmt.Sprintf(ruled, "self != ''") +
				`}}}`), []string{
				`properties[f].required[0]: "a" is required and may be empty`,
			}},
		{"preserved-root", "below the root it is meant", in(`{type: object, x-kubernetes-preserve-unknown-fields: true}`), nil},
		{"preserved-root", "nothing is pruned", `{type: object, x-kubernetes-preserve-unknown-fields: true}`,
			[]string{"x-kubernetes-preserve-unknown-fields: unknown fields are preserved at the root"}},
		{"no-effect", "a misspelled format", in(`{type: string, format: date_time, anyOf: [{format: ipv4}]}`),
			[]string{`properties[f].format: the format "date_time" is not known`}},
		{"newer-format", "older API servers store it alone",
			in(`{type: object, properties: {a: {type: string, format: k8s-short-name}, b: {type: string, format: ipv4}}}`),
			[]string{`properties[f].properties[a].format: the format "k8s-short-name" is validated since Kubernetes 1.34`}},
		{"no-effect", "a switch of a bound",
			in(`{type: object, properties: {a: {type: integer, exclusiveMinimum: true}, b: {type: integer, maximum: 3, ` +
				`exclusiveMaximum: true}}}`),
			[]string{"properties[f].properties[a].exclusiveMinimum: exclusiveMinimum has no effect without minimum"}},
		{"no-effect", "a rule limited to subresources, which the API server checks in all requests",
			in(`{type: object, x-kubernetes-validations: [{rule: self.a != 'b', onlySubresources: [status], exceptSubresources: ` +
				`[scale]}], properties: {a: {type: string, maxLength: 9}}, required: [a]}`),
			[]string{
				"properties[f].x-kubernetes-validations[0].exceptSubresources: the key is not known: the rule holds in all requests",
				"properties[f].x-kubernetes-validations[0].onlySubresources: the key is not known: the rule holds in all requests",
			}},
		{"no-effect", "an extension that the API server drops",
			in(`{type: object, x-kubernetes-unions: [{fields: {a: ""}}], properties: {a: {type: string}}}`),
			[]string{"properties[f].x-kubernetes-unions: the extension is not known"}},
		{"inert-keyword", "a keyword of another type",
			in(`{type: object, properties: {l: {type: array, maxLength: 5, items: {type: integer, pattern: "^a$"}}, s: {type: ` +
				`string, maxLength: 5}, p: {x-kubernetes-int-or-string: true, maximum: 5, maxLength: 5}}}`), []string{
				"properties[f].properties[l].items.pattern: pattern is for values of type string, but this is of type integer",
				"properties[f].properties[l].maxLength: maxLength is for values of type string, but this is of type array",
			}},
		{"inert-keyword", "a branch is about the same value",
			in(`{type: object, properties: {l: {type: array, items: {type: string}}}, anyOf: [{properties: {l: {maxLength: 5, ` +
				`items: {maxLength: 5}}}}]}`), []string{
				"properties[f].anyOf[0].properties[l].maxLength: maxLength is for values of type string, but this is of type array",
			}},
		{"no-value", "a bound over the other, also where it is excluded",
			in(`{type: object, properties: {a: {type: integer, minimum: 5, maximum: 3}, b: {type: string, minLength: 5, maxLength: ` +
				`3}, c: {type: array, items: {type: string}, minItems: 2, maxItems: 1}, d: {type: integer, minimum: 5, maximum: 5, ` +
				`exclusiveMaximum: true}, e: {type: object, additionalProperties: {type: string}, minProperties: 2, maxProperties: 1}}}`),
			[]string{
				"properties[f].properties[a].minimum: minimum 5 is over maximum 3", "properties[f].properties[b].minLength: " +
					"minLength 5 is over maxLength 3",
				"properties[f].properties[c].minItems: minItems 2 is over maxItems 1", "properties[f].properties[d].minimum: " +
					"minimum and maximum are both 5, which is excluded",
				"properties[f].properties[e].minProperties: minProperties 2 is over maxProperties 1",
			}},
		{"no-value", "equal bounds have a value, and bounds of another type do nothing",
			in(`{type: object, properties: {a: {type: integer, minimum: 5, maximum: 5}, b: {type: string, minItems: 5, maxItems: 3}}}`),
			nil},
		{"default-outside", "a default must fit its own keywords",
			in(`{type: object, properties: {a: {type: integer, maximum: 3, default: 5}, b: {type: string, enum: [x], default: z}, ` +
				`c: {type: string, pattern: "^a$", default: b}, d: {type: string, maxLength: 3, default: abc}}}`), []string{
				"properties[f].properties[a].default: the default 5 is not valid: Invalid value: 5: should be less than or equal to 3",
				`properties[f].properties[b].default: the default "z" is not valid: Unsupported value: "z": supported values: "x"`,
				`properties[f].properties[c].default: the default "b" is not valid: Invalid value: "b": should match '^a$'`,
			}},
		{"enum-outside", "a value that a bound refuses", in(`{type: string, enum: [a, abcd], maxLength: 3}`), []string{
			`properties[f].enum[1]: the enum has "abcd", which another keyword refuses: Too long: may not be more than 3 bytes`,
		}},
		{"required-with-default", "the default fills it in",
			in(`{type: object, required: [a, b, c], properties: {a: {type: string, default: x}, b: {type: string}, c: {type: ` +
				`string, nullable: true, default: x}}}`), []string{
				`properties[f].required[0]: "a" is required and has the default "x"`,
			}},
		{"rule-always-true", "what the schema refuses already",
			in(`{type: object, required: [a], properties: {a: {type: integer, minimum: 0}, b: {type: array, items: {type: ` +
				`string}}}, x-kubernetes-validations: [{rule: "self.a >= 0"}, {rule: "self.a > 0"}, {rule: "!has(self.b) || ` +
				`size(self.b) >= 0"}, {rule: "self.b.size() >= 0"}]}`), []string{
				"properties[f].x-kubernetes-validations[0].rule: the rule holds for every value that the schema accepts: self.a >= 0",
				"properties[f].x-kubernetes-validations[2].rule: the rule holds for every value that the schema accepts: " +
					"!has(self.b) || size(self.b) >= 0",
			}},
		{"rule-never-true", "what the schema refuses is all that the rule takes",
			in(`{type: integer, maximum: 5, x-kubernetes-validations: [{rule: "self > 5"}, {rule: "self >= 5"}]}`), []string{
				"properties[f].x-kubernetes-validations[0].rule: the rule holds for no value that the schema accepts: self > 5",
			}},
		{"needless-guard", "a required field is always there",
			in(`{type: object, required: [a], properties: {a: {type: integer}, b: {type: integer}}, x-kubernetes-validations: ` +
				`[{rule: "!has(self.a) || self.a > 2"}, {rule: "!has(self.b) || self.b > 2"}]}`), []string{
				"properties[f].x-kubernetes-validations[0].rule: has(self.a) is always true: the field is required",
			}},
		{"rule-is-keyword", "bounds of numbers and sizes, values, patterns, presence",
			in(`{type: object, required: [a], properties: {a: {type: integer}, i: {type: integer, x-kubernetes-validations: ` +
				`[{rule: "self >= 0"}, {rule: "5 > self"}]},
		  s: {type: string, x-kubernetes-validations: [{rule: "self.size() <= 63 && size(self) > 0"}, {rule: "self in ['A', ` +
				`'B']"}, {rule: "self == 'A' || self == 'B'"}, {rule: "self.matches('^a$')"}, {rule: "self != ''"}]},
		  l: {type: array, items: {type: string}, x-kubernetes-validations: [{rule: "size(self) < 9"}]}, m: {type: object, ` +
				`additionalProperties: {type: string}, x-kubernetes-validations: [{rule: "size(self) == 2"}]}, o: {type: integer}},
		  x-kubernetes-validations: [{rule: "self.a >= 1"}, {rule: "!has(self.o) || self.o >= 1"}, {rule: "has(self.o) ? self.o ` +
				`<= 7 : true", fieldPath: .o}, {rule: "has(self.o)"}]}`), []string{
				"properties[f].properties[i].x-kubernetes-validations[0].rule: minimum: 0 says the same as self >= 0",
				"properties[f].properties[i].x-kubernetes-validations[1].rule: maximum: 4 says the same as 5 > self",
				"properties[f].properties[l].x-kubernetes-validations[0].rule: maxItems: 8 (its error is FieldValueTooMany) says the " +
					"same as size(self) < 9",
				"properties[f].properties[m].x-kubernetes-validations[0].rule: minProperties: 2 and maxProperties: 2 (its error is " +
					"FieldValueTooMany) says the same as size(self) == 2",
				"properties[f].properties[s].x-kubernetes-validations[0].rule: maxLength: 63 (its error is FieldValueTooLong) and " +
					"minLength: 1 says the same as self.size() <= 63 && size(self) > 0",
				`properties[f].properties[s].x-kubernetes-validations[1].rule: enum: ["A","B"] (its error is FieldValueNotSupported) ` +
					`says the same as self in ['A', 'B']`,
				`properties[f].properties[s].x-kubernetes-validations[2].rule: enum: ["A","B"] (its error is FieldValueNotSupported) ` +
					`says the same as self == 'A' || self == 'B'`,
				`properties[f].properties[s].x-kubernetes-validations[3].rule: pattern: "^a$" says the same as self.matches('^a$')`,
				"properties[f].properties[s].x-kubernetes-validations[4].rule: minLength: 1 says the same as self != ''",
				"properties[f].x-kubernetes-validations[0].rule: minimum: 1 at a says the same as self.a >= 1",
				"properties[f].x-kubernetes-validations[1].rule: minimum: 1 at o says the same as !has(self.o) || self.o >= 1",
				"properties[f].x-kubernetes-validations[2].rule: maximum: 7 at o says the same as has(self.o) ? self.o <= 7 : true",
				"properties[f].x-kubernetes-validations[3].rule: required at o (its error is FieldValueRequired) says the " +
					"same as has(self.o)",
			}},
		{"rule-is-keyword", "what is near to a keyword and says something else",
			in(`{type: object, required: [a], properties: {a: {type: integer}, o: {type: integer}, num: {type: number, ` +
				`x-kubernetes-validations: [{rule: "self > 0.5"}]}, b: {type: string, format: byte, x-kubernetes-validations: [{rule: ` +
				`"size(self) <= 4"}]},
		  t: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: "size(self) <= 4"}, {rule: "self == oldSelf"}, ` +
				`{rule: "self.matches('a') || self == 'b'"}]}, nul: {type: integer, nullable: true, x-kubernetes-validations: ` +
				`[{rule: "self >= 0"}]}},
		  x-kubernetes-validations: [{rule: "self.o >= 1"}, {rule: "self.a >= 1", fieldPath: .o}, {rule: "self.a >= 1", reason: ` +
				`FieldValueForbidden}, {rule: "self.a >= self.o"}, {rule: "self.a > 1 || self.a < 0"}]}`), nil},
		{"transition-of-optional", "who removes the field and adds another is refused by nobody",
			in(`{type: object, properties: {a: {type: string, x-kubernetes-validations: [{rule: "self == oldSelf"}, {rule: ` +
				`"self != ''"}]}, o: {type: object, x-kubernetes-validations: [{rule: "self.size >= oldSelf.size"}], required: ` +
				`[size], properties: {size: {type: integer}}}}}`), []string{
				"properties[f].properties[a].x-kubernetes-validations[0].rule: the rule does not see that the field is added or removed: " +
					"self == oldSelf",
				"properties[f].properties[o].x-kubernetes-validations[0].rule: the rule does not see that the field is added or removed: " +
					"self.size >= oldSelf.size",
			}},
		{"transition-of-optional", "a rule around it, a required field, a default, a rule that is asked always, and items",
			`{type: object, required: [f], properties: {f: {type: object, required: [r], properties: {a: {type: string, ` +
				`x-kubernetes-validations: [{rule: "self == oldSelf"}]}, r: {type: string, x-kubernetes-validations: [{rule: ` +
				`"self == oldSelf"}]}, d: {type: string, default: x, x-kubernetes-validations: [{rule: "self == oldSelf"}]},
		  p: {type: string, x-kubernetes-validations: [{rule: "!oldSelf.hasValue() || self == oldSelf.value()", optionalOldSelf: ` +
				`true}]}, l: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, ` +
				`required: [k], properties: {k: {type: string}}, x-kubernetes-validations: [{rule: "self == oldSelf"}]}}},
		  x-kubernetes-validations: [{rule: "has(self.a) == has(oldSelf.a)"}]}}}`, nil},
		{"required-in-optional-spec", "without spec, nothing in it is required",
			`{type: object, properties: {spec: {type: object, required: [a, b], properties: {a: {type: integer}, b: {type: integer, ` +
				`default: 1}}}}}`,
			[]string{"properties[spec]: an object without spec is accepted, although spec.a is required"}},
		{"required-in-optional-spec", "spec is required",
			`{type: object, required: [spec], properties: {spec: {type: object, required: [a], properties: {a: {type: integer}}}}}`, nil},
		{"required-in-optional-spec", "a default creates it",
			`{type: object, properties: {spec: {type: object, default: {}, required: [a], ` +
				`properties: {a: {type: integer, default: 1}}}}}`, nil},
		{"required-in-optional-spec", "a rule requires it", `{type: object, properties: {spec: {type: object, required: [a], properties: ` +
			`{a: {type: integer}}}}, x-kubernetes-validations: [{rule: has(self.spec), message: m}]}`, nil},
		{"required-in-optional-spec", "nothing in it is required",
			`{type: object, properties: {spec: {type: object, properties: {a: {type: integer}}}}}`, nil},
		{"defaults-of-absent", "every field has a default, and the object none",
			in(`{type: object, properties: {a: {type: integer, default: 1}, b: {type: integer, default: 1}}}`),
			[]string{"properties[f]: all of its fields have defaults, and none is set if the object is absent"}},
		{"defaults-of-absent", "an empty name is the zero value of a reference",
			in(`{type: object, properties: {name: {type: string, default: ""}}}`), nil},
		{"defaults-of-absent", "a default creates it",
			in(`{type: object, default: {}, properties: {a: {type: integer, default: 1}}}`), nil},
		{"defaults-of-absent", "a field without a default: the object says something by itself",
			in(`{type: object, properties: {a: {type: integer, default: 1}, b: {type: integer}}}`), nil},
		{"rule-fails", "more is in TestRuleFails", `{type: object, required: [spec], properties: {spec: {type: object, properties: ` +
			`{a: {type: integer}}, x-kubernetes-validations: [{rule: self.a > 1, message: m}]}}}`, []string{
			`properties[spec].x-kubernetes-validations[0].rule: self.a may be missing: fails on {"spec":{}}: no such key: a ` +
				`evaluating rule: m`,
		}},
		{"transition-evaded", "more is in TestTransitionEvaded", in(`{type: object, required: [x], properties: {x: {type: integer, ` +
			`x-kubernetes-validations: [{rule: self == oldSelf, message: m}]}}}`), []string{
			`properties[f].properties[x].x-kubernetes-validations[0].rule: two updates make the change that the rule refuses in ` +
				`one, because the first removes f: {"f":{"x":10}}, then {}, then {"f":{"x":0}}`,
		}},
		{"required-status", "a create never has one", `{type: object, required: [spec, status], properties: {spec: {type: ` +
			`object, required: [status], properties: {status: {type: string}}}, status: {type: object}}}`,
			[]string{"required[1]: status is required, and it is a subresource"}},
		{"required-status", "a default fills it in", `{type: object, required: [status], properties: {status: {type: object, ` +
			`default: {}}}}`, nil},
		{"null-outside-enum", "no enum accepts a null",
			in(`{type: object, properties: {a: {type: string, nullable: true, enum: [x]}, b: {type: string, nullable: true, enum: ` +
				`[x, null]}, c: {type: string, nullable: true}, d: {type: string, enum: [x]}}}`), []string{
				"properties[f].properties[a].enum: the value is nullable, and its enum refuses a null",
				"properties[f].properties[b].enum: the value is nullable, and its enum refuses a null, although it has one",
			}},
	} {
		t.Run(tt.lint, func(t *testing.T) {
			found, err := schemalint.Check(served.Schema(t, tt.schema), schemalint.Options{
				Root:              true,
				Costs:             true,
				StatusSubresource: true,
				Only:              []string{tt.lint},
			})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range found {
				if f.Lint != tt.lint || !slices.Contains(schemalint.Severities(), f.Severity) || f.Why == "" || f.Do == "" {
					t.Errorf("finding %+v", f)
				}
				got = append(got, f.At+": "+f.What)
				seen[f.Lint] = true
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", tt.why, d)
			}
		})
	}
	for _, name := range schemalint.Names() {
		// other packages find these
		if !seen[name] && name != schemalint.TagsDiffer && name != schemalint.LostWhenStored && !strings.HasPrefix(name, "policy-") {
			t.Errorf("no row in which %s finds anything", name)
		}
	}
}

// manyRules are ten rules whose costs are slightly below the limit.
func manyRules() string {
	var fields []string
	for i := range 10 {
		fields = append(fields, fmt.Sprintf(`f%d: {type: array, maxItems: 150000, items: {type: string, maxLength: 100, `+
			`x-kubernetes-validations: [{rule: "self.contains('abc')"}]}}`, i))
	}
	return "{type: object, properties: {" + strings.Join(fields, ", ") + "}}"
}

func TestMistakes(t *testing.T) {
	_, err := schemalint.Check(served.Schema(t, `{type: object}`), schemalint.Options{Disable: []string{"rule-price"}})
	if err == nil || !strings.Contains(err.Error(), "rule-price") || !strings.Contains(err.Error(), "negated-all") {
		t.Errorf("an unknown lint: %v", err)
	}
	if _, err = schemalint.Check(served.Schema(t, in(`{type: string, pattern: "("}`)), schemalint.Options{}); err == nil {
		t.Error("a schema that does not compile must be an error")
	}
}

// TestDefinitions: a referenced definition is checked once, in cycles too.
func TestDefinitions(t *testing.T) {
	found, err := schemalint.Check(served.Schema(t, `{$ref: "#/definitions/Node"}`),
		schemalint.Options{Definitions: map[string]*spec.Schema{
			"Node": served.Schema(t, `{type: object, properties: {next: {$ref: "#/definitions/Node"}, all: {type: array, items: `+
				`{$ref: "#/definitions/Node"}}}}`),
		}})
	if err != nil || len(found) != 1 || found[0].At != "definitions[Node].properties[all]" {
		t.Errorf("%+v %v", found, err)
	}
}

// TestNullOutsideEnum: the API server's validator agrees with the lint.
func TestNullOutsideEnum(t *testing.T) {
	for schema, accepts := range map[string]bool{
		`{type: string, nullable: true, enum: [x]}`: false, `{type: string, nullable: true, enum: [x, null]}`: false,
		`{type: string, nullable: true}`: true, `{type: string, nullable: true, pattern: "^x$"}`: true,
	} {
		v, err := reference.Compile(served.Schema(t, `{type: object, properties: {f: `+schema+`}}`), reference.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if errs := v.Validate(t.Context(), map[string]any{"f": nil}, nil); (len(errs) == 0) != accepts {
			t.Errorf("%s: a null gives %v", schema, errs)
		}
	}
}

// TestStatusWithoutSubresource: a status that requests set may be required.
func TestStatusWithoutSubresource(t *testing.T) {
	found, err := schemalint.Check(served.Schema(t, `{type: object, required: [status], properties: {status: {type: object}}}`),
		schemalint.Options{Root: true, Only: []string{"required-status"}})
	if err != nil || len(found) > 0 {
		t.Errorf("%v %v", found, err)
	}
}
