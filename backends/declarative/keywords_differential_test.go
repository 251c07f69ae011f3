package declarative_test

import (
	"fmt"
	"testing"
)

// keywordCase is one keyword on the property "a" of a resource, with values that satisfy it and values that
// violate it.
type keywordCase struct {
	keyword, why   string
	schema         string
	right, invalid []string
}

func keywordCases() []keywordCase {
	return append(append(scalarKeywords(), containerKeywords()...), append(junctorKeywords(), ruleKeywords()...)...)
}

func scalarKeywords() []keywordCase {
	return []keywordCase{
		{"type string", "the type that was found is named", `{type: string}`, []string{`""`, `x`},
			[]string{`1`, `1.5`, `true`, `[]`, `{}`, `null`}},
		{"type integer", "a whole float is an integer", `{type: integer}`, []string{`1`, `-1`, `3.0`},
			[]string{`1.5`, `"1"`, `true`, `[]`, `{}`, `null`}},
		{"type number", "an integer is a number", `{type: number}`, []string{`1`, `1.5`, `1e300`}, []string{`"1"`, `true`, `null`}},
		{"type boolean", "nothing else is a boolean", `{type: boolean}`, []string{`true`, `false`}, []string{`"true"`, `0`, `null`}},
		{"nullable", "null is a value of any nullable schema", `{type: integer, nullable: true, minimum: 1}`,
			[]string{`null`, `1`}, []string{`0`}},
		{"nullable enum", "but an enum has to hold it", `{type: string, nullable: true, enum: [a]}`, []string{`a`}, []string{`null`, `b`}},
		{"format int-or-string", "a definition says it with the extension; this is text with a format that nobody knows",
			`{type: string, format: int-or-string}`, []string{`x`, `"1"`}, []string{`1`, `true`, `null`}},
		{"format int-or-string of numbers", "and this a number", `{type: integer, format: int-or-string}`, []string{`1`},
			[]string{`x`, `1.5`}},
		{"format int-or-string alone", "any value", `{format: int-or-string, x-kubernetes-preserve-unknown-fields: true}`,
			[]string{`1`, `x`, `true`, `[]`}, nil},
		{"x-kubernetes-int-or-string", "both, and nothing else", `{x-kubernetes-int-or-string: true}`, []string{`1`, `"80%"`},
			[]string{`1.5`, `true`, `null`, `[]`}},
		{"int-or-string, anyOf", "the structural form with types", `{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, ` +
			`{type: string}]}`, []string{`1`, `x`}, []string{`true`, `[]`}},
		{"int-or-string, allOf", "the other structural form", `{x-kubernetes-int-or-string: true, allOf: [{anyOf: [{type: ` +
			`integer}, {type: string}]}, {pattern: '^a'}]}`, []string{`1`, `a`}, []string{`b`, `true`}},
		{"minimum", "the bound itself is in", `{type: integer, minimum: 1}`, []string{`1`, `2`}, []string{`0`}},
		{"exclusiveMinimum", "the bound itself is out", `{type: number, minimum: 1, exclusiveMinimum: true}`, []string{`1.5`},
			[]string{`1`, `1.0`, `0`}},
		{"maximum", "the bound itself is in", `{type: number, maximum: 2.5}`, []string{`2.5`, `2`}, []string{`2.6`, `3`}},
		{"exclusiveMaximum with a fraction", "the fraction is cut off when it meets an integer",
			`{type: number, maximum: 2.5, exclusiveMaximum: true}`, []string{`1`, `2.4`}, []string{`2`, `2.5`}},
		{"exclusiveMaximum", "the bound itself is out", `{type: integer, maximum: 3, exclusiveMaximum: true}`, []string{`2`},
			[]string{`3`, `4`}},
		{"multipleOf", "zero and negative multiples count", `{type: integer, multipleOf: 3}`, []string{`0`, `-3`, `6`, `6.0`},
			[]string{`1`, `4`, `4.0`, `6.5`}},
		{"multipleOf on floats", "a factor with a fraction meets floats", `{type: number, multipleOf: 0.5}`,
			[]string{`1.5`, `2.5`}, []string{`1.3`}},
		{"multipleOf zero", "such a definition is stored; then no integer is right", `{type: integer, multipleOf: 0}`, nil,
			[]string{`0`, `3`, `-3`}},
		{"multipleOf zero on floats", "nor any other number", `{type: number, multipleOf: 0}`, nil, []string{`0`, `0.0`, `1.5`}},
		{"multipleOf below zero", "nor is a negative factor", `{type: number, multipleOf: -0.5}`, nil, []string{`1`, `1.5`, `-0.5`}},
		{"format int32", "the error of the range has no field", `{type: integer, format: int32}`,
			[]string{`2147483647`, `-2147483648`}, []string{`2147483648`, `-2147483649`, `3.5`}},
		{"format int64", "a float beyond is out of range", `{type: integer, format: int64}`, []string{`9223372036854775807`},
			[]string{`1e19`}},
		{"format float", "beyond float32", `{type: number, format: float}`, []string{`1.5`, `3e38`}, []string{`1e39`}},
		{"format double", "any float will do", `{type: number, format: double}`, []string{`1e300`}, nil},
		{"minLength", "code points are counted", `{type: string, minLength: 2}`, []string{`éé`, `abc`}, []string{`""`, `é`}},
		{"maxLength", "code points are counted", `{type: string, maxLength: 2}`, []string{`éé`, `""`}, []string{`abc`}},
		{"pattern", "a match anywhere is a match", `{type: string, pattern: '[0-9]'}`, []string{`a1b`}, []string{`a`, `""`}},
		{"the first of a string's keywords", "of several only the first that fails is reported",
			`{type: string, minLength: 3, maxLength: 1, pattern: '^x'}`, nil, []string{`ab`, `x`, `xxx`}},
		{"enum of strings", "the values are listed", `{type: string, enum: [a, b]}`, []string{`a`}, []string{`c`, `""`}},
		{"empty enum", "is none", `{type: string, enum: []}`, []string{`a`}, nil},
		{"enum of numbers", "numbers are compared by value", `{type: number, enum: [1, 2.5]}`, []string{`1`, `1.0`, `2.5`}, []string{`3`}},
		{"enum with nearly an integer", "it is no integer, for which a fraction would be cut off",
			`{type: number, enum: [3.0000000001]}`, []string{`3.0000000001`}, []string{`3`, `3.5`}},
		{"enum with a null", "a null is none of its values", `{type: string, nullable: true, enum: [a, null]}`, []string{`a`},
			[]string{`null`, `b`}},
		{"enum of containers", "whole values are compared", `{type: object, x-kubernetes-preserve-unknown-fields: true, enum: [{x: 1}]}`,
			[]string{`{x: 1}`}, []string{`{x: 2}`, `{}`}},
		{"enum of large integers", "an integer that no float can hold is itself alone",
			`{type: number, enum: [9007199254740992, -9223372036854775808]}`,
			[]string{`9007199254740992`, `9007199254740992.0`, `-9223372036854775808`},
			[]string{`9007199254740993`, `-9223372036854775807`}},
		{"enum of a large integer", "and a float is cut to an integer before they meet", `{type: number, enum: [9007199254740993]}`,
			[]string{`9007199254740993`}, []string{`9007199254740992`, `9007199254740993.0`}},
		{"enum of floats", "an integer is made a float before they meet", `{type: number, enum: [0.5, 1e19]}`,
			[]string{`0.5`, `1e19`}, []string{`0`, `9223372036854775807`}},
		{"enum of lists of large integers", "nor are they taken for floats in a list",
			`{type: array, items: {type: number}, enum: [[9007199254740993], [1, 2.5]]}`, []string{`[9007199254740993]`, `[1, 2.5]`},
			[]string{`[9007199254740992]`, `[9007199254740992.0]`, `[1.0, 2.5]`, `[1, 2]`}},
		{"enum of objects of large integers", "or in an object", `{type: object, x-kubernetes-preserve-unknown-fields: true, ` +
			`enum: [{x: {z: [-9007199254740993]}}]}`, []string{`{x: {z: [-9007199254740993]}}`},
			[]string{`{x: {z: [-9007199254740992]}}`, `{x: {z: [-9007199254740992.0]}}`}},
		{"enum of texts and an integer", "an integer is the text of its code point, where no type forbids it",
			`{x-kubernetes-int-or-string: true, enum: [a, "é"]}`, []string{`a`, `97`, `233`}, []string{`98`, `-1`, `4294967393`, `"97"`}},
		{"enum with a text that means none", "an integer that is no code point is U+FFFD",
			`{x-kubernetes-int-or-string: true, enum: ["\uFFFD"]}`, []string{`-1`, `1114112`, `55296`, `9223372036854775807`},
			[]string{`0`, `97`}},
		{"enum of texts, without a text", "the type is wrong whatever the enum says", `{type: string, enum: [a]}`, nil,
			[]string{`97`, `98`, `97.0`}},
		{"format ipv4", "a bad format is TypeInvalid; a list passes as a string with a format", `{type: string, format: ipv4}`,
			[]string{`10.0.0.1`, `[]`}, []string{`x`, `5`, `null`}},
		{"format date-time", "another one", `{type: string, format: date-time}`, []string{`"2020-01-01T00:00:00Z"`}, []string{`"y"`, `{}`}},
		{"unknown format", "what the API server does not know says nothing", `{type: string, format: never-heard-of}`, []string{`x`}, nil},
	}
}

func containerKeywords() []keywordCase {
	return []keywordCase{
		{"properties", "each is validated", `{type: object, properties: {b: {type: string}}}`, []string{`{}`, `{b: x}`, `{c: 1}`},
			[]string{`{b: 1}`, `[]`, `x`}},
		{"required", "reported at the missing field, declared or not", `{type: object, required: [b, c], properties: {b: {type: ` +
			`string}}}`, []string{`{b: x, c: 1}`}, []string{`{}`, `{b: x}`}},
		{"minProperties", "unknown ones count", `{type: object, minProperties: 1, properties: {b: {type: string}}}`,
			[]string{`{x: 1}`}, []string{`{}`}},
		{"maxProperties", "TooMany", `{type: object, maxProperties: 1, additionalProperties: {type: string}}`,
			[]string{`{}`, `{x: a}`}, []string{`{x: a, y: b}`, `{x: a, y: b, z: 1}`}},
		{"additionalProperties", "the key is written like a field", `{type: object, additionalProperties: {type: integer}}`,
			[]string{`{}`, `{x.y: 1}`}, []string{`{x: a}`, `{x.y: a, z: null}`}},
		{"additionalProperties: false", "each unknown one is reported at the object", `{type: object, additionalProperties: false}`,
			[]string{`{}`}, []string{`{x: 1, y: 2}`}},
		{"x-kubernetes-preserve-unknown-fields", "what is known is validated still",
			`{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: string}}}`,
			[]string{`{x: {y: null}}`}, []string{`{b: 1}`}},
		{"preserve-unknown without a type", "anything goes", `{x-kubernetes-preserve-unknown-fields: true}`,
			[]string{`1`, `x`, `[1]`, `{x: 1}`}, nil},
		{"items", "each is validated at its index", `{type: array, items: {type: string}}`, []string{`[]`, `[a]`},
			[]string{`[1, a, 2]`, `[null]`, `{}`}},
		{"minItems", "Invalid", `{type: array, minItems: 1, items: {type: string}}`, []string{`[a]`}, []string{`[]`}},
		{"maxItems", "TooMany; the items are validated all the same", `{type: array, maxItems: 1, items: {type: string}}`,
			[]string{`[a]`}, []string{`[a, b]`, `[1, 2]`}},
		{"uniqueItems", "which are equal is not said", `{type: array, uniqueItems: true, items: {type: integer}}`,
			[]string{`[1, 2]`}, []string{`[1, 1]`, `[1, 1, 2, 2]`}},
		{"list type set", "the second of equal items is reported, once", `{type: array, x-kubernetes-list-type: set, items: ` +
			`{type: string}}`, []string{`[a, b]`}, []string{`[a, a]`, `[a, b, a, a, b]`}},
		{"list type set of numbers", "an integer and a float are two values", `{type: array, x-kubernetes-list-type: set, ` +
			`items: {type: number}}`, []string{`[1, 2]`, `[1, 1.0]`}, []string{`[1, 1]`, `[1.5, 1.5]`}},
		{"list type set of lists", "whole items are compared", `{type: array, x-kubernetes-list-type: set, items: {type: array, ` +
			`x-kubernetes-list-type: atomic, items: {type: integer}}}`, []string{`[[1], [2]]`}, []string{`[[1], [1]]`}},
		{"list type map", "keys are compared", `{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id], ` +
			`items: {type: object, required: [id], properties: {id: {type: string}}}}`, []string{`[{id: a}, {id: b}]`},
			[]string{`[{id: a}, {id: a, x: 1}]`, `[{}, {}]`, `[1]`, `[null, null]`}},
		{"list type map, two keys", "a missing key is a key",
			`{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id, p], items: {type: object, properties: ` +
				`{id: {type: integer}, p: {type: string, default: x}}}}`, []string{`[{id: 1}, {id: 1, p: x}]`},
			[]string{`[{id: 1}, {id: 1}]`, `[{}, {}]`, `[{p: a, id: 2}, {id: 2, p: a}]`}},
		{"list type atomic", "nothing is compared", `{type: array, x-kubernetes-list-type: atomic, items: {type: string}}`,
			[]string{`[a, a]`}, []string{`[1]`}},
		{"x-kubernetes-map-type", "no validation of its own", `{type: object, x-kubernetes-map-type: atomic, additionalProperties: ` +
			`{type: string}}`, []string{`{x: y}`}, []string{`{x: 1}`}},
		{"x-kubernetes-embedded-resource", "apiVersion and kind are required, metadata is validated",
			`{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}`,
			[]string{
				`{apiVersion: v1, kind: Pod}`,
				`{apiVersion: a/v1, kind: Pod, metadata: {name: x, labels: {a: b}}}`,
				`{apiVersion: v1, kind: Pod, metadata: {generateName: "."}}`,
			},
			[]string{
				`{}`,
				`{apiVersion: "", kind: ""}`,
				`{apiVersion: a/b/c, kind: x y}`,
				`{apiVersion: 1, kind: Pod}`,
				`{apiVersion: v1, kind: Pod, metadata: {name: a/b, labels: {"-": x}}}`,
				`{apiVersion: v1, kind: Pod, metadata: {name: 5}}`,
				`{apiVersion: v1, kind: Pod, metadata: x}`,
			}},
		{"x-kubernetes-embedded-resource in a list", "the path is that of the item",
			`{type: array, items: {type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object}}}}`,
			[]string{`[{apiVersion: v1, kind: Pod}]`}, []string{`[{kind: Pod}, {apiVersion: v1, kind: Pod, spec: 1}]`}},
	}
}

func junctorKeywords() []keywordCase {
	return []keywordCase{
		{"allOf", "each failing branch, and one error for all", `{type: integer, allOf: [{minimum: 2}, {maximum: 4}, {multipleOf: 2}]}`,
			[]string{`2`, `4`}, []string{`1`, `3`, `5`}},
		{"anyOf", "the branch that got furthest explains", `{type: object, properties: {b: {type: integer}, c: {type: string}}, ` +
			`anyOf: [{required: [b], properties: {b: {minimum: 3}}}, {required: [c]}]}`, []string{`{b: 3}`, `{c: x}`},
			[]string{`{}`, `{b: 1}`}},
		{"oneOf", "none and two are both wrong", `{type: object, properties: {b: {type: integer}, c: {type: string}}, oneOf: ` +
			`[{required: [b]}, {required: [c]}]}`, []string{`{b: 3}`, `{c: x}`}, []string{`{}`, `{b: 1, c: x}`}},
		{"not", "a branch that holds is the error", `{type: string, not: {pattern: '^x'}}`, []string{`a`}, []string{`xa`}},
		{"not within not", "turned twice", `{type: string, not: {not: {maxLength: 1}}}`, []string{`a`}, []string{`ab`}},
		{"junctors within junctors", "an inner error of a branch that does not count is dropped",
			`{type: integer, anyOf: [{allOf: [{minimum: 5}, {maximum: 9}]}, {oneOf: [{enum: [1, 2]}, {enum: [2, 3]}]}]}`,
			[]string{`5`, `1`, `3`}, []string{`2`, `4`, `10`}},
		{"junctors on items", "each item chooses its own branch", `{type: array, items: {type: integer, anyOf: [{minimum: 10}, ` +
			`{maximum: 1}]}}`, []string{`[0, 11]`}, []string{`[5, 0, 6]`}},
		{"a wrong type below junctors", "the type and the junctor fail", `{type: object, properties: {b: {type: integer}}, ` +
			`anyOf: [{properties: {b: {minimum: 1}}}]}`, []string{`{b: 1}`}, []string{`{b: x}`, `5`}},
		{"properties of a branch on a map", "branches see additional properties",
			`{type: object, additionalProperties: {type: integer}, not: {minProperties: 3}}`, []string{`{x: 1}`},
			[]string{`{x: 1, y: 2, z: 3}`}},
	}
}

func ruleKeywords() []keywordCase {
	return []keywordCase{
		{"rule on a number", "an integer is one", `{type: number, x-kubernetes-validations: [{rule: self > 1.5}]}`, []string{`2`},
			[]string{`1`}},
		{"rule", "without a message the rule is shown", `{type: integer, x-kubernetes-validations: [{rule: self > 1}]}`,
			[]string{`2`}, []string{`1`}},
		{"message", "it is the detail, trimmed", `{type: integer, x-kubernetes-validations: [{rule: self > 1, message: '  too few  '}]}`,
			[]string{`2`}, []string{`1`}},
		{"messageExpression", "it is evaluated", `{type: integer, x-kubernetes-validations: [{rule: self > 1, messageExpression: ` +
			`'"not " + string(self)'}]}`, []string{`2`}, []string{`1`}},
		{"messageExpression that fails", "the message takes over", `{type: integer, x-kubernetes-validations: [{rule: self > 1, ` +
			`messageExpression: 'string(1 / self)', message: m}]}`, []string{`2`}, []string{`0`, `1`}},
		{"empty messageExpression", "so it does for an empty text and one with two lines",
			`{type: integer, x-kubernetes-validations: [{rule: self > 1, messageExpression: '" "', message: m}, {rule: self > 1, ` +
				`messageExpression: '"a\nb"'}]}`, []string{`2`}, []string{`1`}},
		{"reason", "each reason is a type", `{type: string, x-kubernetes-validations: [{rule: self != 'r', reason: ` +
			`FieldValueRequired}, {rule: self != 'f', reason: FieldValueForbidden}, {rule: self != 'i', reason: FieldValueInvalid}, ` +
			`{rule: self != 'd', reason: FieldValueDuplicate}]}`, []string{`x`}, []string{`r`, `f`, `i`, `d`}},
		{"fieldPath", "the error is at the field, there or not", `{type: object, properties: {b: {type: integer}, c-d: {type: ` +
			`object, additionalProperties: {type: string}}}, x-kubernetes-validations: [{rule: 'has(self.b)', fieldPath: .b}, ` +
			`{rule: 'has(self.c__dash__d)', fieldPath: '[''c-d''][''x'']'}]}`, []string{`{b: 1, c-d: {}}`}, []string{`{}`}},
		{"no such key", "a rule that cannot be evaluated is an error", `{type: object, properties: {b: {type: integer}}, ` +
			`x-kubernetes-validations: [{rule: self.b > 1}]}`, []string{`{b: 2}`}, []string{`{}`}},
		{"division by zero", "another one", `{type: integer, x-kubernetes-validations: [{rule: 10 / self > 1}]}`, []string{`5`},
			[]string{`0`}},
		{"no such overload", "an int-or-string is typed at run time",
			`{x-kubernetes-int-or-string: true, x-kubernetes-validations: [{rule: self > 1}]}`, []string{`2`}, []string{`1`, `x`}},
		{"null", "rules do not run on null", `{type: integer, nullable: true, x-kubernetes-validations: [{rule: self > 1}]}`,
			[]string{`null`, `2`}, []string{`1`}},
		{"rules on items", "each at its index", `{type: array, items: {type: integer, x-kubernetes-validations: [{rule: self > 1}]}}`,
			[]string{`[2]`}, []string{`[1, 2, 0]`}},
		{"rules on entries", "the key in brackets", `{type: object, additionalProperties: {type: integer, x-kubernetes-validations: ` +
			`[{rule: self > 1}]}}`, []string{`{x: 2}`}, []string{`{x: 1, y.z: 0}`}},
		{"rules below allOf", "they run where a rule stands outside too", `{type: integer, x-kubernetes-validations: [{rule: ` +
			`self > 0}], allOf: [{x-kubernetes-validations: [{rule: self > 1}]}]}`, []string{`2`}, []string{`1`, `0`}},
		{"blocked rules", "a required field keeps all rules from running", `{type: object, required: [b], properties: {b: ` +
			`{type: integer}}, x-kubernetes-validations: [{rule: 'false'}]}`, nil, []string{`{}`, `{b: 1}`}},
		{"escaped names", "keywords, dashes, dots and underscores", `{type: object, properties: {in: {type: integer}, b-c: ` +
			`{type: integer}, d.e: {type: integer}, __f: {type: integer}, a/b: {type: integer}, namespace: {type: integer}}, ` +
			`x-kubernetes-validations: [{rule: self.a__slash__b + self.namespace + self.__namespace__ < 4}, {rule: self.__in__ < 2}, ` +
			`{rule: self.b__dash__c < 2}, {rule: self.d__dot__e < 2}, {rule: self.__underscores__f < 2}]}`,
			[]string{`{in: 1, b-c: 1, d.e: 1, __f: 1, a/b: 1, namespace: 1}`},
			[]string{`{in: 2, b-c: 2, d.e: 2, __f: 2, a/b: 2, namespace: 1}`}},
		{"sets in rules", "equal in any order; addition is union", `{type: array, x-kubernetes-list-type: set, items: {type: ` +
			`string}, x-kubernetes-validations: [{rule: "self == ['b', 'a']"}, {rule: "(self + ['a', 'c']).size() == 3"}]}`,
			[]string{`[a, b]`}, []string{`[a]`, `[a, c]`}},
		{"lists in rules", "equal in one order; addition appends",
			`{type: array, items: {type: string}, x-kubernetes-validations: [{rule: "self == ['a', 'b']"}, {rule: ` +
				`"(self + ['a']).size() == 3"}]}`, []string{`[a, b]`}, []string{`[b, a]`, `[a]`}},
		{"formats in rules", "date-time, duration and byte have types of their own",
			`{type: object, properties: {t: {type: string, format: date-time}, d: {type: string, format: duration}, b: {type: ` +
				`string, format: byte}, day: {type: string, format: date}}, x-kubernetes-validations: [{rule: "!has(self.day) || ` +
				`self.day.getMonth() == 0"}, {rule: "!has(self.t) || self.t < timestamp('2021-01-01T00:00:00Z')"}, {rule: ` +
				`"!has(self.d) || self.d > duration('1m')"}, {rule: "!has(self.b) || self.b == b'abc'"}]}`,
			[]string{`{t: "2020-01-01T00:00:00Z", d: 2m, b: YWJj, day: "2020-01-02"}`},
			[]string{`{t: "2022-01-01T00:00:00Z", d: 1s, b: YWI=, day: "2020-03-02"}`}},
		{"libraries", "Kubernetes' own functions", `{type: string, x-kubernetes-validations: [{rule: "isURL(self) || isIP(self) ` +
			`|| isCIDR(self) || isQuantity(self) || self.find('[0-9]+') != ''"}]}`,
			[]string{`http://x/`, `10.0.0.1`, `10.0.0.0/8`, `1Ki`, `a1`}, []string{`é`}},
		{"embedded resource in rules", "metadata is there, declared or not", `{type: object, x-kubernetes-embedded-resource: ` +
			`true, x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: "self.metadata.name.startsWith('x') ` +
			`&& self.kind == 'Pod'"}]}`, []string{
			`{apiVersion: v1, kind: Pod, metadata: {name: xy}}`,
		}, []string{`{apiVersion: v1, kind: Pod, metadata: {name: y}}`, `{apiVersion: v1, kind: Pod}`}},
	}
}

// TestKeywords compares each keyword with the reference, satisfied and violated.
func TestKeywords(t *testing.T) {
	for _, tt := range keywordCases() {
		t.Run(tt.keyword, func(t *testing.T) {
			h := tt.differential("").harnessOf(t)
			for _, row := range []struct {
				valid  bool
				values []string
			}{{true, tt.right}, {false, tt.invalid}} {
				for _, value := range row.values {
					difference, valid := compared(t.Context(), h, tt.differential(value).pair(t))
					if difference != "" {
						t.Errorf("%s: %s", value, difference)
					} else if valid != row.valid {
						t.Errorf("%s: valid is %t in the reference; this row shows nothing (%s)", value, valid, tt.why)
					}
				}
			}
		})
	}
}

// differential returns the case with one value.
func (c keywordCase) differential(value string) differentialCase {
	return differentialCase{
		name:   c.keyword + " " + value,
		schema: "{type: object, properties: {a: " + c.schema + "}}",
		object: fmt.Sprintf("{a: %s}", value),
		root:   true,
	}
}
