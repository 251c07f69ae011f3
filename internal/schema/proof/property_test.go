package proof_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// vocabulary has keywords for values of each type, and values at their bounds.
var vocabulary = map[string]struct {
	keywords []string
	values   []any
}{
	"integer": {
		[]string{
			"minimum: 1",
			"minimum: 0, exclusiveMinimum: true",
			"maximum: 3",
			"maximum: 4, exclusiveMaximum: true",
			"minimum: 2",
			"multipleOf: 2",
			"multipleOf: 4",
			"enum: [1, 2]",
			"enum: [2, 4, 9]",
			"format: int32",
			"format: int64",
			"maximum: 3000000000",
		},
		[]any{int64(-1), int64(0), int64(1), int64(2), int64(3), int64(4), int64(5), int64(8), int64(9), 2.0, 4.0, int64(1) << 40},
	},
	"number": {
		[]string{
			"minimum: 0.5",
			"minimum: 1",
			"maximum: 2.5",
			"maximum: 2, exclusiveMaximum: true",
			"minimum: -0.5",
			"multipleOf: 2",
			"enum: [1, 2.5]",
			"format: float",
			"format: double",
		},
		[]any{int64(-1), int64(0), int64(1), int64(2), int64(3), 0.5, 0.25, 2.5, -0.25, 1.5, 1.0, 1e300},
	},
	"string": {
		[]string{
			"maxLength: 1",
			"minLength: 1",
			"maxLength: 2",
			`pattern: "^a"`,
			`pattern: "^(a|b)$"`,
			`pattern: "b$"`,
			`pattern: "^[a-c]*$"`,
			`pattern: "(?i)^A"`,
			"enum: [a, b]",
			"enum: [a, abc, '']",
			"format: date",
			"format: nobody",
		},
		[]any{"", "a", "b", "A", "ab", "abc", "a\n", "é", "2020-01-01", "aé", []any{}},
	},
	"boolean": {[]string{"enum: [true]", "enum: [true, false]"}, []any{true, false}},
	"array": {
		[]string{
			"minItems: 1",
			"maxItems: 1",
			"maxItems: 2",
			"items: {type: integer, maximum: 2}",
			"items: {type: integer, enum: [1, 2]}",
			"items: {type: integer}",
		},
		[]any{[]any{}, []any{int64(1)}, []any{int64(2), int64(2)}, []any{int64(3)}, []any{int64(1), int64(2), int64(3)}, []any{nil}},
	},
	"object": {
		[]string{
			"required: [a]",
			"required: [b]",
			"minProperties: 1",
			"maxProperties: 1",
			"properties: {a: {type: integer}, b: {type: string}}",
			"properties: {a: {type: integer, maximum: 1}, b: {type: string}}",
			"properties: {a: {type: integer, nullable: true}, b: {type: string, enum: [x]}}",
		},
		[]any{
			map[string]any{},
			map[string]any{"a": int64(1)},
			map[string]any{"a": int64(2)},
			map[string]any{"b": "x"},
			map[string]any{"a": int64(1), "b": "y"},
			map[string]any{"a": nil},
		},
	},
}

// value makes a schema of a type with some keywords, some of them in branches.
func value(src *rand.Rand, typ string) string {
	words := vocabulary[typ].keywords
	some := func(n int) string {
		used := map[string]bool{}
		var all []string
		for range src.IntN(n + 1) {
			word := words[src.IntN(len(words))]
			name, _, _ := strings.Cut(word, ":")
			if !used[name] {
				used[name] = true
				all = append(all, word)
			}
		}
		return strings.Join(all, ", ")
	}
	branch := func() string {
		for {
			if text := some(2); !strings.Contains(text, "type:") && !strings.Contains(text, "format") {
				return "{" + text + "}"
			}
		}
	}
	text := "type: " + typ
	if typ == "object" {
		text += ", x-kubernetes-preserve-unknown-fields: true" // undeclared fields are accepted here
	}
	if words := some(2); words != "" {
		text += ", " + words
	}
	switch src.IntN(8) {
	case 0:
		text += ", anyOf: [" + branch() + ", " + branch() + "]"
	case 1:
		text += ", oneOf: [" + branch() + ", " + branch() + "]"
	case 2:
		text += ", allOf: [" + branch() + "]"
	case 3:
		text += ", not: " + branch()
	case 4:
		text += ", nullable: true"
	}
	return "{" + text + "}"
}

// TestNoFalseProof: if a schema is proven to accept every value that another one accepts, it rejects no value
// that the API server's validator accepts with the other.
func TestNoFalseProof(t *testing.T) {
	src := rand.New(rand.NewPCG(7, 0))
	proved, refuted := 0, 0
	for range 12_000 {
		for _, typ := range []string{"integer", "number", "string", "boolean", "array", "object"} {
			if src.IntN(6) > 0 {
				continue
			}
			a, b := value(src, typ), value(src, typ)
			if !accepts(t, a, b) {
				refuted++
				continue
			}
			proved++
			byA, byB := validator(t, a), validator(t, b)
			for _, one := range append(vocabulary[typ].values, nil) {
				if byA(one) && !byB(one) {
					t.Fatalf("%s is said to be in %s, and is not for %v", a, b, one)
				}
			}
		}
	}
	if proved < 500 || refuted < 500 {
		t.Errorf("%d proofs, %d pairs without one: that shows nothing", proved, refuted)
	}
	t.Logf("%d proofs, %d pairs without one", proved, refuted)
}

func validator(t *testing.T, text string) func(any) bool {
	t.Helper()
	v, err := reference.Compile(served.Schema(t, fmt.Sprintf("{type: object, properties: {f: %s}}", text)), reference.Options{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return func(one any) bool { return len(v.Validate(t.Context(), map[string]any{"f": one}, nil)) == 0 }
}
