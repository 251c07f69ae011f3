package equivalence_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
)

// errorLists draws errors from few fields, types and texts, so that they often match, in both wordings, with
// copies and with contradictory values.
func errorLists() *rapid.Generator[field.ErrorList] {
	one := rapid.Custom(func(t *rapid.T) *field.Error {
		return &field.Error{
			Type: rapid.SampledFrom([]field.ErrorType{field.ErrorTypeInvalid, field.ErrorTypeRequired, field.ErrorTypeDuplicate}).Draw(t,
				"type"),
			Field: rapid.SampledFrom([]string{
				"",
				"<nil>",
				"spec.a",
				"spec.items[0].name",
				"spec.items[0]",
				"spec.items[10].name",
				"spec.items[2].name",
				"data[1a]",
				"data[2]",
				"data[10]",
				"data[a].b]",
				"[",
			}).Draw(t, "field"),
			Detail: rapid.SampledFrom([]string{
				"", "must be odd", "must be specified",
				"must be greater than or equal to 0", "should be greater than or equal to 0",
				"must be greater than or equal to zero", "should be greater than or equal to 1",
				"must be no more than 63 characters", "must be no more than 63 bytes",
			}).Draw(t, "detail"),
			BadValue: rapid.SampledFrom([]any{nil, "", "a", "b", 1, map[string]any{"a": 1}}).Draw(t, "value"),
		}
	})
	return rapid.Custom(func(t *rapid.T) field.ErrorList { return rapid.SliceOfN(one, 0, 5).Draw(t, "errors") })
}

func TestMatchIsIndependentOfOrder(t *testing.T) {
	matcher := builtin(t)
	rapid.Check(t, func(t *rapid.T) {
		native, declarative := errorLists().Draw(t, "native"), errorLists().Draw(t, "declarative")
		want := summary(matcher.Match(native, declarative))
		got := summary(matcher.Match(rapid.Permutation(native).Draw(t, "shuffled native"),
			rapid.Permutation(declarative).Draw(t, "shuffled declarative")))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("another order, another result (-first +second):\n%s", diff)
		}
	})
}

func TestMatchUsesEveryErrorOnce(t *testing.T) {
	matcher := builtin(t)
	rapid.Check(t, func(t *rapid.T) {
		native, declarative := errorLists().Draw(t, "native"), errorLists().Draw(t, "declarative")
		before := [][]*field.Error{slices.Clone(native), slices.Clone(declarative)}
		var natives, declaratives []*field.Error
		for _, pair := range matcher.Match(native, declarative) {
			inNative, inDeclarative := pair.Counts()
			natives = append(natives, slices.Repeat([]*field.Error{pair.Native}, inNative)...)
			declaratives = append(declaratives, slices.Repeat([]*field.Error{pair.Declarative}, inDeclarative)...)
			if problem := wrongClass(pair); problem != "" {
				t.Errorf("%s: %q", problem, summary([]equivalence.Pair{pair}))
			}
		}
		if !sameErrors(natives, native) || !sameErrors(declaratives, declarative) {
			t.Errorf("not every error is in exactly one pair")
		}
		if !slices.Equal(before[0], native) || !slices.Equal(before[1], declarative) {
			t.Errorf("the lists were changed")
		}
	})
}

// sameErrors compares lists of errors by their contents; copies of an error are one error with a count.
func sameErrors(a, b []*field.Error) bool {
	count := map[string]int{}
	said := func(err *field.Error) string {
		value := err.BadValue
		if value == nil {
			value = "" // as good as none
		}
		return fmt.Sprintf("%s %q %q %v", string(err.Type), strings.TrimPrefix(err.Field, "<nil>"), err.Detail, value)
	}
	for _, err := range a {
		count[said(err)]++
	}
	for _, err := range b {
		count[said(err)]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// wrongClass returns how the class of a pair contradicts its errors.
func wrongClass(pair equivalence.Pair) string {
	a, b := pair.Native, pair.Declarative
	switch {
	case a == nil && b == nil:
		return "a pair of nothing"
	case a != nil && b == nil && pair.Class != difference.TooLoose, a == nil && b != nil && pair.Class != difference.TooStrict:
		return "a lone error of a class for two"
	case a == nil || b == nil:
		return ""
	}
	root := func(at string) bool { return at == "" || at == "<nil>" }
	sameField, sameType := a.Field == b.Field || root(a.Field) && root(b.Field), a.Type == b.Type
	right := true
	switch pair.Class {
	case "":
		right = pair.Rule != nil || sameField && sameType && a.Detail == b.Detail
	case difference.Count:
		natives, declaratives := pair.Counts()
		right = natives != declaratives && (pair.Rule != nil || sameField && sameType && a.Detail == b.Detail)
	case difference.Type:
		right = sameField && !sameType
	case difference.Path:
		right = pair.Rule == nil && pair.Repeats == nil && !sameField && (sameType && a.Detail == b.Detail ||
			contains(a.Field, b.Field) || contains(b.Field, a.Field))
	case difference.Detail:
		right = sameField && sameType
	default:
		right = false
	}
	if !right {
		return "the class does not describe the difference"
	}
	return ""
}

// contains reports whether a field is an ancestor of the other.
func contains(outer, inner string) bool {
	return outer == "" || outer == "<nil>" || strings.HasPrefix(inner, outer+".") || strings.HasPrefix(inner, outer+"[")
}

// Compared with every possible pairing: no other explains more errors, and none that explains as many has
// more exact pairs.
func TestMatchIsTheBestExplanation(t *testing.T) {
	matcher := builtin(t)
	rapid.Check(t, func(t *rapid.T) {
		native, declarative := errorLists().Draw(t, "native"), errorLists().Draw(t, "declarative")
		agreeing, exact := score(matcher.Match(native, declarative))
		wantAgreeing, wantExact := bestScore(native, declarative, func(a, b *field.Error) []equivalence.Pair {
			return matcher.Match(field.ErrorList{a}, field.ErrorList{b})
		})
		if agreeing != wantAgreeing || exact != wantExact {
			t.Errorf("%d pairs agree, %d of them exactly; possible are %d and %d", agreeing, exact, wantAgreeing, wantExact)
		}
	})
}

// score counts the errors of one side that agree with one of the other.
func score(pairs []equivalence.Pair) (agreeing, exact int) {
	for _, pair := range pairs {
		natives, declaratives := pair.Counts()
		if pair.Agrees() || pair.Class == difference.Count {
			agreeing += min(natives, declaratives)
			if pair.Rule == nil {
				exact += min(natives, declaratives)
			}
		}
	}
	return agreeing, exact
}

// bestScore tries all pairings of the first native error with the rest.
func bestScore(native, declarative field.ErrorList, match func(a, b *field.Error) []equivalence.Pair) (agreeing, exact int) {
	if len(native) == 0 {
		return 0, 0
	}
	agreeing, exact = bestScore(native[1:], declarative, match)
	for i := range declarative {
		addAgreeing, addExact := score(match(native[0], declarative[i]))
		if addAgreeing == 0 {
			continue
		}
		rest := slices.Concat(declarative[:i], declarative[i+1:])
		restAgreeing, restExact := bestScore(native[1:], rest, match)
		if more := restAgreeing + addAgreeing; more > agreeing || more == agreeing && restExact+addExact > exact {
			agreeing, exact = more, restExact+addExact
		}
	}
	return agreeing, exact
}
