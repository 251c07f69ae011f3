package declarative_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	upstream "github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/internal/served"
)

// TestBudgetsAgainstReference: rules that are all true, and that the engine proves
// without counting as the API server does, still end where its limits are.
func TestBudgetsAgainstReference(t *testing.T) {
	schema := served.Schema(t, `
type: object
properties:
  lists:
    type: array
    items:
      type: array
      items: {type: integer}
      x-kubernetes-validations:
      - rule: self.all(a, self.all(b, a == b || a != b))
`)
	ours, err := declarative.Compile(schema, declarative.Options{
		Root: true, Semantics: declarative.CustomResources, Estimation: declarative.EstimationOff,
	})
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := upstream.Compile(schema, upstream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, why    string
		lists, items int
		valid        bool
	}{
		{"cheap", "far below all limits", 3, 10, true},
		{"below the object's budget", "the bound that the engine adds up is near it or over it, the cost is not", 45, 150, true},
		{"over the object's budget", "no call is dear, all of them are", 120, 150, false},
		{"over the limit of a call", "one call is too dear", 1, 600, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			obj := listsOf(tt.lists, tt.items)
			got := ours.Validate(t.Context(), value.NewValueInterface(obj), nil)
			want := theirs.Validate(context.Background(), obj, nil)
			if (len(want) == 0) != tt.valid {
				t.Fatalf("%s: the reference says %v", tt.why, want)
			}
			if diff := cmp.Diff(texts(want), texts(got)); diff != "" {
				t.Errorf("%s: -reference +declarative\n%s", tt.why, diff)
			}
		})
	}
}

func texts(errs field.ErrorList) []string {
	var all []string
	for _, e := range errs {
		all = append(all, e.Error())
	}
	return all
}

func listsOf(lists, items int) map[string]any {
	var all []any
	for range lists {
		var list []any
		for i := range items {
			list = append(list, int64(i))
		}
		all = append(all, list)
	}
	return map[string]any{"lists": all}
}
