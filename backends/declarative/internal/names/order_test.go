package names_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/diffrun/diffrun/backends/declarative/internal/names"
)

// many is a table of 30 names, n00 to n29.
func many() *names.Table {
	var all []string
	for i := range 30 {
		all = append(all, fmt.Sprintf("n%02d", i))
	}
	table := names.Make(all)
	return &table
}

// mapOf is a map of names by their numbers; what no table has is not in it.
func mapOf(table *names.Table, numbers ...int) map[string]any {
	m := map[string]any{}
	for _, i := range numbers {
		if i >= 0 {
			m[table.Name(i)] = i
		} else {
			m[fmt.Sprint("unknown", i)] = i
		}
	}
	return m
}

// TestOrderLearns shows an Order 64 maps and asks what to look up in the next.
func TestOrderLearns(t *testing.T) {
	for _, tt := range []struct {
		why     string
		shown   func(i int) []int
		entries int
		want    []uint16
	}{
		{"all maps have the same names", func(int) []int { return []int{20, 3, 7} }, 3, []uint16{3, 7, 20}},
		{"a map of another length was never seen", func(int) []int { return []int{20, 3, 7} }, 2, nil},
		{"what differs is looked up where it is little", func(i int) []int { return []int{20, 7, 3 + i%2} }, 3, []uint16{3, 4, 7, 20}},
		{"maps that have nothing in common are ranged over", func(i int) []int { return []int{i % 15, 15 + i/2%15} }, 2, nil},
		{"one map in nine is unlike the others", func(i int) []int {
			if i%9 == 0 {
				return []int{11 + i/9, 25}
			}
			return []int{1, 2}
		}, 2, []uint16{1, 2}},
		{"maps of two lengths do not spoil one another", func(i int) []int {
			if i%2 == 0 {
				return []int{1, 2}
			}
			return []int{3, 4, 5}
		}, 2, []uint16{1, 2}},
		{"names that no table has are not looked up", func(int) []int { return []int{1, -1} }, 2, nil},
		{"a large map is ranged over", func(int) []int { return []int{0, 1, 2, 3, 4, 5, 6, 7, 8} }, 9, nil},
		{"an empty map has nothing to look up", func(int) []int { return nil }, 0, nil},
	} {
		table := many()
		order := names.NewOrder(table)
		for i := range 64 {
			if got := order.Lookups(tt.entries); got != nil {
				t.Errorf("%s: %d maps were shown and it gives %v", tt.why, i, got)
			}
			order.Learn(mapOf(table, tt.shown(i)...))
		}
		if got := order.Lookups(tt.entries); !slices.Equal(got, tt.want) {
			t.Errorf("%s: in a map of %d it looks up %v, want %v", tt.why, tt.entries, got, tt.want)
		}
	}
}

// TestOrderStays: what was learned is not learned anew.
func TestOrderStays(t *testing.T) {
	table := many()
	order := names.NewOrder(table)
	for range 64 {
		order.Learn(mapOf(table, 1, 2))
	}
	for range 1000 {
		order.Learn(mapOf(table, 3, 4))
	}
	if got := order.Lookups(2); !slices.Equal(got, []uint16{1, 2}) {
		t.Errorf("got %v", got)
	}
}

// TestOrderOfAny holds of whatever maps were shown, by several goroutines, that each
// name is given once, in rising order, and that few are given in vain; and that there
// was something to give.
func TestOrderOfAny(t *testing.T) {
	given := 0
	for seed := range uint64(200) {
		table := many()
		order := names.NewOrder(table)
		var all sync.WaitGroup
		for each := range uint64(4) {
			all.Go(func() {
				src := rand.New(rand.NewPCG(seed, each))
				for range 40 {
					var numbers []int
					for i := range 30 {
						if src.IntN(30) < 1+i%int(2+seed%14) {
							numbers = append(numbers, i)
						}
					}
					order.Lookups(len(numbers))
					order.Learn(mapOf(table, numbers[:min(len(numbers), 1+src.IntN(12))]...))
				}
			})
		}
		all.Wait()
		for entries := range 12 {
			got := order.Lookups(entries)
			given += len(got)
			if !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) || len(got) > entries+6 {
				t.Errorf("seed %d: in a map of %d it looks up %v", seed, entries, got)
			}
			if len(got) > 0 && (entries == 0 || int(got[len(got)-1]) >= table.Len()) {
				t.Errorf("seed %d: in a map of %d it looks up %v", seed, entries, got)
			}
		}
	}
	if given == 0 {
		t.Error("nothing was ever looked up")
	}
}

// TestNoOrder: a nil Order is shown maps and gives nothing.
func TestNoOrder(t *testing.T) {
	var order *names.Order
	for range 100 {
		order.Learn(map[string]any{"a": 1})
	}
	if got := order.Lookups(1); got != nil {
		t.Errorf("got %v", got)
	}
}

// TestPlenty: where nothing is learned, some lookups are in vain, but not many.
func TestPlenty(t *testing.T) {
	for count := range 100 {
		entries := names.Plenty(count)
		if entries < 0 || (count > 10 && count-entries > 9) {
			t.Errorf("all of %d names are looked up in maps of %d", count, entries)
		}
	}
	if names.Plenty(5) != 0 || names.Plenty(30) == 0 {
		t.Error("five names are looked up anywhere, thirty not")
	}
}
