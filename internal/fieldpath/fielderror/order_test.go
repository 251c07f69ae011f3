package fielderror_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// TestSort shuffles errors and sorts them again.
func TestSort(t *testing.T) {
	at := func(path string, typ field.ErrorType, value any, detail, origin string) *field.Error {
		return &field.Error{Type: typ, Field: path, BadValue: value, Detail: detail, Origin: origin}
	}
	ordered := field.ErrorList{
		at("<nil>", field.ErrorTypeRequired, "", "of the whole object comes first", ""),
		at("spec.a", field.ErrorTypeInvalid, 1, "a type comes before another", ""),
		at("spec.a", field.ErrorTypeRequired, "", "", ""),
		at("spec.a", field.ErrorTypeRequired, "", "should be: a text without the own field", ""),
		at("spec.a", field.ErrorTypeRequired, "", "spec.a in body should be: in the order of what comes after the own field", ""),
		at("spec.a[2]", field.ErrorTypeInvalid, "", "an index is a number", ""),
		at("spec.a[10]", field.ErrorTypeInvalid, "a", "values come last", "second"),
		at("spec.a[10]", field.ErrorTypeInvalid, "b", "values come last", "first"),
		at("spec.a[10]", field.ErrorTypeInvalid, "b", "values come last", "second"),
		at("spec.a[10]", field.ErrorTypeInvalid, map[string]any{"a": 1}, "values come last", ""),
		at("spec.a-b", field.ErrorTypeInvalid, "", "a field whose name begins with that of another follows all of the other", ""),
	}
	for seed := range uint64(200) {
		shuffled := slices.Clone(ordered)
		src := rand.New(rand.NewPCG(seed, 1))
		src.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		fielderror.Sort(shuffled)
		if d := cmp.Diff(fmt.Sprint(ordered), fmt.Sprint(shuffled)); d != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, d)
		}
	}
}
