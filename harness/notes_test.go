package harness_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// noting is a backend that returns notes besides errors.
type noting struct {
	warnings []string
	omitted  []contract.Omission
}

func (noting) Name() string { return "native" }

func (n noting) Validate(ctx context.Context, _ *harness.Input) (field.ErrorList, error) {
	contract.AddNotes(ctx, contract.Notes{Warnings: n.warnings, Omitted: n.omitted})
	return nil, nil
}

// The answer of a side has its warnings and the fields that only this side dropped. The result has the fields
// that both sides dropped.
func TestNotes(t *testing.T) {
	old, both := contract.Omission{Field: "spec.new", Why: words.Pruned}, contract.Omission{Field: "spec.misspelt", Why: words.Pruned}
	h, err := harness.New(&harness.Target{
		Kind: widgetV1.GroupKind(), Scheme: harness.Documents{},
		Versions: []harness.Version{{
			GroupVersionKind: widgetV1,
			Native:           noting{[]string{"b", "a", "b", ""}, []contract.Omission{old, both}},
			Declarative:      noting{nil, []contract.Omission{both}},
		}},
	}, harness.Options{Repeat: 2})
	if err != nil {
		t.Fatal(err)
	}
	results, err := h.Check(t.Context(),
		harness.Case{Object: map[string]any{"apiVersion": widgetV1.GroupVersion().String(), "kind": widgetV1.Kind}})
	if err != nil {
		t.Fatal(err)
	}
	got := results[0]
	for _, diff := range []string{
		cmp.Diff([]string{"b", "a"}, got.Native.Warnings), cmp.Diff([]string(nil), got.Declarative.Warnings),
		cmp.Diff([]contract.Omission{old}, got.Native.Omitted), cmp.Diff([]contract.Omission{both}, got.Omitted),
	} {
		if diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	if len(got.Declarative.Omitted) > 0 {
		t.Errorf("the declarative side alone omits %v", got.Declarative.Omitted)
	}
	contract.AddNotes(context.Background(), contract.Notes{Warnings: []string{"nobody listens"}}) // and nothing breaks
}
