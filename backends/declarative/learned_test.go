package declarative_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
)

// broad is a schema whose maps declare more than are looked up one by one: 40 names,
// of which two are required, and items of the same kind below some of them.
func broad(t *testing.T) *declarative.Validator {
	t.Helper()
	var fields func(depth int) string
	fields = func(depth int) string {
		var b strings.Builder
		b.WriteString("type: object, required: [f00, f39], properties: {")
		for i := range 40 {
			switch {
			case depth > 0 && i%10 == 5:
				fmt.Fprintf(&b, "f%02d: {type: array, items: {%s}}, ", i, fields(depth-1))
			case i%3 == 0:
				fmt.Fprintf(&b, "f%02d: {type: integer, maximum: 10}, ", i)
			default:
				fmt.Fprintf(&b, "f%02d: {type: string, maxLength: 3}, ", i)
			}
		}
		return b.String() + "}"
	}
	return compile(t, "{"+fields(1)+", additionalProperties: false}", declarative.Options{})
}

// habit makes objects of the broad schema which mostly have the same fields, beginning
// with one, and sometimes something that is wrong.
func habit(src *rand.Rand, first, depth int) map[string]any {
	obj := map[string]any{"f00": int64(3), "f39": int64(3)}
	for range src.IntN(6) {
		i := (first + src.IntN(4)) % 40
		switch name := fmt.Sprintf("f%02d", i); {
		case depth > 0 && i%10 == 5:
			var items []any
			for range src.IntN(4) {
				items = append(items, habit(src, first+7, 0))
			}
			obj[name] = items
		case i%3 == 0 && (depth == 0 || i%10 != 5):
			obj[name] = int64(3)
		default:
			obj[name] = "abc"
		}
	}
	switch src.IntN(60) {
	case 0:
		delete(obj, "f39")
	case 1:
		obj[fmt.Sprintf("f%02d", first%40)] = "too long"
	case 2:
		obj["unknown"] = int64(1)
	case 3:
		obj["f00"] = int64(11)
	}
	return obj
}

// TestWhatWasLearnedChangesNoReply validates objects of one habit until the proof has
// learned what to look up, and holds it against the walk on objects of others.
func TestWhatWasLearnedChangesNoReply(t *testing.T) {
	fitting, unfitting := 0, 0
	for seed := range uint64(12) {
		v, src := broad(t), rand.New(rand.NewPCG(seed, 1))
		for i := range 1200 {
			first := int(3 * seed)
			if i > 300 {
				first += i / 100
			}
			obj := habit(src, first, 1)
			fits, sure := proves(t, v, obj, func() string { return fmt.Sprintf("%v", obj) })
			switch {
			case !sure:
				t.Fatalf("the proof is not sure about %v", obj)
			case fits:
				fitting++
			default:
				unfitting++
			}
		}
	}
	if fitting < 1000 || unfitting < 100 {
		t.Errorf("%d fit and %d do not: too few to show anything", fitting, unfitting)
	}
}

// TestLearningTogether lets goroutines validate while the proof learns.
func TestLearningTogether(t *testing.T) {
	for seed := range uint64(8) {
		v := broad(t)
		var all sync.WaitGroup
		for each := range uint64(8) {
			all.Go(func() {
				src := rand.New(rand.NewPCG(seed, each))
				for range 60 {
					obj := habit(src, int(4*each), 1)
					got := len(v.Validate(t.Context(), value.NewValueInterface(obj), nil)) == 0
					if want := v.Walked(value.NewValueInterface(obj)); got != want {
						t.Errorf("seed %d: valid is %t, want %t: %v", seed, got, want, obj)
					}
				}
			})
		}
		all.Wait()
	}
}
