package object_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/diffrun/diffrun/internal/object"
)

func TestSmallest(t *testing.T) {
	value := func(text string) map[string]any {
		var v map[string]any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	has := func(path string, in ...int) func([]map[string]any) bool {
		return func(objects []map[string]any) bool {
			for _, i := range in {
				if _, has := object.Parse(path).Get(objects[i]); !has {
					return false
				}
			}
			return true
		}
	}
	for _, row := range []struct {
		why      string
		most     int
		shows    func([]map[string]any) bool
		in, want []map[string]any
	}{
		{"only what is needed stays", math.MaxInt, func(o []map[string]any) bool {
			list, _ := object.Parse("a").Get(o[0])
			items, _ := list.([]any)
			for i := range items {
				if y, _ := object.Of("a").Item(i).Field("y").Get(o[0]); y == "needed" {
					return true
				}
			}
			return false
		}, []map[string]any{value(`{"a": [1, {"x": true, "y": "needed"}, "z"], "b": {"c": null}}`)},
			[]map[string]any{value(`{"a": [{"y": "needed"}]}`)}},
		{"no question is left", 0, has("", 0), []map[string]any{value(`{"a": 1}`)}, []map[string]any{value(`{"a": 1}`)}},
		{"one question is left", 1, has("", 0), []map[string]any{value(`{"a": 1, "b": 1}`)}, []map[string]any{value(`{"b": 1}`)}},
		{"a part of both objects that must be equal", math.MaxInt, func(o []map[string]any) bool {
			return reflect.DeepEqual(o[0]["same"], o[1]["same"]) && o[0]["new"] != nil
		}, []map[string]any{value(`{"same": {"x": 1}, "new": 1}`), value(`{"same": {"x": 1}, "old": 1}`)},
			[]map[string]any{value(`{"new": 1}`), value(`{}`)}},
		{"a part that only the old object needs", math.MaxInt, has("a.b", 1),
			[]map[string]any{value(`{"a": {"b": 1}}`), value(`{"a": {"b": 1, "c": 1}}`)},
			[]map[string]any{value(`{}`), value(`{"a": {"b": 1}}`)}},
	} {
		before, err := json.Marshal(row.in)
		if err != nil {
			t.Fatal(err)
		}
		if got := object.Smallest(row.most, row.shows, row.in...); !reflect.DeepEqual(got, row.want) {
			t.Errorf("%s: %v, want %v", row.why, got, row.want)
		}
		if after, _ := json.Marshal(row.in); string(after) != string(before) {
			t.Errorf("%s: the objects that came in were changed: %s", row.why, after)
		}
	}
}

// random makes a value.
func random(r *rand.Rand, depth int) any {
	switch n := r.IntN(6); {
	case n < 2 && depth > 0:
		fields := map[string]any{}
		for range r.IntN(5) {
			fields[string(rune('a'+r.IntN(6)))] = random(r, depth-1)
		}
		return fields
	case n < 4 && depth > 0:
		list := make([]any, r.IntN(5))
		for i := range list {
			list[i] = random(r, depth-1)
		}
		return list
	case n == 4:
		return fmt.Sprintf("text %d", r.IntN(1000))
	}
	return int64(r.IntN(1000))
}

// TestShrinkerSteps: a step is accepted only if it shows the same. One object becomes smaller with each step; of two, one
// may become equal to the other. The questions are bounded, and the result does not depend on how many are asked at once.
func TestShrinkerSteps(t *testing.T) {
	size := func(objects []map[string]any) int {
		data, err := json.Marshal(objects)
		if err != nil {
			t.Fatal(err)
		}
		return len(data)
	}
	sum := func(objects []map[string]any) int { return size(objects) % 7 } // what is shown depends on everything
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 0))
		given := []map[string]any{{"keep": "me", "of": random(r, 4)}, {"keep": "me", "of": random(r, 4)}}[:1+r.IntN(2)]
		shrunk := func(width int) []map[string]any {
			s := object.Shrinker{Objects: given, Width: width, Left: 2000, Keep: []string{"keep"}}
			asked, last := 0, size(given)
			s.Show = func(candidates [][]map[string]any) iter.Seq[bool] {
				if len(candidates) > max(1, width) {
					t.Fatalf("seed %d: %d candidates at once, want %d", seed, len(candidates), width)
				}
				if now := size(s.Objects); now > last && len(given) == 1 {
					t.Fatalf("seed %d: a step made the objects larger", seed)
				} else if last = now; sum(s.Objects) != sum(given) {
					t.Fatalf("seed %d: a step lost what is shown: %v", seed, s.Objects)
				}
				return func(yield func(bool) bool) {
					for _, one := range candidates {
						if asked++; one[0]["keep"] != "me" {
							t.Fatalf("seed %d: a field that stays was changed: %v", seed, one)
						}
						if !yield(sum(one) == sum(given)) {
							return
						}
					}
				}
			}
			for changed := true; changed; {
				changed = s.Parts()
				changed = s.Simplify() || changed
			}
			if asked > 2000 {
				t.Fatalf("seed %d: %d questions", seed, asked)
			}
			return s.Objects
		}
		if one, four := shrunk(0), shrunk(4); !reflect.DeepEqual(one, four) {
			t.Errorf("seed %d: one question at once leaves %v, four leave %v", seed, one, four)
		}
	}
}
