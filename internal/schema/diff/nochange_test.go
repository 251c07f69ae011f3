package diff_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	schemadiff "github.com/diffrun/diffrun/internal/schema/diff"
)

// TestNoChange: a schema that is written differently with the same meaning is not changed, in both
// directions. Next to each is a similar change that is one.
func TestNoChange(t *testing.T) {
	const ab = `{type: object, properties: {a: {type: string}, b: {type: string}}, `
	rules := func(typ, list string) string { return `{` + typ + `, x-kubernetes-validations: [` + list + `]}` }
	const two = `type: object, properties: {a: {type: integer}, b: {type: integer}, t: {type: string, enum: [k, l]}}`
	for _, tt := range []struct{ why, a, b string }{
		{"every integer is an int64", `{type: integer}`, `{type: integer, format: int64}`},
		{"every number is a double", `{type: number}`, `{type: number, format: double}`},
		{"an unknown format", `{type: string}`, `{type: string, format: my-own}`},
		{"a number format on a text", `{type: string, format: int32}`, `{type: string}`},
		{"a format with dashes", `{type: string, format: date-time}`, `{type: string, format: datetime}`},
		{"an int32 within its range", `{type: integer, minimum: 0, maximum: 100}`,
			`{type: integer, format: int32, minimum: 0, maximum: 100}`},
		{"branches in a different order", `{type: integer, anyOf: [{maximum: 1}, {minimum: 8}]}`,
			`{type: integer, anyOf: [{minimum: 8}, {maximum: 1}]}`},
		{"one branch in a different order", ab + `oneOf: [{required: [a]}, {required: [b]}]}`, ab +
			`oneOf: [{required: [b]}, {required: [a]}]}`},
		{"a doubled branch", `{type: integer, anyOf: [{maximum: 1}, {minimum: 8}]}`,
			`{type: integer, anyOf: [{maximum: 1}, {minimum: 8}, {maximum: 1}]}`},
		{"a branch in a larger one", `{type: integer, anyOf: [{maximum: 1}, {minimum: 8}]}`,
			`{type: integer, anyOf: [{maximum: 1}, {minimum: 8}, {minimum: 9}]}`},
		{"a doubled allOf", `{type: integer, allOf: [{maximum: 1}]}`, `{type: integer, allOf: [{maximum: 1}, {maximum: 1}]}`},
		{"a junctor around one branch", `{type: integer, anyOf: [{maximum: 1}]}`, `{type: integer, oneOf: [{maximum: 1}]}`},
		{"branches without a value in common", `{type: integer, anyOf: [{maximum: 1}, {minimum: 8}]}`,
			`{type: integer, oneOf: [{maximum: 1}, {minimum: 8}]}`},
		{"not not", `{type: integer, not: {not: {maximum: 1}}}`, `{type: integer, maximum: 1}`},
		{"names in a different order", ab + `required: [a, b]}`, ab + `required: [b, a]}`},
		{"values in a different order", `{type: string, enum: [a, b]}`, `{type: string, enum: [b, a]}`},
		{"keys in a different order", `{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a, b], items: ` +
			`{type: object, required: [a, b], properties: {a: {type: string}, b: {type: string}}}}`,
			`{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b, a], items: {type: object, required: [a, ` +
				`b], properties: {a: {type: string}, b: {type: string}}}}`},
		{"required, and a default fills it in", `{type: object, properties: {a: {type: string, default: x}}}`,
			`{type: object, required: [a], properties: {a: {type: string, default: x}}}`},
		{"required in a branch, and a default fills it in", `{type: object, properties: {a: {type: string, default: x}}}`,
			`{type: object, properties: {a: {type: string, default: x}}, allOf: [{required: [a]}]}`},
		{"a bound that excludes itself", `{type: integer, minimum: 1}`, `{type: integer, minimum: 0, exclusiveMinimum: true}`},
		{"the other bound", `{type: integer, maximum: 9}`, `{type: integer, maximum: 10, exclusiveMaximum: true}`},
		{"a bound beside a tighter enum", `{type: integer, enum: [1, 2]}`, `{type: integer, enum: [1, 2], maximum: 5}`},
		{"a length beside a tighter enum", `{type: string, enum: [a, bc]}`, `{type: string, enum: [a, bc], maxLength: 2, minLength: 1}`},
		{"a value that a bound refuses", `{type: integer, enum: [1, 2], maximum: 5}`, `{type: integer, enum: [1, 2, 7], maximum: 5}`},
		{"an enum as a pattern", `{type: string, enum: [a, b]}`, `{type: string, pattern: "^(a|b)$"}`},
		{"an enum as bounds", `{type: integer, enum: [1, 2, 3]}`, `{type: integer, minimum: 1, maximum: 3}`},
		{"a pattern written otherwise", `{type: string, pattern: "^[ab]+$"}`, `{type: string, pattern: "^(a|b)(a|b)*$"}`},
		{"a pattern that has a length", `{type: string, pattern: "^[a-z]{2,4}$"}`,
			`{type: string, pattern: "^[a-z]{2,4}$", minLength: 2, maxLength: 4}`},
		{"a pattern that matches all", `{type: string}`, `{type: string, pattern: ".*"}`},
		{"a length that all texts have", `{type: string}`, `{type: string, minLength: 0}`},
		{"an inlined allOf", `{type: integer, allOf: [{maximum: 5}]}`, `{type: integer, maximum: 5}`},
		{"an inlined allOf about a field", `{type: object, properties: {a: {type: integer}}, allOf: [{properties: {a: {maximum: 5}}}]}`,
			`{type: object, properties: {a: {type: integer, maximum: 5}}}`},
		{"an inlined allOf about items", `{type: array, items: {type: integer}, allOf: [{items: {maximum: 5}}]}`,
			`{type: array, items: {type: integer, maximum: 5}}`},
		{"as many fields as there are required", ab + `required: [a, b]}`, ab + `required: [a, b], minProperties: 2}`},
		{"a rule in two", rules(`type: integer`, `{rule: "self < 5 && self != 2"}`),
			rules(`type: integer`, `{rule: "self < 5"}, {rule: "self != 2"}`)},
		{"a rule split in two after a guard", rules(two, `{rule: "!has(self.a) || (has(self.b) && self.a < 5)"}`),
			rules(two, `{rule: "!has(self.a) || has(self.b)"}, {rule: "!has(self.a) || self.a < 5"}`)},
		{"a rule about items in two", rules(`type: array, items: {type: integer}`, `{rule: "self.all(x, x < 5 && x != 2)"}`),
			rules(`type: array, items: {type: integer}`, `{rule: "self.all(x, x < 5)"}, {rule: "self.all(x, x != 2)"}`)},
		{"a rule about an update in two", rules(two, `{rule: "self.a == oldSelf.a && self.b == oldSelf.b"}`),
			rules(two, `{rule: "self.a == oldSelf.a"}, {rule: "self.b == oldSelf.b"}`)},
		{"a rule that another implies", rules(`type: integer`, `{rule: "self < 5"}`),
			rules(`type: integer`, `{rule: "self < 5"}, {rule: "self < 10"}`)},
		{"a rule twice", rules(`type: integer`, `{rule: "self < 5"}`), rules(`type: integer`, `{rule: "self < 5"}, {rule: "5 > self"}`)},
		{"a condition as a guard", rules(two, `{rule: "has(self.a) ? self.a < 5 : true"}`),
			rules(two, `{rule: "!has(self.a) || self.a < 5"}`)},
		{"a rule that the schema implies", `{type: integer, maximum: 5}`, rules(`type: integer, maximum: 5`, `{rule: "self < 10"}`)},
		{"a rule that another and the enum imply", rules(two, `{rule: "!has(self.t) || self.t != 'k' || has(self.a)"}`),
			rules(two, `{rule: "!has(self.t) || self.t != 'k' || has(self.a)"}, {rule: "!has(self.t) || self.t == 'l' || has(self.a)"}`)},
		{"a rule as a bound", rules(`type: integer`, `{rule: "self <= 5"}`), `{type: integer, maximum: 5}`},
		{"a rule as an enum", rules(`type: string`, `{rule: "self in ['a', 'b']"}`), `{type: string, enum: [a, b]}`},
		{"a rule as a pattern", rules(`type: string`, `{rule: "self.matches('^a+$')"}`), `{type: string, pattern: "^a+$"}`},
		{"a rule as lengths", rules(`type: string`, `{rule: "size(self) > 0 && self.size() <= 5"}`),
			`{type: string, minLength: 1, maxLength: 5}`},
		{"a rule as a required field", rules(two, `{rule: "has(self.a)"}`), `{` + two + `, required: [a]}`},
		{"a rule around a field as a bound", rules(two, `{rule: "!has(self.a) || self.a >= 1"}`),
			`{type: object, properties: {a: {type: integer, minimum: 1}, b: {type: integer}, t: {type: string, enum: [k, l]}}}`},
		{"nullable beside an enum", `{type: object, required: [a], properties: {a: {type: string, enum: [x]}}}`,
			`{type: object, required: [a], properties: {a: {type: string, enum: [x], nullable: true}}}`},
	} {
		t.Run(tt.why, func(t *testing.T) {
			for _, pair := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
				a, b := inField(t, pair[0]), inField(t, pair[1])
				if changes := schemadiff.Walk(a, b); len(changes) > 0 {
					t.Errorf("%s → %s: %v", pair[0], pair[1], written(changes))
				}
				outcome, err := schemadiff.Run(t.Context(), a, b, schemadiff.RunOptions{Objects: 120, Seed: 5})
				if err != nil || len(outcome.Examples) > 0 {
					t.Errorf("the row is wrong: %v %v", err, outcome.Examples)
				}
			}
		})
	}
}

func inField(t *testing.T, text string) schemadiff.Side {
	return side(t, `{type: object, properties: {f: `+text+`}}`)
}

// TestDirection: the direction of a change, where it is proven, and the description of what breaks.
func TestDirection(t *testing.T) {
	for _, tt := range []struct {
		why, a, b string
		want      []string
	}{
		{"a wider branch", `{type: integer, anyOf: [{maximum: 1}, {minimum: 8}]}`,
			`{type: integer, anyOf: [{maximum: 2}, {minimum: 8}]}`,
			[]string{`wider f: anyOf [{"maximum":1},{"minimum":8}] → [{"maximum":2},{"minimum":8}]`}},
		{"a branch that is gone", `{type: integer, anyOf: [{maximum: 1}, {minimum: 8}]}`, `{type: integer, anyOf: [{maximum: 1}]}`,
			[]string{`narrower f: anyOf [{"maximum":1},{"minimum":8}] → [{"maximum":1}]`}},
		{"any where it was one", `{type: object, properties: {a: {type: string}, b: {type: string}}, oneOf: [{required: [a]}, ` +
			`{required: [b]}]}`, `{type: object, properties: {a: {type: string}, b: {type: string}}, anyOf: [{required: [a]}, ` +
			`{required: [b]}]}`, []string{`wider f: oneOf [{"required":["a"]},{"required":["b"]}] → none`}},
		{"a duplicate branch of oneOf", `{type: integer, oneOf: [{maximum: 1}, {minimum: 8}]}`,
			`{type: integer, oneOf: [{maximum: 1}, {minimum: 8}, {minimum: 8}]}`,
			[]string{`narrower f: oneOf [{"maximum":1},{"minimum":8}] → [{"maximum":1},{"minimum":8},{"minimum":8}]`}},
		{"a not that refuses less", `{type: string, not: {pattern: "^x"}}`, `{type: string, not: {pattern: "^xy"}}`,
			[]string{`wider f: not {"pattern":"^x"} → {"pattern":"^xy"}`}},
		{"an enum for a pattern", `{type: string, pattern: "^(a|b)$"}`, `{type: string, enum: [a]}`, []string{`narrower f: enum ["a"]`}},
		{"multiples", `{type: integer, multipleOf: 6}`, `{type: integer, multipleOf: 3}`, []string{"wider f: multipleOf 6 → 3"}},
		{"a rule that follows from the one before", `{type: integer, x-kubernetes-validations: [{rule: "self < 5"}]}`,
			`{type: integer, x-kubernetes-validations: [{rule: "self < 10"}]}`, []string{"wider f: rule reworded"}},
		{"a default below a rule", `{type: object, properties: {a: {type: integer}}, x-kubernetes-validations: [{rule: ` +
			`"!has(self.a) || self.a < 10"}]}`, `{type: object, properties: {a: {type: integer, default: 5}}, ` +
			`x-kubernetes-validations: [{rule: "!has(self.a) || self.a < 10"}]}`, []string{"stored f.a: default 5"}},
		{"a default below a rule that is new, and that nothing breaks", `{type: object, properties: {a: {type: integer, minimum: 0}}}`,
			`{type: object, properties: {a: {type: integer, minimum: 0, default: 5}}, x-kubernetes-validations: [{rule: ` +
				`"!has(self.a) || self.a >= 0"}]}`, []string{"stored f.a: default 5"}},
		{"a default that a rule refuses", `{type: object, properties: {a: {type: integer}}, x-kubernetes-validations: [{rule: ` +
			`"!has(self.a) || self.a < 4"}]}`, `{type: object, properties: {a: {type: integer, default: 5}}, x-kubernetes-validations: ` +
			`[{rule: "!has(self.a) || self.a < 4"}]}`, []string{"other f.a: default 5"}},
		{"a default of a field whose name rules escape", `{type: object, properties: {__a: {type: integer}}, ` +
			`x-kubernetes-validations: [{rule: "!has(self.__underscores__a)"}]}`,
			`{type: object, properties: {__a: {type: integer, default: 5}}, x-kubernetes-validations: [{rule: ` +
				`"!has(self.__underscores__a)"}]}`,
			[]string{"other f.__a: default 5"}},
		{"a default that a rule rejects, at a different field", `{type: object, properties: {a: {type: integer}, b: {type: ` +
			`integer}}, x-kubernetes-validations: [{rule: "!has(self.a)", fieldPath: .b}]}`,
			`{type: object, properties: {a: {type: integer, default: 5}, b: {type: integer}}, x-kubernetes-validations: [{rule: ` +
				`"!has(self.a)", fieldPath: .b}]}`, []string{"other f.a: default 5"}},
		{"a default that its own rule about updates refuses", `{type: object, properties: {a: {type: integer, ` +
			`x-kubernetes-validations: [{rule: "self != oldSelf"}]}}}`, `{type: object, properties: {a: {type: integer, default: ` +
			`5, x-kubernetes-validations: [{rule: "self != oldSelf"}]}}}`, []string{"other f.a: default 5"}},
		{"a default that a rule about others refuses", `{type: object, properties: {a: {type: integer}, b: {type: integer}}, ` +
			`x-kubernetes-validations: [{rule: "!has(self.a) || !has(self.b)"}]}`, `{type: object, properties: {a: {type: integer, ` +
			`default: 5}, b: {type: integer}}, x-kubernetes-validations: [{rule: "!has(self.a) || !has(self.b)"}]}`,
			[]string{"other f.a: default 5"}},
		{"a default without a field that is required in it", `{type: object, properties: {o: {type: object, required: [x], ` +
			`properties: {x: {type: string}}}}}`, `{type: object, properties: {o: {type: object, default: {}, required: [x], ` +
			`properties: {x: {type: string}}}}}`, []string{"other f.o: default {}"}},
		{"a default that is one field too many", `{type: object, maxProperties: 1, properties: {a: {type: integer}, b: {type: ` +
			`integer}}}`, `{type: object, maxProperties: 1, properties: {a: {type: integer, default: 5}, b: {type: integer}}}`,
			[]string{"other f.a: default 5"}},
		{"a default that a branch refuses", `{type: object, properties: {a: {type: integer}, b: {type: integer}}, not: {required: [a]}}`,
			`{type: object, properties: {a: {type: integer, default: 5}, b: {type: integer}}, not: {required: [a]}}`,
			[]string{"other f.a: default 5"}},
		{"a default that let rules hold", `{type: object, properties: {a: {type: integer, default: 5}}, x-kubernetes-validations: ` +
			`[{rule: "has(self.a)"}]}`, `{type: object, properties: {a: {type: integer}}, x-kubernetes-validations: [{rule: ` +
			`"has(self.a)"}]}`, []string{"narrower f.a: no default, it was 5"}},
		{"half of a rule about an update applies to new objects", `{type: object, properties: {a: {type: integer}, b: {type: ` +
			`integer}}, x-kubernetes-validations: [{rule: "self.a > 0 && self.b == oldSelf.b"}]}`,
			`{type: object, properties: {a: {type: integer}, b: {type: integer}}, x-kubernetes-validations: [{rule: "self.a > 0"}, ` +
				`{rule: "self.b == oldSelf.b"}]}`, []string{"wider f: rule reworded", "narrower f: rule self.a > 0"}},
		{"nullable beside an enum", `{type: string, enum: [x]}`, `{type: string, enum: [x], nullable: true}`,
			[]string{"narrower f: nullable"}},
		{"the default of a new field that its own schema rejects", `{type: object, properties: {a: {type: string}}}`,
			`{type: object, properties: {a: {type: string}, b: {type: integer, maximum: 3, default: 5}}}`,
			[]string{"narrower f.b: default 5 of a new field", "wider f.b: new field"}},
		{"the default of a new field that a branch rejects", `{type: object, properties: {a: {type: string}}, not: {required: [b]}}`,
			`{type: object, properties: {a: {type: string}, b: {type: integer, default: 5}}, not: {required: [b]}}`,
			[]string{"narrower f.b: default 5 of a new field", "wider f.b: new field"}},
		{"nullable where a branch requires the field", `{type: object, properties: {a: {type: string}}, allOf: [{required: [a]}]}`,
			`{type: object, properties: {a: {type: string, nullable: true}}, allOf: [{required: [a]}]}`, []string{"other f.a: nullable"}},
		{"a rule about a required field that may be null", `{type: object, required: [a], properties: {a: {type: string, ` +
			`nullable: true}}}`, `{type: object, required: [a], properties: {a: {type: string, nullable: true}}, ` +
			`x-kubernetes-validations: [{rule: "has(self.a)"}]}`, []string{"narrower f: rule has(self.a)"}},
		{"nullable where a branch refuses the field", `{type: object, properties: {a: {type: string}}, not: {required: [a]}}`,
			`{type: object, properties: {a: {type: string, nullable: true}}, not: {required: [a]}}`, []string{"other f.a: nullable"}},
		{"nullable values of a map with a maximal size", `{type: object, additionalProperties: {type: string}, ` +
			`x-kubernetes-validations: [{rule: "size(self) == 0"}]}`, `{type: object, additionalProperties: {type: string, ` +
			`nullable: true}, x-kubernetes-validations: [{rule: "size(self) == 0"}]}`, []string{"other f.*: nullable"}},
		{"nullable beside an enum, where fields are counted", `{type: object, minProperties: 1, properties: {a: {type: string, ` +
			`enum: [x]}, b: {type: string}}}`, `{type: object, minProperties: 1, properties: {a: {type: string, enum: [x], ` +
			`nullable: true}, b: {type: string}}}`, []string{"narrower f.a: nullable"}},
		{"an enum that a null does not meet", `{type: string, nullable: true}`, `{type: string, nullable: true, pattern: "^a"}`,
			[]string{"narrower f: pattern ^a"}},
	} {
		t.Run(tt.why, func(t *testing.T) {
			a, b := inField(t, tt.a), inField(t, tt.b)
			shown, err := schemadiff.Witness(t.Context(), a, b, schemadiff.Walk(a, b), 1)
			if err != nil {
				t.Fatal(err)
			}
			outcome, err := schemadiff.Run(t.Context(), a, b, schemadiff.RunOptions{Objects: 300, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, written(schemadiff.Explain(shown, outcome.Examples))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			for _, change := range shown {
				if len(change.Examples) == 0 && change.What != "rule reworded" && change.What != "new field" {
					t.Errorf("%s is not shown", change.What)
				}
			}
		})
	}
}
