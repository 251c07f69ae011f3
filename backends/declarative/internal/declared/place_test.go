package declared_test

import (
	"slices"
	"testing"

	"github.com/diffrun/diffrun/backends/declarative/internal/declared"
	"github.com/diffrun/diffrun/internal/fieldpath"
)

// has follows a path and reports whether its last name is declared.
func has(place declared.Place, path string) bool {
	steps := fieldpath.Split(path)
	for _, step := range steps[:len(steps)-1] {
		if step.Bracket {
			place = place.Entry(step.Text)
		} else {
			place = place.Field(step.Text)
		}
	}
	return place.Has(steps[len(steps)-1].Text)
}

func TestPlace(t *testing.T) {
	for _, test := range []struct {
		why, path string
		want      bool
	}{
		{"a property", "spec.size", true},
		{"one that is not there", "spec.color", false},
		{"after a cycle", "spec.next.next.ports[0].port", true},
		{"the property of an item", "spec.ports[7].port", true},
		{"the list has no such property", "spec.ports.port", false},
		{"a key of a map", "labels.size", false},
		{"a property beside other keys", "mixed.a", true},
		{"a key beside a property", "mixed.b", false},
		{"a field of a branch", "union.any.x", true},
		{"a preserved field is not declared", "open.x", false},
		{"nor is a field without a schema", "anything.x", false},
		{"a name with dots", "dotted[only.dots]", true},
		{"fields of every object", "metadata", true},
		{"and in its metadata", "metadata.ownerReferences[0].kind", true},
		{"except for the keys of its maps", "metadata.labels.name", false},
		{"and the fields that managers own", "metadata.managedFields[0].fieldsV1.f:spec", false},
		{"kind", "kind", true},
		{"below it is nothing", "kind.metadata", false},
		{"a part is no object", "spec.kind", false},
	} {
		if got := has(schema(t).Top(), test.path); got != test.want {
			t.Errorf("%s: %s: %t", test.why, test.path, got)
		}
	}
}

func TestWords(t *testing.T) {
	words := schema(t).Words()
	for _, word := range []string{"spec", "ports", "never", "one", "only.dots"} {
		if !words[word] {
			t.Errorf("%s is not there", word)
		}
	}
	if slices.Contains([]bool{words["labels[x]"], words["integer"], words["metadata"]}, true) {
		t.Errorf("there are too many: %v", words)
	}
}
