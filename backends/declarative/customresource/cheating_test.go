package customresource_test

import (
	"context"
	"fmt"
	"math"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
)

// constraint is a requirement of a hand-written validator for spec.x, in Kubernetes' wording. Constraints
// with the same means have the same meaning; a constraint with several requirements lists all of them.
type constraint struct {
	means     []string
	errorType field.ErrorType
	text      string
	holds     func(value any) bool
}

func number(value any) float64 {
	if whole, ok := value.(int64); ok {
		return float64(whole)
	}
	return value.(float64)
}

// from and to are the meanings of bounds. For integers, above 0 means from 1.
func from(bound float64, exclusive, whole bool) string {
	switch {
	case exclusive && whole:
		return fmt.Sprintf("from %v", bound+1)
	case exclusive:
		return fmt.Sprintf("above %v", bound)
	}
	return fmt.Sprintf("from %v", bound)
}

func to(bound float64, exclusive, whole bool) string {
	switch {
	case exclusive && whole:
		return fmt.Sprintf("to %v", bound-1)
	case exclusive:
		return fmt.Sprintf("below %v", bound)
	}
	return fmt.Sprintf("to %v", bound)
}

func numericConstraints(whole bool) []constraint {
	var all []constraint
	add := func(text string, holds func(float64) bool, means ...string) {
		all = append(all, constraint{means, field.ErrorTypeInvalid, text, func(v any) bool { return holds(number(v)) }})
	}
	for _, b := range []float64{-1, 0, 1, 5, 6} {
		add(fmt.Sprint("must be greater than or equal to ", b), func(v float64) bool { return v >= b }, from(b, false, whole))
		add(fmt.Sprint("must be greater than ", b), func(v float64) bool { return v > b }, from(b, true, whole))
		add(fmt.Sprint("must be less than or equal to ", b), func(v float64) bool { return v <= b }, to(b, false, whole))
		add(fmt.Sprint("must be less than ", b), func(v float64) bool { return v < b }, to(b, true, whole))
	}
	for _, ends := range [][2]float64{{0, 5}, {1, 5}, {1, 6}} {
		add(fmt.Sprintf("must be between %v and %v, inclusive", ends[0], ends[1]), func(v float64) bool {
			return v >= ends[0] && v <= ends[1]
		}, from(ends[0], false, whole), to(ends[1], false, whole))
	}
	for _, factor := range []float64{2, 3} {
		add(fmt.Sprint("must be a multiple of ", factor), func(v float64) bool { return math.Mod(v, factor) == 0 },
			fmt.Sprint("multiple of ", factor))
	}
	add("must be positive", func(v float64) bool { return v > 0 }, from(0, true, whole))
	add("must be greater than zero", func(v float64) bool { return v > 0 }, from(0, true, whole))
	add("must be non-negative", func(v float64) bool { return v >= 0 }, from(0, false, whole))
	integer := "whole"
	if whole {
		integer = from(0, false, whole)
	}
	add("must be a non-negative integer", func(v float64) bool { return v >= 0 && v == math.Trunc(v) }, from(0, false, whole), integer)
	return all
}

func textConstraints() []constraint {
	var all []constraint
	add := func(errorType field.ErrorType, text string, holds func(string) bool, means string) {
		all = append(all, constraint{[]string{means}, errorType, text, func(v any) bool { return holds(v.(string)) }})
	}
	for _, n := range []int{1, 3, 4} {
		characters, bytes := func(v string) bool { return len([]rune(v)) <= n }, func(v string) bool { return len(v) <= n }
		add(field.ErrorTypeInvalid, fmt.Sprintf("must be no more than %d characters", n), characters, fmt.Sprint("at most ", n))
		add(field.ErrorTypeInvalid, fmt.Sprintf("must be no more than %d bytes", n), bytes, fmt.Sprint("at most ", n)) // for ASCII values
		add(field.ErrorTypeTooLong, fmt.Sprintf("may not be more than %d characters", n), characters, fmt.Sprint("at most ", n))
		add(field.ErrorTypeTooShort, fmt.Sprintf("must be at least %d characters", n), func(v string) bool {
			return len([]rune(v)) >= n
		}, fmt.Sprint("at least ", n))
	}
	for _, regex := range []string{"[a-z]+", "[a-z]*", "[0-9]+"} {
		add(field.ErrorTypeInvalid, fmt.Sprintf("a word must consist of such characters (regex used for validation is '%s')", regex),
			regexp.MustCompile("^"+regex+"$").MatchString, "^"+regex+"$")
	}
	for family, is := range map[string]func(netip.Addr) bool{"IP": netip.Addr.IsValid, "IPv4": netip.Addr.Is4, "IPv6": netip.Addr.Is6} {
		add(field.ErrorTypeInvalid, "must be a valid "+family+" address", func(v string) bool {
			read, err := netip.ParseAddr(v)
			return err == nil && is(read)
		}, family)
	}
	add(field.ErrorTypeInvalid, "must be a valid CIDR value", func(v string) bool {
		_, err := netip.ParsePrefix(v)
		return err == nil
	}, "CIDR")
	add(field.ErrorTypeInvalid, "must not be empty", func(v string) bool { return v != "" }, "at least 1")
	add(field.ErrorTypeRequired, "", func(v string) bool { return v != "" }, "at least 1")
	add(field.ErrorTypeNotSupported, `supported values: "a", "b"`, func(v string) bool { return v == "a" || v == "b" }, "a or b")
	add(field.ErrorTypeNotSupported, `supported values: "b", "a", "c"`, func(v string) bool {
		return v == "a" || v == "b" || v == "c"
	}, "a, b or c")
	return all
}

// keyword is a keyword of a schema: how it is written, the origin of its errors and what it means.
type keyword struct{ written, origin, means string }

func numericKeywords(whole bool) []keyword {
	var all []keyword
	for _, b := range []float64{-1, 0, 1, 5, 6} {
		all = append(all,
			keyword{fmt.Sprint("minimum: ", b), "minimum", from(b, false, whole)},
			keyword{fmt.Sprintf("minimum: %v, exclusiveMinimum: true", b), "minimum", from(b, true, whole)},
			keyword{fmt.Sprint("maximum: ", b), "maximum", to(b, false, whole)},
			keyword{fmt.Sprintf("maximum: %v, exclusiveMaximum: true", b), "maximum", to(b, true, whole)},
		)
	}
	for _, factor := range []int{2, 3} {
		all = append(all, keyword{fmt.Sprint("multipleOf: ", factor), "multipleOf", fmt.Sprint("multiple of ", factor)})
	}
	return all
}

func textKeywords() []keyword {
	var all []keyword
	for _, n := range []int{1, 3, 4} {
		all = append(all, keyword{fmt.Sprint("maxLength: ", n), "maxLength", fmt.Sprint("at most ", n)},
			keyword{fmt.Sprint("minLength: ", n), "minLength", fmt.Sprint("at least ", n)})
	}
	for _, regex := range []string{"^[a-z]+$", "^[a-z]*$", "^[0-9]+$", "[a-z]+"} {
		all = append(all, keyword{"pattern: '" + regex + "'", "pattern", regex})
	}
	return append(all,
		keyword{"format: ipv4", "format", "IPv4"}, keyword{"format: ipv6", "format", "IPv6"},
		keyword{"format: cidr", "format", "CIDR"}, keyword{"format: mac", "format", "MAC"},
		keyword{"enum: [a, b]", "enum", "a or b"}, keyword{"enum: [c, b, a]", "enum", "a, b or c"},
	)
}

// TestCheatingNatives compares each constraint with each schema of one keyword or a pair of keywords, on
// values at all bounds. If errors agree, the keyword must mean what the constraint means, and the schema must
// cover the whole constraint.
func TestCheatingNatives(t *testing.T) {
	words := []any{
		"",
		"a",
		"c",
		"A",
		"ab",
		"abc",
		"abcd",
		"abcde",
		"12",
		"äöüß",
		"10.0.0.1",
		"::1",
		"10.0.0.0/8",
		"fd00::/8",
		"00:00:5e:00:53:01",
	}
	whole := []any{int64(-2), int64(-1), int64(0), int64(1), int64(2), int64(4), int64(5), int64(6), int64(7)}
	broken := append([]any{-1.5, -0.5, 0.5, 1.5, 5.5, 6.5}, whole...)
	rules, err := equivalence.BuiltinRules()
	if err != nil {
		t.Fatal(err)
	}
	agreed, tried := 0, 0
	for _, of := range []struct {
		name        string
		values      []any
		constraints []constraint
		keywords    []keyword
	}{
		{"integer", whole, numericConstraints(true), numericKeywords(true)},
		{"number", broken, numericConstraints(false), numericKeywords(false)},
		{"string", words, textConstraints(), textKeywords()},
	} {
		for _, schema := range schemasOf(of.keywords) {
			check := newCheating(t, rules, of.name, schema)
			for _, demanded := range of.constraints {
				for _, value := range of.values {
					for _, pair := range check(t, demanded, value) {
						tried++
						if pair.Native == nil || pair.Declarative == nil || !pair.Agrees() {
							continue
						}
						agreed++
						if problem := excused(demanded, schema, pair); problem != "" {
							t.Errorf("{type: %s, %s} on %#v: %v and %v agree by %q: %s", of.name, inYAML(schema), value, pair.Native,
								pair.Declarative, ruleOf(pair), problem)
						}
					}
				}
			}
		}
	}
	t.Logf("%d pairs, of which %d agree", tried, agreed)
	if tried < 50_000 || agreed < 1_000 {
		t.Errorf("%d pairs, of which %d agree, prove too little", tried, agreed)
	}
}

// schemasOf returns schemas with each keyword alone, and each with two others.
func schemasOf(keywords []keyword) [][]keyword {
	var all [][]keyword
	for i, one := range keywords {
		all = append(all, []keyword{one})
		for _, other := range []keyword{keywords[(i+3)%len(keywords)], keywords[(i+7)%len(keywords)]} {
			if one.origin != other.origin {
				all = append(all, []keyword{one, other})
			}
		}
	}
	return all
}

func inYAML(schema []keyword) string {
	texts := make([]string, len(schema))
	for i, keyword := range schema {
		texts[i] = keyword.written
	}
	return strings.Join(texts, ", ")
}

func ruleOf(pair equivalence.Pair) string {
	if pair.Rule == nil {
		return "equality"
	}
	return pair.Rule.Name
}

// excused returns why an agreement is wrong.
func excused(demanded constraint, schema []keyword, pair equivalence.Pair) string {
	var all []string
	for _, keyword := range schema {
		all = append(all, keyword.means)
		if strings.HasPrefix(pair.Declarative.Origin, keyword.origin) && !slices.Contains(demanded.means, keyword.means) {
			return fmt.Sprintf("the keyword means %q, the validator %q", keyword.means, demanded.means)
		}
	}
	for _, means := range demanded.means {
		if !slices.Contains(all, means) {
			return fmt.Sprintf("the validator means %q, the schema %q", demanded.means, all)
		}
	}
	return ""
}

// newCheating prepares the comparison of a schema of spec.x with any constraint.
func newCheating(t *testing.T, rules *equivalence.RuleSet, of string, schema []keyword) func(*testing.T, constraint,
	any) []equivalence.Pair {
	t.Helper()
	var native says
	target, err := customresource.NewTarget(fmt.Appendf(nil, probes,
		fmt.Sprintf("{type: object, properties: {x: {type: %s, %s}}}", of, inYAML(schema))), &asks{
		&native,
	})
	if err != nil {
		t.Fatal(err)
	}
	h, err := harness.New(target, harness.Options{Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	return func(t *testing.T, demanded constraint, value any) []equivalence.Pair {
		native = nil
		if !demanded.holds(value) {
			native = says{{Type: demanded.errorType, Field: "spec.x", BadValue: value, Detail: demanded.text}}
		}
		object := map[string]any{
			"apiVersion": "example.dev/v1",
			"kind":       "Probe",
			"metadata":   map[string]any{"name": "a", "namespace": "b"},
			"spec":       map[string]any{"x": value},
		}
		results, err := h.Check(t.Context(), harness.Case{Object: object})
		if err != nil || results[0].Fault != nil {
			t.Fatalf("%v, %+v", err, results)
		}
		return results[0].Pairs
	}
}

// asks is a hand-written validator whose answer can be set.
type asks struct{ answer *says }

func (asks) Name() string { return "native" }

func (a *asks) Validate(context.Context, *harness.Input) (field.ErrorList, error) {
	return field.ErrorList(*a.answer), nil
}
