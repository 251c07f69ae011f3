package cel

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// TestJoins: loops in loops with an index find what loops over all pairs find, at a cost
// that is not underestimated, on lists with whatever is in them.
func TestJoins(t *testing.T) {
	env, err := NewEnv(Config{PerCall: 1_000_000})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewSource(1))
	planned, indexed := 0, 0
	for _, rule := range []string{
		"self.items.all(a, self.items.exists_one(b, a.name == b.name))", "self.items.all(a, self.items.exists_one(b, a.name == b.name && a.port == b.port))",
		"self.items.all(a, self.items.exists(b, b.port == a.port && b.name != a.name))", "self.items.exists(a, self.items.all(b, a.name == b.name ? a.port == b.port : true))",
		"self.items.all(a, self.items.all(b, a.name != b.name || a.port == b.port))", "!self.items.exists(a, self.items.exists(b, a.name == b.name && a.port > b.port))",
		"self.set.all(s, self.set.exists_one(t, s == t))", "self.items.all(a, self.set.exists(s, s == a.name))", "self.items.all(a, !self.set.exists(s, s == a.name && has(a.port)))",
		"self.items.all(a, self.items.exists_one(b, a.name == b.name && (has(a.port) && has(b.port) ? a.port == b.port : !has(a.port) && !has(b.port))))",
	} {
		p, mistakes := env.Compile(Rule{Rule: rule}, thing())
		if len(mistakes) > 0 {
			t.Fatalf("%s: %v", rule, mistakes)
		}
		for range 150 {
			object := map[string]any{"items": randomItems(r), "set": randomTexts(r)}
			if checkPlan(t, p, fmt.Sprint(object), view.OfJSON(object), view.OfJSON(object)) {
				planned++
				if len(object["items"].([]any)) >= fewest {
					indexed++
				}
			}
		}
	}
	if planned < 200 || indexed < 50 {
		t.Errorf("the plans are true of %d objects, %d of them large", planned, indexed)
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
