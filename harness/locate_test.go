package harness_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// locating is a schema that returns where its errors are declared.
type locating struct {
	backend
	located []contract.Located
	err     error
	asked   *int
}

func (l locating) Capabilities() contract.Capabilities {
	return contract.Capabilities{Locate: func(context.Context, *harness.Input) ([]contract.Located, error) {
		*l.asked++
		return l.located, l.err
	}}
}

// TestLocate: a difference names the rules that declare its error, also below the path of a test. Locate is
// not called if there is no difference.
func TestLocate(t *testing.T) {
	size := func() *field.Error { return field.Invalid(field.NewPath("size"), 2, "must be at least 3") }
	other := field.Invalid(field.NewPath("name"), "a", "must be at least 3")
	located := []contract.Located{
		{Error: size(), Declared: []string{"rules[0]", "rules[1]"}},
		{Error: other, Declared: []string{"rules[2]"}},
		{Error: size(), Declared: []string{"rules[1]"}},
	}
	want := []difference.Declared{{Place: "rules[0]", Position: "at rules[0]"}, {Place: "rules[1]", Position: "at rules[1]"}}
	for _, tc := range []struct {
		why    string
		native int64 // accepts sizes from this one
		size   int64
		path   *field.Path
		err    error
		want   []difference.Declared
		asked  int
	}{
		{why: "a difference", native: 1, size: 2, want: want, asked: 1},
		{why: "a difference below the path of a test", native: 1, size: 2, path: field.NewPath("items").Index(0), want: want, asked: 1},
		{why: "both report the same", native: 3, size: 2},
		{why: "the schema has no error", native: 9, size: 4},
		{why: "the schema has no places", native: 1, size: 2, err: errors.New("no"), asked: 1},
	} {
		t.Run(tc.why, func(t *testing.T) {
			asked := 0
			h, err := harness.New(&harness.Target{Kind: widgetV1.GroupKind(), Scheme: harness.Documents{}, Versions: []harness.Version{{
				GroupVersionKind: widgetV1, Native: atLeast("native", tc.native), Declarative: locating{atLeast("declarative", 3),
					located, tc.err, &asked},
				Position: func(place string) string { return "at " + place },
			}}}, harness.Options{})
			if err != nil {
				t.Fatal(err)
			}
			results, err := h.Check(t.Context(), harness.Case{Object: widget("a", tc.size), Path: tc.path})
			if err != nil || results[0].Fault != nil || results[0].Declarative.Fault != nil {
				t.Fatal(results, err)
			}
			var got []difference.Declared
			for _, pair := range results[0].Pairs {
				got = append(got, pair.Declared...)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" || asked != tc.asked {
				t.Errorf("asked %d times, want %d (-want +got):\n%s", asked, tc.asked, diff)
			}
		})
	}
}
