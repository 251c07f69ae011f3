package equivalence_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
)

// An object of the largest size that an API server accepts can have very many errors, all of them at one
// field or all with one text.
func TestMatchManyErrors(t *testing.T) {
	const many = 3000
	at := func(place func(int) string, value func(int) any, detail string) field.ErrorList {
		var list field.ErrorList
		for i := range many {
			list = append(list, invalid(place(i), value(i), detail))
		}
		random := rand.New(rand.NewPCG(1, 2))
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		return list
	}
	labels := func(int) string { return "metadata.labels" }
	items := func(shift int) func(int) string {
		return func(i int) string { return fmt.Sprintf("spec.items[%d].port", i+shift) }
	}
	key := func(i int) any { return fmt.Sprintf("-key-%d", i) }
	none := func(int) any { return nil }

	for name, test := range map[string]struct {
		why                 string
		native, declarative field.ErrorList
		want                map[difference.Class]int
	}{
		"one field, many values": {
			why:    "each value has its own partner",
			native: at(labels, key, "must be odd"), declarative: at(labels, key, "must be odd"),
			want: map[difference.Class]int{"": many},
		},
		"one field, one side without values": {
			why:    "any of them is a partner of any other",
			native: at(labels, key, "must be odd"), declarative: at(labels, none, "must be odd"),
			want: map[difference.Class]int{"": many},
		},
		"many items": {
			why:         "each item has its own partner",
			native:      at(items(0), none, "must be greater than or equal to 0"),
			declarative: at(items(0), none, "should be greater than or equal to 0"),
			want:        map[difference.Class]int{"": many},
		},
		"shifted items": {
			why:    "all but the first are equal; the first of one side and the last of the other are left",
			native: at(items(0), none, "must be odd"), declarative: at(items(1), none, "must be odd"),
			want: map[difference.Class]int{"": many - 1, difference.Path: 1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := map[difference.Class]int{}
			for _, pair := range builtin(t).Match(test.native, test.declarative) {
				got[pair.Class]++
			}
			for class, n := range test.want {
				if got[class] != n || len(got) != len(test.want) {
					t.Errorf("%s: %v pairs, want %v", test.why, got, test.want)
				}
			}
		})
	}
}

// If nothing agrees, near misses are still found in bounded time, and every error stays visible.
func TestMatchManyDifferences(t *testing.T) {
	var native, declarative field.ErrorList
	for i := range 3000 {
		native = append(native, invalid(fmt.Sprintf("spec.items[%d]", i), i, "must be odd"))
		declarative = append(declarative, invalid(fmt.Sprintf("status.items[%d]", i), i, "must be odd"))
	}
	errors := 0
	for _, pair := range builtin(t).Match(native, declarative) {
		if pair.Explained() {
			t.Fatalf("explained: %q", summary([]equivalence.Pair{pair}))
		}
		if pair.Native != nil {
			errors++
		}
		if pair.Declarative != nil {
			errors++
		}
	}
	if errors != 6000 {
		t.Errorf("%d errors are shown, there were 6000", errors)
	}
}

// Nested fields are paired in bounded time, too: thousands of errors below an object with as many errors, and
// even more below the whole object.
func TestMatchManyNested(t *testing.T) {
	var native, declarative field.ErrorList
	for i := range 3000 {
		native = append(native, invalid(fmt.Sprintf("spec.items[%d].port", i), i, "must be odd"), invalid("metadata", i, "native"))
		declarative = append(declarative, invalid("spec.items", i, fmt.Sprint("is even ", i)),
			required(fmt.Sprintf("metadata.labels[l%d]", i), ""))
	}
	pairs := builtin(t).Match(native, declarative)
	if len(pairs) != 6000 {
		t.Errorf("%d pairs, want 6000 nested ones", len(pairs))
	}
	for _, pair := range pairs {
		if pair.Class != difference.Path || pair.Explained() {
			t.Fatalf("want a difference of class path, got %q", summary([]equivalence.Pair{pair}))
		}
	}
}
