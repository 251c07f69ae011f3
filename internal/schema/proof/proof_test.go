package proof_test

import (
	"testing"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/schema/proof"
	"github.com/diffrun/diffrun/internal/testing/served"
)

func accepts(t testing.TB, has, wanted string) bool {
	of, goal := proof.Schema{Schema: served.Schema(t, has)}, proof.Schema{Schema: served.Schema(t, wanted)}
	return proof.Accepts(proof.Of(of), goal, goal.Schema, declarative.CustomResources)
}

// TestAccepts: implications that are proven, and similar ones that are false or unknown.
func TestAccepts(t *testing.T) {
	for _, tt := range []struct {
		why, has, wanted string
		want             bool
	}{
		{"a lower bound of whole numbers", `{type: integer, minimum: 1}`, `{type: integer, minimum: 0, exclusiveMinimum: true}`, true},
		{"the same, backwards", `{type: integer, minimum: 0, exclusiveMinimum: true}`, `{type: integer, minimum: 1}`, true},
		{"numbers lie between", `{type: number, minimum: 0, exclusiveMinimum: true}`, `{type: number, minimum: 1}`, false},
		{"a bound with a fraction takes the whole number below", `{type: number, minimum: 0.5}`, `{type: number, minimum: 0.25}`, false},
		{"a whole number is a number", `{type: integer, maximum: 5}`, `{type: number, maximum: 6}`, true},
		{"the range of int64 is that of integers", `{type: integer}`, `{type: integer, format: int64}`, true},
		{"that of int32 is smaller", `{type: integer}`, `{type: integer, format: int32}`, false},
		{"a number within int32", `{type: integer, minimum: 0, maximum: 65535}`, `{type: integer, format: int32}`, true},
		{"a bound that int32 cannot hold refuses all", `{type: integer, format: int32}`,
			`{type: integer, format: int32, maximum: 3000000000}`, false},
		{"any bound above the range of int32", `{type: integer, format: int32}`, `{type: integer, maximum: 3000000000}`, true},
		{"a bound with a fraction refuses all integers, but not in a branch", `{type: integer, anyOf: [{maximum: 2.5}]}`,
			`{type: integer, maximum: 2.5}`, false},
		{"multiples", `{type: integer, multipleOf: 6}`, `{type: integer, multipleOf: 3}`, true},
		{"not all multiples", `{type: integer, multipleOf: 6}`, `{type: integer, multipleOf: 4}`, false},
		{"an enum within bounds", `{type: integer, enum: [1, 2]}`, `{type: integer, maximum: 5, minimum: 1}`, true},
		{"a member beyond", `{type: integer, enum: [1, 7]}`, `{type: integer, maximum: 5}`, false},
		{"a member outside of it that a different keyword rejects", `{type: integer, enum: [1, 7], maximum: 6}`,
			`{type: integer, maximum: 5}`, true},
		{"a small range is an enum", `{type: integer, minimum: 1, maximum: 3}`, `{type: integer, enum: [3, 2, 1]}`, true},
		{"with all its numbers", `{type: integer, minimum: 1, maximum: 4}`, `{type: integer, enum: [3, 2, 1]}`, false},
		{"a boolean is true or false", `{type: boolean}`, `{type: boolean, enum: [true, false]}`, true},
		{"no enum takes a null", `{type: boolean, nullable: true}`, `{type: boolean, nullable: true, enum: [true, false]}`, false},
		{"an enum as a pattern", `{type: string, enum: [a, b]}`, `{type: string, pattern: "^(a|b)$"}`, true},
		{"a pattern as an enum", `{type: string, pattern: "^(a|b)$"}`, `{type: string, enum: [b, a]}`, true},
		{"a pattern with one text more", `{type: string, pattern: "^(a|b|c)$"}`, `{type: string, enum: [a, b]}`, false},
		{"a pattern without an end", `{type: string, pattern: "^(a|b)"}`, `{type: string, enum: [a, b]}`, false},
		{"one pattern inside another", `{type: string, pattern: "^[a-z]+$"}`, `{type: string, pattern: "^[a-z0-9]*$"}`, true},
		{"not backwards", `{type: string, pattern: "^[a-z0-9]*$"}`, `{type: string, pattern: "^[a-z]+$"}`, false},
		{"a letter of different case", `{type: string, pattern: "^(?i)ab$"}`, `{type: string, pattern: "^ab$"}`, false},
		{"a line break is no end", `{type: string, pattern: "^a.*$"}`, `{type: string, pattern: "^a"}`, true},
		{"a character that a dot does not match", `{type: string, pattern: "^a"}`, `{type: string, pattern: "^a.*$"}`, false},
		{"words are not followed", `{type: string, pattern: "^a$"}`, `{type: string, pattern: "\\ba\\b"}`, false},
		{"a pattern has a length", `{type: string, pattern: "^[a-z]{3}$"}`, `{type: string, minLength: 3, maxLength: 3}`, true},
		{"and at least one letter", `{type: string, pattern: "^.+$"}`, `{type: string, minLength: 1}`, true},
		{"two patterns are one", `{type: string, pattern: "^[a-c]$", allOf: [{pattern: "^[c-e]$"}]}`, `{type: string, enum: [c]}`, true},
		{"long texts", `{type: string, maxLength: 100000}`, `{type: string, maxLength: 200000}`, true},
		{"longer ones", `{type: string, maxLength: 200000}`, `{type: string, maxLength: 100000}`, false},
		{"lengths are counted in characters", `{type: string, enum: [é]}`, `{type: string, maxLength: 1}`, true},
		{"allOf is and", `{type: integer, allOf: [{maximum: 5}]}`, `{type: integer, maximum: 5}`, true},
		{"backwards", `{type: integer, maximum: 5}`, `{type: integer, allOf: [{maximum: 5}]}`, true},
		{"other order", `{type: integer, anyOf: [{maximum: 1}, {minimum: 8}]}`, `{type: integer, anyOf: [{minimum: 8}, {maximum: 1}]}`,
			true},
		{"a doubled branch", `{type: integer, anyOf: [{maximum: 1}, {minimum: 8}]}`,
			`{type: integer, anyOf: [{minimum: 8}, {maximum: 1}, {minimum: 8}]}`, true},
		{"a wider branch", `{type: integer, anyOf: [{maximum: 1}, {minimum: 8}]}`, `{type: integer, anyOf: [{maximum: 2}, {minimum: 8}]}`,
			true},
		{"a narrower one", `{type: integer, anyOf: [{maximum: 1}, {minimum: 8}]}`, `{type: integer, anyOf: [{maximum: 0}, {minimum: 8}]}`,
			false},
		{"one of in other order", `{type: object, properties: {a: {type: string}, b: {type: string}}, oneOf: [{required: [a]}, ` +
			`{required: [b]}]}`, `{type: object, properties: {a: {type: string}, b: {type: string}}, oneOf: [{required: [b]}, ` +
			`{required: [a]}]}`, true},
		{"a duplicate branch of oneOf rejects it", `{type: integer, oneOf: [{maximum: 1}, {minimum: 8}]}`,
			`{type: integer, oneOf: [{maximum: 1}, {minimum: 8}, {minimum: 8}]}`, false},
		{"one of is any of", `{type: object, properties: {a: {type: string}, b: {type: string}}, oneOf: [{required: [a]}, ` +
			`{required: [b]}]}`, `{type: object, properties: {a: {type: string}, b: {type: string}}, anyOf: [{required: [b]}, ` +
			`{required: [a]}]}`, true},
		{"any of is not one of", `{type: object, properties: {a: {type: string}, b: {type: string}}, anyOf: [{required: [a]}, ` +
			`{required: [b]}]}`, `{type: object, properties: {a: {type: string}, b: {type: string}}, oneOf: [{required: [b]}, ` +
			`{required: [a]}]}`, false},
		{"any of disjoint branches is one of", `{type: integer, anyOf: [{maximum: 1}, {minimum: 8}]}`,
			`{type: integer, oneOf: [{maximum: 1}, {minimum: 8}]}`, true},
		{"not of what is refused", `{type: integer, maximum: 5}`, `{type: integer, not: {minimum: 6}}`, true},
		{"not of what is accepted", `{type: integer, maximum: 5}`, `{type: integer, not: {minimum: 5}}`, false},
		{"the same not", `{type: string, not: {pattern: "^x"}}`, `{type: string, not: {pattern: "^x$"}}`, true},
		{"a larger one", `{type: string, not: {pattern: "^x$"}}`, `{type: string, not: {pattern: "^x"}}`, false},
		{"a required field", `{type: object, required: [a], properties: {a: {type: string}}}`,
			`{type: object, required: [a], properties: {a: {type: string}}}`, true},
		{"a default fills it in", `{type: object, properties: {a: {type: string, default: x}}}`,
			`{type: object, required: [a], properties: {a: {type: string, default: x}}}`, true},
		{"an optional one", `{type: object, properties: {a: {type: string}}}`, `{type: object, required: [a], properties: {a: ` +
			`{type: string}}}`, false},
		{"fields of a branch", `{type: object, properties: {a: {type: integer, maximum: 3}}}`,
			`{type: object, properties: {a: {type: integer}}, allOf: [{properties: {a: {maximum: 4}}}]}`, true},
		{"fields that cannot be set", `{type: object, properties: {a: {type: integer}}}`,
			`{type: object, properties: {a: {type: integer}, b: {type: integer, maximum: 4}}}`, true},
		{"fields that anybody can set", `{type: object, x-kubernetes-preserve-unknown-fields: true}`,
			`{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: integer}}}`, false},
		{"items", `{type: array, items: {type: integer, maximum: 3}}`, `{type: array, items: {type: integer, maximum: 4}}`, true},
		{"other fields", `{type: object, additionalProperties: {type: integer, maximum: 3}}`,
			`{type: object, additionalProperties: {type: integer, maximum: 4}}`, true},
		{"fields are counted", `{type: object, required: [a, b], properties: {a: {type: string}, b: {type: string}}}`,
			`{type: object, minProperties: 2, maxProperties: 9, properties: {a: {type: string}, b: {type: string}}}`, true},
		{"a null is no text", `{type: string, nullable: true}`, `{type: string}`, false},
		{"an integer or a string", `{x-kubernetes-int-or-string: true, maximum: 3, anyOf: [{type: integer}, {type: string}]}`,
			`{x-kubernetes-int-or-string: true, maximum: 4}`, true},
		{"nothing is accepted", `{type: integer, minimum: 3, maximum: 2}`, `{type: integer, multipleOf: 7}`, true},
		{"a text of a format for lists", `{type: string, format: date}`, `{type: string}`, false},
		{"rules are not followed", `{type: integer}`, `{type: integer, x-kubernetes-validations: [{rule: "self > 2"}]}`, false},
		{"the same set", `{type: array, x-kubernetes-list-type: set, items: {type: string}}`,
			`{type: array, x-kubernetes-list-type: set, items: {type: string}}`, true},
		{"no set", `{type: array, items: {type: string}}`, `{type: array, x-kubernetes-list-type: set, items: {type: string}}`, false},
	} {
		if got := accepts(t, tt.has, tt.wanted); got != tt.want {
			t.Errorf("%s: %s in %s: %v", tt.why, tt.has, tt.wanted, got)
		}
	}
}
