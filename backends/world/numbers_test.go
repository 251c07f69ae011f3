package world_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/harness"
)

// encoding/json and YAML such as "replicas: 3.0" return a float64, which a client sends as 3: neither a rule
// nor the scale subresource may reject it.
func TestNumbersOfDocuments(t *testing.T) {
	definition := gadget(t, 1, `x-kubernetes-validations: [{rule: "self.spec.replicas < 9", message: too many}]`)
	for text, want := range map[string][]string{"3": nil, "9": {"<nil>: too many"}} {
		var object map[string]any
		if err := json.Unmarshal(
			[]byte(`{"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": {"name": "g", "namespace": "n"}, "spec": `+
				`{"replicas": `+text+
				`}}`), &object); err != nil {
			t.Fatal(err)
		}
		outcome := ask(t, world.World{Definition: definition}, harness.Case{Object: object})
		if outcome.Fault != nil {
			t.Fatal(outcome.Fault)
		}
		if got := texts(outcome.Errors); len(got) != len(want) || len(want) == 1 && got[0] != want[0] {
			t.Errorf("replicas %s: errors %q, want %q", text, got, want)
		}
		if replicas := object["spec"].(map[string]any)["replicas"]; replicas != float64(3) && replicas != float64(9) {
			t.Errorf("the case itself has changed: %#v", replicas)
		}
	}
}

// A mutator in Go sets numbers of any Go type; in production they are JSON numbers of a patch.
func TestNumbersOfMutators(t *testing.T) {
	definition := gadget(t, 1, `x-kubernetes-validations: [{rule: "self.spec.replicas < 9", message: too many}]`)
	for _, replicas := range []any{3, int32(3), float64(3), uint8(3)} {
		mutator := world.MutatorFunc(func(_ context.Context, object map[string]any) error {
			object["spec"] = map[string]any{"replicas": replicas}
			return nil
		})
		outcome := ask(t, world.World{Definition: definition, Mutate: world.Mutating{Mutator: mutator}},
			harness.Case{Object: map[string]any{
				"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": map[string]any{"name": "g", "namespace": "n"},
			}})
		if len(outcome.Errors) > 0 {
			t.Errorf("a %T: errors %q, want none", replicas, texts(outcome.Errors))
		}
	}
}

// A Go int in the document of a case is a mistake in the case; the message says where.
func TestValuesThatAreNotJSON(t *testing.T) {
	definition := gadget(t, 1, "")
	target, err := world.NewTarget(world.World{Definition: definition}, world.World{Definition: definition}, "v1")
	if err != nil {
		t.Fatal(err)
	}
	h, err := harness.New(target, harness.Options{})
	if err != nil {
		t.Fatal(err)
	}
	results, err := h.Check(t.Context(), harness.Case{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Gadget", "spec": map[string]any{"replicas": 3},
	}})
	if err != nil {
		t.Fatal(err)
	}
	const want = "spec.replicas is a Go int; a document has map[string]any, []any, string, bool, int64, float64 and nil"
	if fault := results[0].Fault; fault == nil || !strings.Contains(fault.Error(), want) {
		t.Errorf("fault %v, want %q", fault, want)
	}
}
