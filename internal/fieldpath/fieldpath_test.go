package fieldpath_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/fieldpath"
)

func TestSplit(t *testing.T) {
	for _, tt := range []struct {
		path, why string
		want      []fieldpath.Step
	}{
		{"<nil>", "the root has no step", nil},
		{"", "the root, too", nil},
		{"spec.ports[1].name", "fields and an index", []fieldpath.Step{
			{Text: "spec"},
			{Text: "ports"},
			{Text: "1", Bracket: true},
			{Text: "name"},
		}},
		{"labels[a.b/c]", "a key may have dots", []fieldpath.Step{{Text: "labels"}, {Text: "a.b/c", Bracket: true}}},
		{"m[a]b][0]", "and brackets", []fieldpath.Step{{Text: "m"}, {Text: "a]b", Bracket: true}, {Text: "0", Bracket: true}}},
		{".spec.replicas", "a path of a scale begins with a dot", []fieldpath.Step{{}, {Text: "spec"}, {Text: "replicas"}}},
		{"m[a", "no bracket closes", []fieldpath.Step{{Text: "m"}, {Text: "a", Bracket: true}}},
	} {
		if d := cmp.Diff(tt.want, fieldpath.Split(tt.path)); d != "" {
			t.Errorf("%s: %s (-want +got):\n%s", tt.path, tt.why, d)
		}
	}
}

// TestCompare shuffles paths and sorts them again.
func TestCompare(t *testing.T) {
	ordered := []string{
		"", "<nil>", // both are the root
		".spec", "a", "a.b", "a.b-c", "a[0]", "a[2]", "a[2].name", "a[10]", "a[99999999999999999999]", "a[100000000000000000000]",
		"a[]", "a[+1]", "a[key]",
		"a-b", "a10", "a9", "b", "b.", // the last two have the same steps
	}
	for seed := range uint64(100) {
		shuffled := slices.Clone(ordered[1:])
		src := rand.New(rand.NewPCG(seed, 1))
		src.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		slices.SortFunc(shuffled, fieldpath.Compare)
		if d := cmp.Diff(ordered[1:], shuffled); d != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, d)
		}
	}
	if fieldpath.Compare("", "<nil>") != 0 {
		t.Error("two spellings of the root differ")
	}
	if n := testing.AllocsPerRun(100, func() { fieldpath.Compare("a[key].b", "a[key].c") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
