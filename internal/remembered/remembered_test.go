package remembered_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/remembered"
)

// counted is a validator and a mutator that count what they are asked.
type counted struct{ asked int }

func (*counted) Name() string { return "counted" }

func (c *counted) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	c.asked++
	object, err := in.Object.Unstructured()
	if err != nil {
		return nil, err
	}
	contract.AddNotes(ctx, contract.Notes{Warnings: []string{"w"}, Stored: object})
	switch object["size"] {
	case int64(1):
		return field.ErrorList{field.Invalid(field.NewPath("size"), 1, "too small")}, nil
	case int64(2):
		return nil, errors.New("a fault")
	}
	return nil, nil
}

func (c *counted) Mutate(_ context.Context, in *harness.Input) (map[string]any, field.ErrorList, error) {
	c.asked++
	object, err := in.Object.Unstructured()
	if err != nil || object["size"] == int64(3) {
		return nil, nil, err
	}
	return map[string]any{"size": object["size"], "set": int64(7)}, nil, nil
}

func inputOf(size int64, name string, order uint64) *harness.Input {
	return &harness.Input{
		Request: harness.Request{Name: name}, Order: order, Object: contract.NewView(map[string]any{"size": size}),
	}
}

// TestBackend: each input is asked about once, as far as it is the same in everything that a validator sees.
func TestBackend(t *testing.T) {
	for _, tt := range []struct {
		why  string
		all  []*harness.Input
		want int
	}{
		{"the same object", []*harness.Input{inputOf(1, "", 0), inputOf(1, "", 0)}, 1},
		{"another object", []*harness.Input{inputOf(1, "", 0), inputOf(3, "", 0)}, 2},
		{"another request", []*harness.Input{inputOf(1, "a", 0), inputOf(1, "b", 0)}, 2},
		{"a repeat with another order of keys, which looks for answers that change", []*harness.Input{
			inputOf(1, "", 0), inputOf(1, "", 5),
		}, 2},
		{"a fault is no answer", []*harness.Input{inputOf(2, "", 0), inputOf(2, "", 0)}, 2},
	} {
		for _, documents := range []bool{false, true} {
			of := &counted{}
			backend := remembered.New(of, documents)
			var texts []string
			for _, in := range tt.all {
				ctx, notes := contract.CollectNotes(t.Context())
				errs, err := backend.Validate(ctx, in)
				said := notes()
				if (said.Stored != nil) != documents && err == nil {
					t.Errorf("%s: documents %v, stored %v", tt.why, documents, said.Stored)
				}
				if len(said.Warnings) != 1 {
					t.Errorf("%s: warnings %q", tt.why, said.Warnings)
				}
				texts = append(texts, fmt.Sprint(errs), errorText(err))
			}
			if of.asked != tt.want {
				t.Errorf("%s: %d questions, want %d", tt.why, of.asked, tt.want)
			}
			if tt.want == 1 {
				if diff := cmp.Diff(texts[:2], texts[2:]); diff != "" {
					t.Errorf("%s: the second answer is another one:\n%s", tt.why, diff)
				}
			}
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestMutator: a change is repeated as a new object, also that there is none.
func TestMutator(t *testing.T) {
	of := &counted{}
	mutator := remembered.NewMutator(of)
	for size, want := range map[int64]map[string]any{1: {"size": int64(1), "set": int64(7)}, 3: nil} {
		before := of.asked
		for range 3 {
			object, errs, err := mutator.Mutate(t.Context(), inputOf(size, "", 0))
			if err != nil || len(errs) > 0 {
				t.Fatal(errs, err)
			}
			if diff := cmp.Diff(want, object); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if object != nil {
				object["set"] = "changed by a caller"
			}
		}
		if of.asked != before+1 {
			t.Errorf("%d questions about an object of size %d, want 1", of.asked-before, size)
		}
	}
}
