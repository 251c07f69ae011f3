package cel

import (
	"fmt"
	"math/rand"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// TestPlansOfRandomObjects: plans with loops in loops and with comparisons of whole values find
// what cel-go finds, at a cost that is not underestimated.
func TestPlansOfRandomObjects(t *testing.T) {
	env, err := NewEnv(Config{PerCall: 1_000_000})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewSource(1))
	planned := 0
	for _, rule := range []string{
		"self.items.all(a, self.items.exists_one(b, a.name == b.name && a.port == b.port))", "self.items.exists(a, self.items.all(b, a.name == b.name ? a.port == b.port : true))",
		"self.items.all(a, self.items.all(b, a.name != b.name || a.port == b.port))", "self.set.all(s, self.set.exists_one(t, s == t))", "self.items.all(a, !self.set.exists(s, s == a.name && has(a.port)))",
		"self == oldSelf", "self.items == oldSelf.items", "self.set == oldSelf.set", "self.?labels == oldSelf.?labels", "self.?one == oldSelf.?one", "self.?sel == oldSelf.?sel",
	} {
		p, mistakes := env.Compile(Rule{Rule: rule}, thing())
		if len(mistakes) > 0 {
			t.Fatalf("%s: %v", rule, mistakes)
		}
		for range 200 {
			object := map[string]any{
				"items": randomItems(r), "set": randomTexts(r), "labels": map[string]any{"a": "b", "c": []any{"d", nil, int64(1)}[r.Intn(3)]},
				"one": map[string]any{"name": "x"}, "sel": map[string]any{"matchExpressions": []any{map[string]any{"x": int64(1)}}}, "s": "x", "i": int64(1), "d": 1.5, "zero": int64(0),
			}
			old := runtime.DeepCopyJSON(object)
			mutate(r, old)
			if checkPlan(t, p, fmt.Sprint(object, old), view.OfJSON(object), view.OfJSON(old)) {
				planned++
			}
		}
	}
	if planned < 300 {
		t.Errorf("the plans are true of %d objects", planned)
	}
}

// mutate makes a change in some objects.
func mutate(r *rand.Rand, object map[string]any) {
	items, _ := object["items"].([]any)
	switch r.Intn(9) {
	case 0:
		object["set"] = append(object["set"].([]any), "more")
	case 1:
		r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	case 2:
		delete(object, "labels")
	case 3:
		object["one"].(map[string]any)["unknown"] = "x"
	case 4:
		object["none"] = nil
	case 5:
		if len(items) > 0 {
			items[0] = map[string]any{"name": "changed"}
		}
	}
}

func randomItems(r *rand.Rand) []any {
	items := []any{}
	names, odd := 1+r.Intn(40), r.Intn(4) == 0
	for i := range r.Intn(25) {
		item := map[string]any{"name": fmt.Sprint("name-", r.Intn(names)), "port": int64(r.Intn(3))}
		if r.Intn(3) == 0 {
			item["name"] = fmt.Sprint("own-", i)
		}
		if odd && r.Intn(6) == 0 {
			delete(item, []string{"name", "port"}[r.Intn(2)])
		}
		items = append(items, item)
		if odd && r.Intn(20) == 0 {
			items = append(items, []any{nil, "x", map[string]any{"name": int64(1)}}[r.Intn(3)])
		}
	}
	return items
}

func randomTexts(r *rand.Rand) []any {
	texts := []any{}
	for range r.Intn(20) {
		texts = append(texts, fmt.Sprint("name-", r.Intn(40)))
	}
	if r.Intn(8) == 0 {
		texts = append(texts, []any{int64(1), nil, "name-1"}[r.Intn(3)])
	}
	return texts
}
