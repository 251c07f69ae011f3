package declarative_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	upstream "github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/internal/served"
)

// TestBudgetsAgainstReference: rules that are all true, and that the engine proves
// without counting as the API server does, still end where its limits are. Texts are
// long, so that there is much to count and little to do.
func TestBudgetsAgainstReference(t *testing.T) {
	schema := served.Schema(t, `
type: object
properties:
  lists:
    type: array
    items:
      type: array
      items: {type: string}
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
		bytes        int  // of an item
		over         bool // what the engine adds up: it counts
		valid        bool
	}{
		{"cheap", "far below all limits", 3, 10, 0, false, true},
		{"below the object's budget", "the bound that the engine adds up is over it, the cost is not", 252, 10, 2000, true, true},
		{"over the object's budget", "no call is dear, all of them are", 300, 10, 2000, true, false},
		{"over the limit of a call", "one call is too dear", 1, 60, 2000, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			obj := longLists(tt.lists, tt.items, tt.bytes)
			if over := ours.OverBudget(t.Context(), value.NewValueInterface(obj)); over != tt.over {
				t.Errorf("%s: what the engine adds up is over the budget: %t", tt.why, over)
			}
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

// longLists are lists of different texts that are alike up to their ends.
func longLists(lists, items, bytes int) map[string]any {
	obj := listsOf(lists, items)
	for _, list := range obj["lists"].([]any) {
		for i, item := range list.([]any) {
			list.([]any)[i] = strings.Repeat("x", bytes) + fmt.Sprint(item)
		}
	}
	return obj
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
