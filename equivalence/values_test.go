package equivalence_test

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/diffrun/diffrun/equivalence/difference"
)

// scalars draws JSON values that are easily confused.
func scalars() *rapid.Generator[any] {
	texts := rapid.SampledFrom([]string{
		"1", "1.0", "1.10", "1.1", "01", "007", "7", "1m", "60s", "1e3", "1000", "1k", "1Ki", "1024", "1e-10", "9e-10", "0",
		"0m", "0s", "-0", "+1",
		"true", "True", "TRUE", "a", "A", "á", "a\u0301", " a", "a ", "a{b}", "a{c}", "v1.A", "x.Y{}", "path/{id}",
		"path/{key}", "YQ==", "YQ", "2026-01-02T12:00:00Z", "2026-01-02T13:00:00+01:00",
		"NaN", "Infinity", "\u200b", "1_000", "0x10", "16", "١", "null ",
	})
	numbers := rapid.SampledFrom([]any{
		int64(1), 1.0, 1.1, int64(7), int64(1000), 1e3, int64(1024), 1e-10, 9e-10, int64(0), int64(-1),
		int64(9007199254740993), int64(9007199254740992), float64(9007199254740992), json.Number("18446744073709551617"),
		json.Number("18446744073709551616"), json.Number("0.1"), json.Number("1e-400"), json.Number("2e-400"),
	})
	return rapid.Custom(func(t *rapid.T) any {
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			return numbers.Draw(t, "number")
		case 1:
			return rapid.Bool().Draw(t, "boolean")
		case 2:
			return rapid.StringMatching(`[0-9.+-]{1,4}[munkKMGEs]?i?`).Draw(t, "amount")
		}
		return texts.Draw(t, "text")
	})
}

// sameJSON is the reference for the matcher: it compares strings by characters and numbers as fractions.
func sameJSON(a, b any) bool {
	x, isText := a.(string)
	y, areTexts := b.(string)
	switch {
	case isText && areTexts:
		return x == y
	case isText, areTexts:
		return false
	}
	_, isTruth := a.(bool)
	_, areTruths := b.(bool)
	if isTruth || areTruths {
		return a == b
	}
	return fraction(a).Cmp(fraction(b)) == 0
}

func fraction(value any) *big.Rat {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	number, ok := new(big.Rat).SetString(string(data))
	if !ok {
		panic(string(data))
	}
	return number
}

// Two errors that name JSON values agree only if the values are equal.
func TestMatchComparesValuesOfJSON(t *testing.T) {
	matcher := builtin(t)
	agrees := func(a, b any) bool {
		pairs := matcher.Match(list{invalid("spec.a", a, "must be odd")}, list{invalid("spec.a", b, "must be odd")})
		return len(pairs) == 1 && pairs[0].Agrees()
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := scalars().Draw(t, "a"), scalars().Draw(t, "b")
		if got, want := agrees(a, b), sameJSON(a, b); got != want && a != "" && b != "" && !isPrinted(a) && !isPrinted(b) {
			t.Errorf("%#v and %#v agree: %t, want %t", a, b, got, want)
		}
		if agrees(a, b) != agrees(b, a) {
			t.Errorf("%#v and %#v agree in one direction only", a, b)
		}
	})
}

// isPrinted knows the one scalar text that is a composite value in Go's syntax.
func isPrinted(value any) bool { return value == "x.Y{}" }

// If the schema declares texts as quantities, they are compared exactly. Quantities that upstream can
// represent are compared the same way there.
func TestMatchComparesAmounts(t *testing.T) {
	matcher := builtin(t)
	agrees := func(format, a, b string) bool {
		declared := declares{keywords: map[string]map[string]string{"spec.a": {"format": format}}}
		pairs := matchBy(matcher, list{invalid("spec.a", a, "must be odd")}, list{invalid("spec.a", b, "must be odd")}, declared)
		return len(pairs) == 1 && pairs[0].Agrees()
	}
	quantities := rapid.StringMatching(`[+-]?[0-9]{1,4}(\.[0-9]{0,3})?([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9])?`)
	durations := rapid.StringMatching(`-?([0-9]{1,3}(\.[0-9]{1,4})?(ns|us|µs|ms|s|m|h)){1,2}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := quantities.Draw(t, "a"), quantities.Draw(t, "b")
		held := resource.MustParse(a)
		if agrees("quantity", a, b) && held.Cmp(resource.MustParse(b)) != 0 {
			t.Errorf("quantities %s and %s are the same, and not to upstream", a, b)
		}
		if canonical := held.String(); !rounds(a) && !agrees("quantity", a, canonical) {
			t.Errorf("quantities %s and %s differ, and one is the canonical form of the other", a, canonical)
		}
		long, other := durations.Draw(t, "long"), durations.Draw(t, "other")
		d, err := time.ParseDuration(long)
		if err != nil {
			t.Skip(err)
		}
		e, err := time.ParseDuration(other)
		if err != nil {
			t.Skip(err)
		}
		if agrees("duration", long, other) && d != e {
			t.Errorf("durations %s and %s are the same, and not to Go", long, other)
		}
	})
}

// rounds reports whether upstream may be unable to represent a quantity: it has digits below 1n, or is beyond
// 2^63.
func rounds(text string) bool {
	return strings.Contains(text, "n") && strings.Contains(text, ".") || strings.ContainsAny(text, "eEP")
}

// The errors that the schema drops explain no more native errors than their number, and none is lost.
func TestMatchExplainsNoMoreThanThereIsEvidenceFor(t *testing.T) {
	matcher := builtin(t)
	rapid.Check(t, func(t *rapid.T) {
		native, declarative := errorLists().Draw(t, "native"), errorLists().Draw(t, "declarative")
		more := errorLists().Draw(t, "withoutRatcheting")
		withoutRatcheting := append(append(list{}, declarative...), more...)
		pairs := matcher.MatchAnswers(difference.Answer{Errors: native}, difference.Answer{
			Errors:            declarative,
			WithoutRatcheting: withoutRatcheting,
		}, nil)
		var natives, declaratives list
		dropped := 0
		for _, pair := range pairs {
			inNative, inDeclarative := pair.Counts()
			for range inNative {
				natives = append(natives, pair.Native)
			}
			for range inDeclarative {
				declaratives = append(declaratives, pair.Declarative)
			}
			if pair.Class == difference.Ratcheting {
				dropped += inNative
			}
		}
		if !sameErrors(natives, native) || !sameErrors(declaratives, declarative) {
			t.Errorf("not every error is in exactly one pair: %q", summary(pairs))
		}
		if dropped > len(more) {
			t.Errorf("%d native errors are explained by %d that the schema drops: %q", dropped, len(more), summary(pairs))
		}
	})
}
