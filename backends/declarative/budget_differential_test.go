package declarative_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	upstream "github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// TestBudgetsAgainstReference: rules that are all true, and that the engine proves without counting costs as
// the API server does, still exceed the budget exactly where the API server's do. The strings are long, so
// that the cost is high and the work is small.
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
  text:
    type: object
    properties: {text: {type: string}, pattern: {type: string}}
    x-kubernetes-validations: [{rule: self.text.matches(self.pattern)}]
`)
	ours, err := declarative.Compile(schema, declarative.Options{
		Root: true, Semantics: declarative.CustomResources, WithoutEstimation: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := upstream.Compile(schema, upstream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	long := func(bytes int) map[string]any {
		return map[string]any{"text": map[string]any{"text": strings.Repeat("x", bytes), "pattern": "x|" + strings.Repeat("y", bytes)}}
	}
	for _, tt := range []struct {
		name, why string
		obj       map[string]any
		over      bool // the engine's sum: it counts the costs
		valid     bool
	}{
		{"cheap", "far below all limits", longLists(3, 10, 0), false, true},
		{"below the object's budget", "the bound that the engine adds up is over it, the cost is not", longLists(252, 10, 2000), true,
			true},
		{"over the object's budget", "no call is dear, all of them are", longLists(300, 10, 2000), true, false},
		{"over the limit of a single call", "one call is too dear", longLists(1, 60, 2000), false, false},
		{"a pattern that is a field of the object", "costs the product of two lengths", long(2000), false, true},
		{"a long pattern that is a field of the object", "which is over the limit of a call", long(30_000), false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			obj := tt.obj
			if over := ours.OverBudget(t.Context(), value.NewValueInterface(obj)); over != tt.over {
				t.Errorf("%s: what the engine adds up is over the budget: %t", tt.why, over)
			}
			got := ours.Validate(t.Context(), value.NewValueInterface(obj), nil)
			want := theirs.Validate(context.Background(), obj, nil)
			if (len(want) == 0) != tt.valid {
				t.Fatalf("%s: the reference says %v", tt.why, want)
			}
			if diff := cmp.Diff(lines(want), lines(got)); diff != "" {
				t.Errorf("%s: -reference +declarative\n%s", tt.why, diff)
			}
		})
	}
}

// longLists are lists of different strings that differ only at their ends.
func longLists(lists, items, bytes int) map[string]any {
	all := make([]any, lists)
	for i := range all {
		list := make([]any, items)
		for j := range list {
			list[j] = strings.Repeat("x", bytes) + fmt.Sprint(j)
		}
		all[i] = list
	}
	return map[string]any{"lists": all}
}
