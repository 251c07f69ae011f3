package generate_test

import (
	"fmt"
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/testing/served"
)

const selecting = `{type: object, properties: {spec: {type: object, properties: {
  kind: {type: string}, selector: {type: object, additionalProperties: {type: string}},
  items: {type: array, items: {type: object, required: [name], properties: {name: {type: string}, labels: {type: object, ` +
	`additionalProperties: {type: string}}}}}}}}}`

// wrongIn is a validator with requirements that no schema declares: there must be an item, the labels of each
// must match the selector, and a kind is one of two.
func wrongIn(obj map[string]any) []generate.Mistake {
	spec, ok := obj["spec"].(map[string]any)
	if !ok {
		return []generate.Mistake{{Field: "spec"}}
	}
	var wrong []generate.Mistake
	if kind := spec["kind"]; kind != "Steady" && kind != "Moving" {
		wrong = append(wrong, generate.Mistake{Field: "spec.kind", Text: `supported values: "Steady", "Moving"`})
	}
	selector, _ := spec["selector"].(map[string]any)
	if len(selector) == 0 {
		wrong = append(wrong, generate.Mistake{Field: "spec.selector"})
	}
	items, _ := spec["items"].([]any)
	if len(items) == 0 {
		wrong = append(wrong, generate.Mistake{Field: "spec.items"})
	}
	for i, item := range items {
		fields, _ := item.(map[string]any)
		if labels, _ := fields["labels"].(map[string]any); !reflect.DeepEqual(labels, selector) {
			wrong = append(wrong, generate.Mistake{Field: fmt.Sprintf("spec.items[%d].labels", i)})
		}
	}
	return wrong
}

func TestMend(t *testing.T) {
	schema := served.Props(t, selecting)
	mended, unmended := 0, 0
	for seed := range uint64(20) {
		src := generate.Seeded(seed)
		obj := generate.Object(src, schema, generate.ObjectOptions{})
		before := runtime.DeepCopyJSON(obj)
		if len(wrongIn(obj)) == 0 {
			continue
		}
		made, ok := generate.Mend(src, schema, obj, generate.Mending{Wrong: wrongIn, Steps: 2000})
		if !reflect.DeepEqual(before, obj) {
			t.Fatalf("seed %d: the object that came in was changed", seed)
		}
		if ok != (len(wrongIn(made)) == 0) {
			t.Fatalf("seed %d: Mend says %v of %s", seed, ok, served.Text(made))
		}
		if ok {
			mended++
		} else {
			unmended++
		}
	}
	if mended < 15 || unmended > 2 {
		t.Errorf("%d objects were mended and %d were not", mended, unmended)
	}
}

func TestMendGivesUp(t *testing.T) {
	never := func(map[string]any) []generate.Mistake { return []generate.Mistake{{Field: "spec.items[3].name"}, {}} }
	if _, ok := generate.Mend(generate.Seeded(1), served.Props(t, selecting), map[string]any{},
		generate.Mending{Wrong: never, Steps: 50}); ok {
		t.Error("what is never valid is said to be")
	}
}

func TestVary(t *testing.T) {
	schema := served.Props(t, selecting)
	obj := served.Object(t, `{apiVersion: v1, kind: A, metadata: {name: a}, spec: {kind: Steady, selector: {a: b}, items: `+
		`[{name: x, labels: {a: b}}]}}`)
	before, others, valid := runtime.DeepCopyJSON(obj), map[string]bool{}, 0
	for seed := range uint64(300) {
		varied := generate.Vary(generate.Seeded(seed), schema, obj, generate.ObjectOptions{Faults: 3})
		if varied["kind"] != "A" || !reflect.DeepEqual(varied["metadata"], obj["metadata"]) {
			t.Fatalf("type or metadata changed: %s", served.Text(varied))
		}
		others[served.Text(varied)] = true
		if len(wrongIn(varied)) == 0 {
			valid++
		}
	}
	if !reflect.DeepEqual(before, obj) {
		t.Error("the object that came in was changed")
	}
	if len(others) < 100 || valid < 30 || valid > 270 {
		t.Errorf("%d different objects, %d valid", len(others), valid)
	}
}
