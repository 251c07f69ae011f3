package mutate_test

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/coverage/mutate"
)

// TestNothingCanKill: no mutant is equivalent to the schema: some value distinguishes each of them.
func TestNothingCanKill(t *testing.T) {
	texts := []any{"", "a", "b", "A", "ab", "abc", "ax", "abx", "aa", "aaaaaa", "zz", "é", "X", "2020-01-01"}
	numbers := []any{
		int64(-3),
		int64(-1),
		int64(0),
		int64(1),
		int64(2),
		int64(3),
		int64(4),
		int64(6),
		int64(8),
		int64(math.MaxInt32),
		int64(math.MinInt32),
		int64(math.MaxInt32) + 1,
		int64(9),
		int64(10),
		int64(math.MaxInt64),
		int64(math.MinInt64),
		0.5,
		1.5,
		2.5,
		1e300,
		math.Nextafter(1e300, math.Inf(1)),
	}
	rest := []any{
		true,
		false,
		[]any{},
		[]any{"a"},
		[]any{"a", "a"},
		[]any{"a", "b", "c"},
		map[string]any{},
		map[string]any{"a": "x"},
		map[string]any{"a": "x", "b": "y", "c": "z"},
		nil,
	}
	for _, tt := range []struct {
		why, schema string
		want        []string
	}{
		{"a number in an enum of integers", `{type: integer, enum: [1, 2]}`, []string{"enum with 3 more"}},
		{"text in an enum of texts", `{type: string, enum: [A, b]}`, []string{`enum with "a" more`}},
		{"all booleans", `{type: boolean, enum: [true, false]}`, nil},
		{"one boolean", `{type: boolean, enum: [true]}`, []string{"enum with false more"}},
		{"a value that the other keywords accept", `{type: integer, enum: [1, 2], maximum: 2}`,
			[]string{"enum with 0 more", "maximum 2 → 3"}},
		{"a text that the other keywords accept", `{type: string, enum: [a, ab], maxLength: 2}`,
			[]string{`enum with "A" more`, "maxLength 2 → 3"}},
		{"no value that the other keywords accept", `{type: string, enum: [a, b], pattern: "^[ab]$"}`, []string{"pattern ^[ab]$ dropped"}},
		{"an enum of an integer or a text", `{x-kubernetes-int-or-string: true, enum: [1, a]}`, []string{`enum with "A" more`}},
		{"the largest integer", `{type: integer, maximum: 9223372036854775807}`, nil},
		{"the smallest integer", `{type: integer, minimum: -9223372036854775808}`, nil},
		{"the largest int32", `{type: integer, format: int32, maximum: 2147483647}`, []string{"format int32 dropped"}},
		{"the largest int32 without the format", `{type: integer, maximum: 2147483647}`, []string{"maximum 2147483647 → 2147483648"}},
		{"a number beyond all integers", `{type: number, maximum: 1e300}`,
			[]string{"maximum " + number(1e300) + " → " + number(math.Nextafter(1e300, math.Inf(1)))}},
		{"a format without effect", `{type: integer, format: int64}`, nil},
		{"an unknown format", `{type: string, format: my-own}`, nil},
		{"a format", `{type: string, format: date}`, []string{"format date dropped"}},
		{"a pattern that matches all", `{type: string, pattern: "^(?s:.*)$"}`, nil},
		{"a different one", `{type: string, pattern: ""}`, nil},
		{"a pattern without ends", `{type: string, pattern: "a*"}`, nil},
		{"multiples of one", `{type: integer, multipleOf: 1}`, nil},
		{"of a number", `{type: number, multipleOf: 1}`, []string{"multipleOf 1 dropped"}},
		{"a list that is atomic anyway", `{type: array, x-kubernetes-list-type: atomic, items: {type: string}}`, nil},
		{"a set", `{type: array, x-kubernetes-list-type: set, items: {type: string}}`, []string{"x-kubernetes-list-type set dropped"}},
		{"keywords of another type", `{type: integer, maxLength: 5, pattern: "^a$", maxItems: 3}`, nil},
		{"keywords of another type in a branch", `{type: integer, anyOf: [{maxLength: 5}, {maximum: 3}]}`, nil},
		{"a branch that accepts all", `{type: integer, anyOf: [{}, {maximum: 3}]}`, nil},
		{"a nested branch", `{type: integer, anyOf: [{maximum: 3}, {maximum: 9}]}`, []string{"anyOf dropped", "maximum 9 → 10"}},
		{"branches", `{type: integer, oneOf: [{maximum: 3}, {minimum: 2}]}`, []string{"maximum 3 → 4", "minimum 2 → 1", "oneOf dropped"}},
		{"required, and a default fills it in", `{type: object, required: [a], properties: {a: {type: string, default: x}}}`, nil},
		{"required", `{type: object, required: [a], properties: {a: {type: string}}}`, []string{"required without a"}},
		{"a rule that is true", `{type: string, x-kubernetes-validations: [{rule: "true"}, {rule: "size(self) >= 0"}, {rule: ` +
			`"self != 'a'"}]}`, []string{"rule self != 'a' → true"}},
		{"sizes", `{type: object, minProperties: 1, maxProperties: 2, additionalProperties: {type: string}}`,
			[]string{"maxProperties 2 → 3", "minProperties 1 → 0"}},
		{"a bound of zero", `{type: array, minItems: 0, items: {type: string}}`, nil},
	} {
		whole := `{type: object, properties: {f: ` + tt.schema + `}}`
		made := mutate.Weaker(parse(t, whole))
		if diff := cmp.Diff(tt.want, slices.Sorted(maps.Keys(made))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, diff)
		}
		original, err := declarative.Compile(parse(t, whole), declarative.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for text, schema := range made {
			weaker, err := declarative.Compile(schema, declarative.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(slices.Concat(texts, numbers, rest), func(one any) bool {
				object := value.NewValueInterface(map[string]any{"f": one})
				return len(original.Validate(t.Context(), object, nil)) != len(weaker.Validate(t.Context(), object, nil))
			}) {
				t.Errorf("%s: %s: no value tells the mutant from the schema", tt.why, text)
			}
		}
	}
}

func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
