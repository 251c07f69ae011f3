package harness_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
)

// With random errors, some of them marked, a comparison of the marked ones finds a difference if and only if
// the schema lacks a marked error, or reports an error that the native validator does not report, marked or
// not. Errors that are only similar (the same field, the same text, the same type) excuse nothing.
func TestCoveredAgainstSets(t *testing.T) {
	const tries = 3000
	seen := map[words.Verdict]int{}
	for seed := range uint64(tries) {
		random := rand.New(rand.NewPCG(seed, 4153))
		native, declarative := distinct(random), distinct(random)
		lacks, tooMany := 0, 0
		for _, err := range native {
			if err.CoveredByDeclarative = random.IntN(2) == 0; err.CoveredByDeclarative && !reports(declarative, err) {
				lacks++
			}
		}
		for _, err := range declarative {
			if !reports(native, err) {
				tooMany++
			}
		}
		h, err := harness.New(&harness.Target{
			Kind: widgetV1.GroupKind(), Scheme: harness.Documents{},
			Versions: []harness.Version{{GroupVersionKind: widgetV1, Native: says(native), Declarative: says(declarative)}},
		}, harness.Options{Compare: words.CompareCovered})
		if err != nil {
			t.Fatal(err)
		}
		results, err := h.Check(t.Context(), harness.Case{Object: widget("a", 1)})
		if err != nil {
			t.Fatal(err)
		}
		want := words.Equal
		if lacks+tooMany > 0 {
			want = words.Different
		}
		if seen[results[0].Verdict]++; results[0].Verdict != want {
			t.Errorf("seed %d: verdict %s, want %s\nnative %v\ndeclarative %v", seed, results[0].Verdict, want, native, declarative)
		}
	}
	if seen[words.Equal] < tries/20 || seen[words.Different] < tries/20 {
		t.Errorf("verdicts %v; too few of one kind prove nothing", seen)
	}
}

// distinct draws errors from few types, fields and texts, without duplicates.
func distinct(random *rand.Rand) field.ErrorList {
	var errs field.ErrorList
	for range random.IntN(4) {
		err := &field.Error{
			Type:     []field.ErrorType{field.ErrorTypeInvalid, field.ErrorTypeForbidden}[random.IntN(2)],
			Field:    []string{"size", "spec.size", "color"}[random.IntN(3)],
			Detail:   []string{"must be odd", "must be even"}[random.IntN(2)],
			BadValue: "x",
		}
		if !reports(errs, err) {
			errs = append(errs, err)
		}
	}
	return errs
}

func reports(errs field.ErrorList, one *field.Error) bool {
	return slices.ContainsFunc(errs, func(err *field.Error) bool {
		return err.Type == one.Type && err.Field == one.Field && err.Detail == one.Detail
	})
}
